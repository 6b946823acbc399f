import { Badge } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconMessagePlus, IconX } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type { StepView } from '../../core/annotate/view.ts';
import type { Decision } from '../../schemas/api/review-models.ts';
import type { ReviewItem } from '../../schemas/review.ts';
import { usePersonName } from '../client/person.ts';
import { StepThreads } from '../comments/step-threads.tsx';
import { itemWords } from '../comments/words.ts';
import { tr, trParts } from '../language/tr.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { reasonLabel } from '../ui/reasons.ts';
import { useTools } from '../workbench/context.ts';
import form from '../workbench/form/form.module.css';
import { Narration } from '../workbench/form/narration.tsx';
import { NoSteps } from '../workbench/form/no-steps.tsx';
import { BoxRow, Head, Names, REASON_WORDS } from '../workbench/form/step-form.tsx';
import { isFixed } from '../workbench/log/fixes.ts';
import { holdsClaim } from '../workbench/log/rights.ts';
import { KeyButton, keepFocus } from '../workbench/parts.tsx';
import { type Aspect, useWork } from '../workbench/store.ts';
import { decidedIn, itemInHand } from './in-hand.ts';
import { aspectsOf, type Decided, type ItemState } from './items.ts';
import classes from './review.module.css';
import { acceptWords, ITEM_STATE_WORDS, rejectWords } from './words.ts';

/** The item in hand with the decisions on it; below, the decision to take. */
export function ReviewForm(): ReactNode {
  const step = useWork((state) => state.doc.steps[state.at]);
  const at = useWork((state) => state.at);
  const total = useWork((state) => state.doc.steps.length);
  const stop = useWork((state) => state.stop);
  if (stop === null && !step) return <NoSteps />;
  return (
    <>
      <div className={form.form}>
        {stop !== null ? <StopCard /> : step && <Head step={step} at={at} total={total} state={<StateBadge />} />}
        {stop === null && step && <Aspects step={step} />}
        <StepThreads />
        {stop === null && step && (
          <>
            {step.removal && (
              <section className={form.section}>
                <p className={form.caution}>
                  {tr('Removed as {reason}. Accept or reject that.', {
                    reason: withComment(REASON_WORDS[step.removal.reason], step.removal.comment),
                  })}
                </p>
              </section>
            )}
            <Narration step={step} />
            <Names step={step} />
            <BoxRow step={step} />
          </>
        )}
      </div>
      <Decide />
    </>
  );
}

function useDecided(): (item: ReviewItem) => Decided {
  const review = useWork((state) => state.review);
  const handedIn = useWork((state) => state.handedIn);
  const sync = useWork((state) => state.sync);
  return useMemo(() => decidedIn({ review, handedIn, sync }), [review, handedIn, sync]);
}

const COLORS: Readonly<Record<ItemState, string>> = {
  undecided: 'gray',
  again: 'yellow',
  accepted: 'green',
  fixed: 'lake',
  rejected: 'red',
};

function useItem(): ReviewItem | null {
  const doc = useWork((state) => state.doc);
  const at = useWork((state) => state.at);
  const stop = useWork((state) => state.stop);
  const aspect = useWork((state) => state.aspect);
  return useMemo(() => itemInHand({ doc, at, stop, aspect }), [doc, at, stop, aspect]);
}

function StateBadge(): ReactNode {
  const doc = useWork((state) => state.doc);
  const at = useWork((state) => state.at);
  const stop = useWork((state) => state.stop);
  const item = itemInHand({ doc, at, stop, aspect: null });
  const decided = useDecided();
  if (!item) return null;
  const { state } = decided(item);
  return (
    <Badge size="sm" color={COLORS[state]} className={classes.badge} data-state={state} data-testid="decision">
      {ITEM_STATE_WORDS[state]}
    </Badge>
  );
}

/** The goal, a subtask's beginning or its title as an item of its own. Its field stands at the left, over the list. */
function StopCard(): ReactNode {
  const { run } = useTools();
  const doc = useWork((state) => state.doc);
  const at = useWork((state) => state.at);
  const opened = useWork((state) => state.opened);
  const stop = useWork((state) => state.stop);
  const item = useItem();
  if (!stop || !item) return null;
  const subtask = 'subtask' in stop ? doc.subtasks[stop.subtask] : undefined;
  const before = doc.steps[at - 1];
  const first = doc.steps[at];
  return (
    <section className={classes.stop} aria-label={itemWords(item, { opened, doc })}>
      <h2 className={form.stepTitle}>
        {stop.kind === 'goal'
          ? tr('Goal of the task')
          : stop.kind === 'edge'
            ? tr('Subtask {number}: where it begins', { number: stop.subtask + 1 })
            : tr('Subtask {number}: title', { number: stop.subtask + 1 })}
        <span className={form.of} />
        <StateBadge />
      </h2>
      {stop.kind === 'goal' && <p className={classes.words}>{doc.goal || tr('Nobody has written the goal yet.')}</p>}
      {subtask && <p className={classes.words}>{subtask.title || tr('It has no title.')}</p>}
      {subtask && stop.kind === 'edge' && (
        <dl className={classes.edge}>
          <dt>{tr('Last step before')}</dt>
          <dd>{before ? `${at}. ${before.narration.slice(0, 300)}` : '–'}</dd>
          <dt>{tr('First step of it')}</dt>
          <dd>{first ? `${at + 1}. ${first.narration.slice(0, 300)}` : '–'}</dd>
        </dl>
      )}
      {stop.kind === 'edge' && (
        <p className={form.quiet}>
          {trParts('To move it, go to the step that it should begin at and press {kbd}.', {
            kbd: <Kbd command="annotate.markIn" main />,
          })}
        </p>
      )}
      {subtask && stop.kind === 'title' && (
        <p className={form.quiet}>
          {tr('It covers the steps {from} to {to}.', { from: subtask.from + 1, to: subtask.to })}
        </p>
      )}
      <div className={form.row}>
        {stop.kind === 'goal' && (
          <KeyButton command="annotate.goal" label={tr('Rewrite')} onClick={() => run('annotate.goal')} />
        )}
        {stop.kind === 'title' && (
          <KeyButton command="annotate.title" label={tr('Rewrite')} onClick={() => run('annotate.title')} />
        )}
        {stop.kind === 'edge' && (
          <KeyButton
            command="annotate.merge"
            label={tr('Merge with the one before')}
            onClick={() => run('annotate.merge')}
          />
        )}
      </div>
    </section>
  );
}

