import { Badge } from '@mantine/core';
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { TEXT_LIMITS } from '../../schemas/limits.ts';
import { usePersonName } from '../client/person.ts';
import { StepThreads } from '../comments/step-threads.tsx';
import { tr } from '../language/tr.ts';
import { useTools } from '../workbench/context.ts';
import { LineField } from '../workbench/form/fields.tsx';
import form from '../workbench/form/form.module.css';
import { Head } from '../workbench/form/step-form.tsx';
import { KeyButton, keepFocus } from '../workbench/parts.tsx';
import { useWork } from '../workbench/store.ts';
import { useReviewing } from './context.ts';
import { ERRORS, errorIdOf, judgementOf } from './judging.ts';
import classes from './review.module.css';
import { errorWords } from './words.ts';

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
        <p className={form.quiet}>{tr('This recording has no steps to judge.')}</p>
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
            <Badge size="sm" color={judgement ? 'lake' : 'gray'} className={form.state} data-testid="judged">
              {judgement ? tr('judged') : tr('not judged')}
            </Badge>
          }
        />
        <section className={form.section}>
          <p className={classes.words}>{step.narration}</p>
          {refused !== null && <p className={form.caution}>{refused}</p>}
        </section>
        <section className={form.section} aria-label={tr('Grounded')}>
          <h3 className={form.heading}>{tr('Was the step grounded in what the screen showed?')}</h3>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is. */}
          <div className={form.row} onMouseDown={keepFocus}>
            <KeyButton
              command="judge.grounded"
              label={tr('Grounded')}
              pressed={judgement?.grounded === true}
              onClick={() => run('judge.grounded')}
            />
            <KeyButton
              command="judge.notGrounded"
              label={tr('Not grounded')}
              pressed={judgement?.grounded === false}
              onClick={() => run('judge.notGrounded')}
            />
          </div>
        </section>
        <section className={form.section} aria-label={tr('Error')}>
          <h3 className={form.heading}>{tr('Error, if it is one')}</h3>
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
              label={tr('Recoverable')}
              pressed={judgement?.error?.recoverable === true}
              disabled={error === null}
              title={tr('A later step makes it good: the step is kept and marked as such')}
              onClick={() => run('judge.recoverable')}
            />
          </div>
          {error !== null && <p className={form.quiet}>{EXPLAINED[error]}</p>}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is. */}
          <div className={form.row} onMouseDown={keepFocus}>
            <KeyButton
              command="judge.redundant"
              label={tr('Redundant')}
              pressed={judgement?.redundant === true}
              title={tr('The step could have been left out: the goal would be reached without it')}
              onClick={() => run('judge.redundant')}
            />
          </div>
          <LineField
            name="judgement"
            label={tr('Why')}
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
      <section className={form.marks} aria-label={tr('Judgement')}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is. */}
        <div className={form.row} onMouseDown={keepFocus}>
          <KeyButton
            command="judge.accept"
            label={judgement ? tr('Next') : tr('Grounded, no error')}
            variant="filled"
            icon={<IconCheck size={13} aria-hidden />}
            onClick={() => run('judge.accept')}
          />
          <KeyButton
            command="judge.takeBack"
            label={tr('Undo decision')}
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
  planning: tr('The plan was wrong: the step does not serve the goal, or comes in the wrong order.'),
  structural: tr('The step does not fit the form that was asked for: malformed, of the wrong kind, or left out.'),
  operational: tr('The right thing was meant, and done wrongly: missed, dragged too far, the wrong key.'),
  knowledge: tr('The software works otherwise than was thought.'),
  perceptual: tr('The screen was read wrongly: the wrong element, text or state.'),
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
    <section className={form.section} aria-label={tr('What others judged')}>
      <h3 className={form.heading}>{tr('Others')}</h3>
      {others.map((one) => (
        <p key={one.person} className={form.quiet}>
          {nameOf(one.person)}:{' '}
          {one.grounded === false ? tr('not grounded') : one.grounded ? tr('grounded') : tr('not said')}
          {one.error && `, ${errorWords(errorIdOf(one.error))}`}
          {one.error?.recoverable && `, ${tr('recoverable')}`}
          {one.redundant && `, ${tr('redundant')}`}
          {one.comment && ` – ${one.comment.slice(0, 300)}`}
        </p>
      ))}
    </section>
  );
}
