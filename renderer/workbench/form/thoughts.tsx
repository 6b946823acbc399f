import { IconBulb } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import type { ReasoningField } from '../../../core/annotate/edit.ts';
import type { StepView } from '../../../core/annotate/view.ts';
import { TEXT_LIMITS } from '../../../schemas/limits.ts';
import { tr } from '../../language/tr.ts';
import { useActions, useTools } from '../context.ts';
import { KeyButton } from '../parts.tsx';
import { useWork } from '../store.ts';
import { DraftAtField, DraftMark } from './field-draft.tsx';
import { TextField } from './fields.tsx';
import classes from './form.module.css';

/** The texts that trajectories need and a recording lacks (naturalgaia.txt 4.3). */
const FIELDS: readonly { field: ReasoningField; label: string; placeholder: string }[] = [
  { field: 'thought', label: tr('Thought'), placeholder: tr('What is seen, and what is to be reached next') },
  { field: 'actionThought', label: tr('Action thought'), placeholder: tr('Why this action, here') },
  { field: 'observation', label: tr('Observation'), placeholder: tr('What came of it') },
];

/** Closed until somebody writes: most data sets go without, and nothing is made up for them. */
export function Thoughts({ step }: { step: StepView }): ReactNode {
  const actions = useActions();
  const { run } = useTools();
  const wanted = useWork((state) => state.thoughts);
  const { reasoning } = step;
  const action = step.step.id;
  const drafted = useWork(
    ({ page, drafts }) =>
      page === 'annotate' &&
      drafts.some((one) => one.action === action && FIELDS.some(({ field }) => field === one.field)),
  );
  return (
    <section className={classes.section} aria-label={tr('Thoughts')}>
      {wanted || reasoning !== null || drafted ? (
        FIELDS.map(({ field, label, placeholder }, place) => (
          <Fragment key={field}>
            <TextField
              name={field}
              label={label}
              {...(place === 0 && { command: 'annotate.thoughts' })}
              identity={action}
              value={reasoning?.[field] ?? ''}
              placeholder={placeholder}
              limit={TEXT_LIMITS.text}
              rows={2}
              after={<DraftMark record={reasoning} field={field} />}
              store={(of, text) => actions.reason(of, field, text)}
            />
            <DraftAtField field={field} action={action} />
          </Fragment>
        ))
      ) : (
        <KeyButton
          command="annotate.thoughts"
          label={tr('Add reasoning')}
          writes
          icon={<IconBulb size={13} aria-hidden />}
          onClick={() => run('annotate.thoughts')}
        />
      )}
    </section>
  );
}
