import {
  IconArrowMerge,
  IconArrowsSplit2,
  IconBracketsContainEnd,
  IconBracketsContainStart,
  IconRepeat,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useActions, useTools } from '../context.ts';
import { KeyIcon } from '../parts.tsx';
import { useWork } from '../store.ts';
import { LIMITS, LineField, TextField } from './fields.tsx';
import classes from './form.module.css';

/** The task's goal and the subtask that the step in hand lies in. */
export function SubtaskForm(): ReactNode {
  const actions = useActions();
  const { run } = useTools();
  const goal = useWork((state) => state.doc.goal);
  const index = useWork((state) => state.doc.steps[state.at]?.subtask ?? 0);
  const subtask = useWork((state) => state.doc.subtasks[index]);
  const last = useWork((state) => state.doc.subtasks.length - 1);
  return (
    <section className={classes.section} aria-label="Task and subtask">
      <TextField
        name="goal"
        label="Goal of the task"
        command="annotate.goal"
        identity="goal"
        value={goal}
        limit={LIMITS.text}
        rows={goal.length > 34 ? 2 : 1}
        placeholder="The whole task in words"
        store={(_, text) => actions.setGoal(text)}
      />
      {subtask && (
        <>
          <LineField
            name="title"
            label={`Subtask ${index + 1}`}
            command="annotate.title"
            identity={subtask.record.id}
            value={subtask.title}
            limit={LIMITS.text}
            placeholder="What this subtask does: Insert the picture"
            store={(of, text) => actions.setTitle(of, text)}
          />
          <div className={classes.icons}>
            <KeyIcon command="annotate.split" label="Split the subtask here" onClick={() => run('annotate.split')}>
              <IconArrowsSplit2 size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon
              command="annotate.merge"
              label="Merge with the subtask before"
              disabled={index === 0}
              onClick={actions.merge}
            >
              <IconArrowMerge size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon
              command="annotate.markIn"
              label="Begin this subtask at this step"
              disabled={index === 0}
              onClick={actions.markIn}
            >
              <IconBracketsContainStart size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon
              command="annotate.markOut"
              label="End this subtask at this step"
              disabled={index >= last}
              onClick={actions.markOut}
            >
              <IconBracketsContainEnd size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon
              command="annotate.loopSubtask"
              label="Play the subtask in a loop"
              onClick={() => run('annotate.loopSubtask')}
            >
              <IconRepeat size={15} aria-hidden />
            </KeyIcon>
          </div>
        </>
      )}
    </section>
  );
}
