import { Badge } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { StepView } from '../../../core/annotate/view.ts';
import { TEXT_LIMITS } from '../../../schemas/limits.ts';
import { tr } from '../../language/tr.ts';
import { useActions } from '../context.ts';
import { KeyButton } from '../parts.tsx';
import { DraftAtField, DraftMark } from './field-draft.tsx';
import { TextField } from './fields.tsx';
import classes from './form.module.css';

/** `fixed`: below a form that scrolls. */
export function Narration({ step, fixed = false }: { step: StepView; fixed?: boolean }): ReactNode {
  const actions = useActions();
  return (
    <section className={fixed ? classes.fixed : classes.section} aria-label={tr('Narration')}>
      <TextField
        name="narration"
        label={tr('Narration')}
        command="annotate.narration"
        main
        identity={step.step.id}
        value={step.narration}
        limit={TEXT_LIMITS.text}
        rows={2}
        after={
          step.overwritten &&
          (step.label?.drafted?.narration ? (
            <DraftMark record={step.label} field="narration" />
          ) : (
            <Badge size="xs" color="yellow">
              {tr('overwritten')}
            </Badge>
          ))
        }
        store={(of, text) => actions.narrate(of, text)}
      />
      <DraftAtField field="narration" action={step.step.id} />
      {step.overwritten && (
        <div className={classes.made}>
          <span className={classes.quiet}>
            {tr('As made from the fields: {narration}', { narration: step.narrationMade.slice(0, 400) })}
          </span>
          <KeyButton
            command="annotate.resetNarration"
            writes
            label={tr('Reset')}
            icon={<IconRestore size={13} aria-hidden />}
            onClick={() => actions.narrate(step.step.id, null)}
          />
        </div>
      )}
    </section>
  );
}