const ASPECT_LABELS: Readonly<Record<Aspect, string>> = {
  element: tr('Element'),
  box: tr('Box'),
  narration: tr('Narration'),
  text: tr('Text'),
  removal: tr('Kept'),
};

/** The aspects of the step, each to be looked at by itself: a digit, then Enter accepts only that, D rejects it. */
function Aspects({ step }: { step: StepView }): ReactNode {
  const { run } = useTools();
  const aspect = useWork((state) => state.aspect);
  const handedIn = useWork((state) => state.handedIn);
  const now = useWork((state) => state.sync.pending.view);
  const decided = useDecided();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is.
    <div className={classes.aspects} onMouseDown={keepFocus}>
      {aspectsOf(step).map((one) => {
        const item: ReviewItem = { kind: one, action: step.step.id };
        const { state } = decided(item);
        const fixed = isFixed(item, handedIn, now);
        return (
          <span key={one} className={classes.aspect} data-state={state} data-aspect={one}>
            <KeyButton
              command={`review.${one}`}
              label={one === 'removal' && step.removal ? tr('Removed') : ASPECT_LABELS[one]}
              pressed={aspect === one}
              onClick={() => run(`review.${one}`)}
            />
            {(state !== 'undecided' || fixed) && (
              <span className={classes.aspectState}>
                {fixed && state === 'undecided' ? tr('changed') : ITEM_STATE_WORDS[state]}
              </span>
            )}
          </span>
        );
      })}
    </div>
  );
}

function Decide(): ReactNode {
  const { run } = useTools();
  const item = useItem();
  const decided = useDecided();
  const opened = useWork((state) => state.opened);
  const doc = useWork((state) => state.doc);
  const aspect = useWork((state) => state.aspect);
  const handedIn = useWork((state) => state.handedIn);
  const now = useWork((state) => state.sync.pending.view);
  const claimed = useWork((state) => holdsClaim(state.review?.view ?? null, state.person));
  if (!item) return null;
  const { decision } = decided(item);
  const fixed = isFixed(item, handedIn, now);
  return (
    <section className={form.marks} aria-label={tr('Decision')}>
      {decision && <DecisionLine decision={decision} words={itemWords(decision.item, { opened, doc })} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is. */}
      <div className={form.row} onMouseDown={keepFocus}>
        <KeyButton
          command="review.accept"
          label={claimed ? acceptWords(aspect, fixed) : tr('Start review')}
          variant="filled"
          icon={<IconCheck size={13} aria-hidden />}
          onClick={() => run('review.accept')}
        />
        <KeyButton
          command="review.reject"
          label={rejectWords(aspect)}
          icon={<IconX size={13} aria-hidden />}
          disabled={!claimed}
          onClick={() => run('review.reject')}
        />
        <KeyButton
          command="review.takeBack"
          label={tr('Undo decision')}
          icon={<IconArrowBackUp size={13} aria-hidden />}
          disabled={!claimed}
          onClick={() => run('review.takeBack')}
        />
        <KeyButton
          command="comment.write"
          label={tr('Add comment')}
          icon={<IconMessagePlus size={13} aria-hidden />}
          onClick={() => run('comment.write')}
        />
      </div>
    </section>
  );
}

function DecisionLine({ decision, words }: { decision: Decision; words: string }): ReactNode {
  const ws = useWork((state) => state.ws);
  const nameOf = usePersonName(ws);
  const said = { item: words, name: nameOf(decision.person) };
  const verdict = {
    accept: tr('{item}: accepted by {name}', said),
    fixed: tr('{item}: fixed and accepted by {name}', said),
    reject: tr('{item}: rejected by {name}', said),
  }[decision.verdict];
  return (
    <p className={classes.decision} data-verdict={decision.verdict}>
      {withComment(verdict, decision.reason ? reasonLabel(decision.reason) : '')}
      {decision.stale && <>. {tr('It was changed since, so it is asked again')}</>}
    </p>
  );
}

/** A text with what somebody wrote to it. */
const withComment = (text: string, comment: string | null): string =>
  comment ? `${text} – ${comment.slice(0, 300)}` : text;
