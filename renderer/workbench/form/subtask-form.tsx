import { ActionIcon, Menu } from '@mantine/core';
import { IconBracketsContainEnd, IconBracketsContainStart, IconDots, IconRepeat } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { TEXT_LIMITS } from '../../../schemas/limits.ts';
import { tr } from '../../language/tr.ts';
import { Kbd } from '../../ui/keys/kbd.tsx';
import { MenuItems } from '../../ui/menu-items.tsx';
import { useActions, useTools } from '../context.ts';
import { KeyButton } from '../parts.tsx';
import { readOnlyNow, useWork } from '../store.ts';
import { DraftAtField, DraftMark } from './field-draft.tsx';
import { LineField, TextField } from './fields.tsx';
import classes from './form.module.css';

/** The task's goal and the subtask of the step in hand. */
export function SubtaskForm(): ReactNode {
  const actions = useActions();
  const { run } = useTools();
  const goal = useWork((state) => state.doc.goal);
  const index = useWork((state) => state.doc.steps[state.at]?.subtask ?? 0);
  const subtask = useWork((state) => state.doc.subtasks[index]);
  const action = useWork((state) => state.doc.steps[state.at]?.step.id);
  const refused = useWork((state) => readOnlyNow(state) !== null);
  const last = useWork((state) => state.doc.subtasks.length - 1);
  return (
    <section className={classes.section} aria-label={tr('Task and subtask')}>
      <TextField
        name="goal"
        label={tr('Goal of the task')}
        command="annotate.goal"
        identity="goal"
        value={goal}
        limit={TEXT_LIMITS.text}
        rows={1}
        mostRows={4}
        placeholder={tr('The whole task in words')}
        store={(_, text) => actions.setGoal(text)}
      />
      {subtask && (
        <>
          <LineField
            name="title"
            label={tr('Subtask {number}', { number: index + 1 })}
            command="annotate.title"
            identity={subtask.record.id}
            value={subtask.title}
            limit={TEXT_LIMITS.text}
            placeholder={tr('What this subtask does: Insert the picture')}
            after={<DraftMark record={subtask.record} field="subtask" />}
            store={(of, text) => actions.setTitle(of, text)}
          />
          {action !== undefined && <DraftAtField field="subtask" action={action} />}
          <div className={classes.icons}>
            <KeyButton
              command="annotate.split"
              writes
              main
              label={tr('Split here')}
              title={tr('Split the subtask here')}
              onClick={() => run('annotate.split')}
            />
            <KeyButton
              command="annotate.merge"
              writes
              label={tr('Merge')}
              title={tr('Merge with the subtask before')}
              disabled={index === 0}
              onClick={actions.merge}
            />
            <Menu position="bottom-end" width={280}>
              <Menu.Target>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={tr('More for the subtask')}
                  title={tr('More for the subtask')}
                >
                  <IconDots size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <MenuItems>
                <Menu.Item
                  leftSection={<IconBracketsContainStart size={15} aria-hidden />}
                  rightSection={<Kbd command="annotate.markIn" />}
                  disabled={refused || index === 0}
                  onClick={actions.markIn}
                >
                  {tr('Begin this subtask at this step')}
                </Menu.Item>
                <Menu.Item
                  leftSection={<IconBracketsContainEnd size={15} aria-hidden />}
                  rightSection={<Kbd command="annotate.markOut" />}
                  disabled={refused || index >= last}
                  onClick={actions.markOut}
                >
                  {tr('End this subtask at this step')}
                </Menu.Item>
                <Menu.Item
                  leftSection={<IconRepeat size={15} aria-hidden />}
                  rightSection={<Kbd command="annotate.loopSubtask" />}
                  onClick={() => run('annotate.loopSubtask')}
                >
                  {tr('Play the subtask in a loop')}
                </Menu.Item>
              </MenuItems>
            </Menu>
          </div>
        </>
      )}
    </section>
  );
}
