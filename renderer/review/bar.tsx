import { IconGavel, IconMessages, IconScale } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { tr } from '../language/tr.ts';
import { Saved, UndoRedo, WorkStateLabel } from '../workbench/bar.tsx';
import { useTools } from '../workbench/context.ts';
import { holdsClaim } from '../workbench/log/rights.ts';
import { KeyButton } from '../workbench/parts.tsx';
import { useWork } from '../workbench/store.ts';
import { Track } from '../workbench/track.tsx';
import annotate from '../workbench/workbench.module.css';
import type { ReviewProgress } from './items.ts';
import { judgementOf } from './judging.ts';
import { useProgress } from './whole.ts';

/** Which recording, how much is left to decide, and what goes for the whole of it. */
export function ReviewBar(): ReactNode {
  const { run } = useTools();
  const row = useWork((state) => state.opened.row);
  const judging = useWork((state) => state.judging);
  const claimed = useWork((state) => holdsClaim(state.review?.view ?? null, state.person));
  const open = useWork((state) => state.open);
  const progress = useProgress();
  const comments = useWork((state) => state.review?.view.threads.filter((thread) => thread.open).length ?? 0);
  return (
    <div className={annotate.bar}>
      <h1 className={annotate.title} title={tr('{task} · recording {id}', { task: row.task, id: row.id })}>
        {row.task} <span className={annotate.recording}>{judging ? tr('judging') : tr('review')}</span>
      </h1>
      {judging ? <Judged /> : <Decided progress={progress} />}
      <div className={annotate.spacer} />
      <Saved />
      {!judging && claimed && <UndoRedo />}
      <KeyButton
        command="comment.panel"
        label={comments > 0 ? tr('Comments ({comments})', { comments }) : tr('Comments')}
        pressed={open === 'threads'}
        icon={<IconMessages size={13} aria-hidden />}
        onClick={() => run('comment.panel')}
      />
      <KeyButton
        command="judge.toggle"
        label={tr('Judge')}
        pressed={judging}
        icon={<IconScale size={13} aria-hidden />}
        title={tr('Judge each step of the trajectory: grounded or not, and errors')}
        onClick={() => run('judge.toggle')}
      />
      {!judging && <VerdictButton />}
      <WorkStateLabel />
    </div>
  );
}

function VerdictButton(): ReactNode {
  const { run } = useTools();
  const ready = useWork((state) => state.review?.view.may.approve === null);
  const state = useWork((work) => work.review?.view.state);
  return (
    <KeyButton
      command="review.verdict"
      label={state === 'approved' ? tr('Reopen …') : tr('Verdict …')}
      variant={ready ? 'filled' : 'default'}
      icon={<IconGavel size={13} aria-hidden />}
      onClick={() => run('review.verdict')}
    />
  );
}

function Decided({ progress }: { progress: ReviewProgress }): ReactNode {
  const { total, decided, rejected } = progress;
  const words =
    decided === total
      ? tr('All decided{rejected, plural, =0 {} other {, # rejected}}', { rejected })
      : tr('{decided} of {total} decided{rejected, plural, =0 {} other {, # rejected}}', { decided, total, rejected });
  return <Track label={tr('Decided')} value={decided} total={total} words={words} />;
}

function Judged(): ReactNode {
  const total = useWork((state) => state.doc.steps.length);
  const done = useWork((state) => state.doc.steps.filter((_, at) => judgementOf(state, at) !== null).length);
  return (
    <Track
      label={tr('Judged')}
      value={done}
      total={total}
      words={done === total ? tr('All judged') : tr('{done} of {total} judged', { done, total })}
    />
  );
}
