import { Badge } from '@mantine/core';
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { TEXT_LIMITS } from '../../schemas/limits.ts';
import { usePersonName } from '../client/person.ts';
import { StepThreads } from '../comments/step-threads.tsx';
import { useTools } from '../workbench/context.ts';
import { LineField } from '../workbench/form/fields.tsx';
import form from '../workbench/form/form.module.css';
import { Head } from '../workbench/form/step-form.tsx';
import { KeyButton, keepFocus } from '../workbench/parts.tsx';
import { useWork } from '../workbench/store.ts';
import { useReviewing } from './context.ts';
import { ERRORS, errorIdOf, judgementOf } from './judging.ts';
import classes from './review.module.css';

/** Judging one step of the trajectory, whatever the state of its annotation. */
export function JudgeForm(): ReactNode {
  const { run } = useTools();
  const { judging } = useReviewing();
  const step = useWork((state) => state.doc.steps[state.at]);
  const at = useWork((state) => state.at);
  const total = useWork((state) => state.doc.steps.length);
  const work = useWork((state) => state.review);
  const person = useWork((state) => state.person);
  const doc = useWork((state) => state.doc);
  const judgement = useMemo(() => judgementOf({ review: work, person, doc }, at), [work, person, doc, at]);
  const refused = work?.view.may.judge ?? null;
  if (!step) {
    return (
      <div className={form.form}>
        <p className={form.quiet}>This recording has no steps to judge.</p>
      </div>
    );
  }
  const error = errorIdOf(judgement?.error ?? null);
  return (
    <>
      <div className={form.form}>
        <Head
          step={step}
          at={at}
          total={total}
          state={
            <Badge size="sm" color={judgement ? 'lake' : 'gray'} data-testid="judged">
              {judgement ? 'judged' : 'not judged'}
            </Badge>
          }
        />
        <section className={form.section}>
          <p className={classes.words}>{step.narration}</p>
          {refused !== null && <p className={form.caution}>{refused}</p>}
        </section>
        <section className={form.section} aria-label="Grounded">
          <h3 className={form.heading}>Was the step grounded in what the screen showed?</h3>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is. */}
          <div className={form.row} onMouseDown={keepFocus}>
            <KeyButton
              command="judge.grounded"
              label="Grounded"
              pressed={judgement?.grounded === true}
              onClick={() => run('judge.grounded')}
            />
            <KeyButton
              command="judge.notGrounded"
              label="Not grounded"
              pressed={judgement?.grounded === false}
              onClick={() => run('judge.notGrounded')}
            />
          </div>
        </section>
        <section className={form.section} aria-label="Error">
          <h3 className={form.heading}>Error, if it is one</h3>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is. */}
          <div className={classes.errors} onMouseDown={keepFocus}>
            {ERRORS.map(({ id, label }) => (
              <KeyButton
                key={id}
                command={`judge.${id}`}
                label={label}
                pressed={error === id}
                title={EXPLAINED[id]}
                onClick={() => run(`judge.${id}`)}
              />
            ))}
            <KeyButton
              command="judge.recoverable"
              label="Recoverable"
              pressed={judgement?.error?.recoverable === true}
              disabled={error === null}
              title="A later step makes it good: the step is kept and marked as such"
              onClick={() => run('judge.recoverable')}
            />
          </div>
          {error !== null && <p className={form.quiet}>{EXPLAINED[error]}</p>}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is. */}
          <div className={form.row} onMouseDown={keepFocus}>
            <KeyButton
              command="judge.redundant"
              label="Redundant"
              pressed={judgement?.redundant === true}
              title="The step could have been left out: the goal would be reached without it"
              onClick={() => run('judge.redundant')}
            />
          </div>
          <LineField
            name="judgement"
            label="Why"
            identity={step.step.id}
            value={judgement?.comment ?? ''}
            limit={TEXT_LIMITS.comment}
            always
            store={(_, text) => judging.comment(text)}
          />
        </section>
        <Others action={step.step.id} />
        <StepThreads />
      </div>
      <section className={form.marks} aria-label="Judgement">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is. */}
        <div className={form.row} onMouseDown={keepFocus}>
          <KeyButton
            command="judge.accept"
            label={judgement ? 'Go on' : 'Grounded, no error'}
            variant="filled"
            icon={<IconCheck size={13} aria-hidden />}
            onClick={() => run('judge.accept')}
          />
          <KeyButton
            command="judge.takeBack"
            label="Take back"
            icon={<IconArrowBackUp size={13} aria-hidden />}
            disabled={judgement === null}
            onClick={() => run('judge.takeBack')}
          />
        </div>
      </section>
    </>
  );
}

const EXPLAINED = {
  planning: 'The plan was wrong: the step does not serve the goal, or comes in the wrong order.',
  structural: 'The step does not fit the form that was asked for: malformed, of the wrong kind, or left out.',
  operational: 'The right thing was meant, and done wrongly: missed, dragged too far, the wrong key.',
  knowledge: 'The software works otherwise than was thought.',
  perceptual: 'The screen was read wrongly: the wrong element, text or state.',
} as const;

/** The judgements of others, shown once one has judged oneself. */
function Others({ action }: { action: string }): ReactNode {
  const ws = useWork((state) => state.ws);
  const person = useWork((state) => state.person);
  const review = useWork((state) => state.review);
  const nameOf = usePersonName(ws);
  const all = (review?.view.judgements ?? []).filter((one) => one.action === action);
  if (!all.some((one) => one.person === person)) return null;
  const others = all.filter((one) => one.person !== person);
  if (others.length === 0) return null;
  return (
    <section className={form.section} aria-label="What others judged">
      <h3 className={form.heading}>Others</h3>
      {others.map((one) => (
        <p key={one.person} className={form.quiet}>
          {nameOf(one.person)}: {one.grounded === false ? 'not grounded' : one.grounded ? 'grounded' : 'not said'}
          {one.error && `, ${ERRORS.find(({ id }) => id === errorIdOf(one.error))?.label.toLowerCase()} error`}
          {one.error?.recoverable && ', recoverable'}
          {one.redundant && ', redundant'}
          {one.comment && ` – ${one.comment.slice(0, 300)}`}
        </p>
      ))}
    </section>
  );
}
