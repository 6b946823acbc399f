import { IconBulb } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ReasoningField } from '../../../core/annotate/edit.ts';
import type { StepView } from '../../../core/annotate/view.ts';
import { TEXT_LIMITS } from '../../../schemas/limits.ts';
import { tr } from '../../language/tr.ts';
import { useActions, useTools } from '../context.ts';
import { KeyButton } from '../parts.tsx';
import { useWork } from '../store.ts';
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
  return (
    <section className={classes.section} aria-label={tr('Thoughts')}>
      {wanted || reasoning !== null ? (
        FIELDS.map(({ field, label, placeholder }, place) => (
          <TextField
            key={field}
            name={field}
            label={label}
            {...(place === 0 && { command: 'annotate.thoughts' })}
            identity={step.step.id}
            value={reasoning?.[field] ?? ''}
            placeholder={placeholder}
            limit={TEXT_LIMITS.text}
            rows={2}
            store={(of, text) => actions.reason(of, field, text)}
          />
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
