import { Button } from '@mantine/core';
import { IconChartDots, IconCheck, IconGavel, IconMessages, IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '../client/paths.ts';
import { usePersonName } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { StateLabel } from '../ui/states.tsx';
import { Saved } from '../workbench/bar.tsx';
import { useTools } from '../workbench/context.ts';
import { KeyButton } from '../workbench/parts.tsx';
import { useWork } from '../workbench/store.ts';
import { Track } from '../workbench/track.tsx';
import classes from './compare.module.css';
import { isUnsettled } from './standing.ts';
import { adjudicates, type ComparisonRow, isAdjudicated, toggleFigures, useCompare, useComparing } from './store.ts';

/** Which recording, how far the adjudication is, whether it is stored, and what can be done with the whole of it. */
export function ComparisonHead({ rows }: { rows: readonly ComparisonRow[] }): ReactNode {
  const { store, actions } = useComparing();
  const { run } = useTools();
  const ws = useWork((state) => state.ws);
  const row = useWork((state) => state.opened.row);
  const mine = useWork(adjudicates);
  const progress = useWork(isAdjudicated);
  const review = useWork((state) => state.review?.view ?? null);
  const figures = useCompare((state) => state.figures);
  const comments = useWork((state) => state.review?.view.threads.filter((thread) => thread.open).length ?? 0);
  const panel = useWork((state) => state.open === 'threads');
  const agreed = useCompare((state) => state.comparison.agreed);
  const name = usePersonName(ws);
  const claim = review?.claim ?? null;
  const may = review?.may;
  return (
    <div className={classes.bar}>
      <h1 className={classes.title} title={tr('{task} · recording {id}', { task: row.task, id: row.id })}>
        {row.task} <span className={classes.recording}>{row.id}</span>
      </h1>
      <StateLabel state={review?.state ?? row.state} />
      {progress ? (
        <Progress rows={rows} />
      ) : (
        <span className={classes.quiet}>
          {tr('{rows, plural, one {# difference} other {# differences}}, {agreed, number} alike', {
            rows: rows.length,
            agreed,
          })}
        </span>
      )}
      <span className={classes.spacer} />
      {mine && <Saved />}
      {claim && !mine && (
        <span className={classes.quiet}>
          {name(claim.person)} {claim.role === 'adjudicate' ? tr('adjudicates it') : tr('reviews it')}
        </span>
      )}
      <KeyButton
        command="comment.panel"
        label={comments > 0 ? tr('Comments ({comments})', { comments }) : tr('Comments')}
        pressed={panel}
        icon={<IconMessages size={13} aria-hidden />}
        onClick={() => run('comment.panel')}
      />
      <KeyButton
        command="compare.figures"
        label={tr('Agreement')}
        pressed={figures}
        icon={<IconChartDots size={13} aria-hidden />}
        onClick={() => toggleFigures(store)}
      />
      {may?.claim === null && (
        <KeyButton
          command="compare.claim"
          label={tr('Adjudicate')}
          variant="filled"
          icon={<IconGavel size={13} aria-hidden />}
          onClick={actions.claim}
        />
      )}
      {mine && (
        <>
          <KeyButton command="compare.release" label={tr('Release')} onClick={() => actions.ask('release')} />
          <KeyButton
            command="compare.approve"
            label={tr('Approve')}
            variant={may?.approve === null ? 'filled' : 'default'}
            color="green.8"
            disabled={may?.approve !== null}
            {...(typeof may?.approve === 'string' && { title: may.approve })}
            icon={<IconCheck size={13} aria-hidden />}
            onClick={() => actions.ask('approve')}
          />
        </>
      )}
      {review?.state === 'approved' ? (
        <CommandButton href={paths.work(ws)} size="compact-xs" command="app.nextWork">
          {tr('My work')}
        </CommandButton>
      ) : (
        !mine && (
          <Button
            component={Link}
            href={paths.annotate(ws, row.id)}
            size="compact-xs"
            variant="default"
            leftSection={<IconPencil size={13} aria-hidden />}
          >
            {tr('Annotation')}
          </Button>
        )
      )}
    </div>
  );
}

function Progress({ rows }: { rows: readonly ComparisonRow[] }): ReactNode {
  const settled = rows.filter(({ standing }) => !isUnsettled(standing)).length;
  const words = tr('{settled, number} of {rows, plural, one {# difference} other {# differences}} settled', {
    settled,
    rows: rows.length,
  });
  return (
    <Track
      label={tr('Differences settled')}
      value={rows.length === 0 ? 1 : settled}
      total={Math.max(rows.length, 1)}
      words={words}
      testId="settled"
    />
  );
}
