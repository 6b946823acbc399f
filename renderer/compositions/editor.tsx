import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { withEdge } from '../../core/compositions/edit.ts';
import type { LawShown } from '../../schemas/api/compositions.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import classes from './edit.module.css';
import { AddTasks, JoinDialog, SlotDialog } from './edit-dialogs.tsx';
import { useEditing } from './editing.ts';
import { EventForm } from './event-form.tsx';
import { MemberForm } from './member-form.tsx';
import { MemberList } from './member-list.tsx';
import { type EditorActs, useEditor } from './use-editor.ts';
import { WholeForm } from './whole-form.tsx';

/** The list of members, and the form of the one that is chosen. */
export function Editor(props: EditorActs & { ws: string; laws: readonly LawShown[] }): ReactNode {
  const { ws, at, laws, onChoose } = props;
  const { composition, change, isLocked } = useEditing();
  const { members, events = [] } = composition;
  const tasks = useQuery(queries.tasks(ws)).data ?? [];
  const editor = useEditor(props);
  const { member, event, open, setOpen, focus, mayAdd, add, addTasks, addOutput, addPlatform, remove, move, putIn } =
    editor;
  const rows = members.length + events.length;
  return (
    <div className={classes.beside}>
      <nav className={classes.side} ref={focus.list} aria-label={tr('Tasks of the composition')}>
        <MemberList at={at} laws={laws} onChoose={(row) => (row === at ? focus.toFields() : onChoose(row))} />
        <div className={classes.sideFoot}>
          <CommandButton
            variant="default"
            size="compact-sm"
            command="compose.add"
            disabled={!mayAdd}
            onClick={() => add('task')}
          >
            {tr('Add tasks')}
          </CommandButton>
          <CommandButton
            variant="default"
            size="compact-sm"
            command="compose.make"
            disabled={!mayAdd}
            onClick={() => add('none')}
          >
            {tr('New task')}
          </CommandButton>
          {composition.kind === 'scenario' && (
            <CommandButton
              variant="default"
              size="compact-sm"
              command="compose.event"
              disabled={!editor.mayAddEvent}
              onClick={editor.addEventHere}
            >
              {tr('New event')}
            </CommandButton>
          )}
        </div>
      </nav>
      <div className={classes.form} ref={focus.form}>
        <div className={classes.formHead}>
          <h2>{member?.id ?? event?.id ?? tr('The composition itself')}</h2>
          {(member || event) && (
            <span className={classes.acts}>
              <CommandButton
                variant="default"
                size="compact-sm"
                command="compose.moveUp"
                disabled={isLocked || at === 1 || at === members.length + 1}
                onClick={() => move(-1)}
              >
                {tr('Up')}
              </CommandButton>
              <CommandButton
                variant="default"
                size="compact-sm"
                command="compose.moveDown"
                disabled={isLocked || at === members.length || at === rows}
                onClick={() => move(1)}
              >
                {tr('Down')}
              </CommandButton>
              <CommandButton
                variant="default"
                size="compact-sm"
                command="compose.remove"
                disabled={isLocked}
                onClick={remove}
              >
                {tr('Take it out')}
              </CommandButton>
            </span>
          )}
        </div>
        {member ? (
          <MemberForm
            key={at}
            member={member}
            at={at - 1}
            tasks={tasks.map(({ id }) => id)}
            onPlace={(now) => {
              focus.place.current = now;
            }}
            onSlot={() => setOpen('slot')}
            onOutput={addOutput}
            onPlatform={addPlatform}
            onTake={editor.addFile}
            onJoin={() => setOpen('join')}
          />
        ) : event ? (
          <EventForm key={at} event={event} at={at - members.length - 1} onHappening={editor.addHappening} />
        ) : (
          <WholeForm onGiven={() => editor.addOfWhole('given')} onStage={() => editor.addOfWhole('stage')} />
        )}
      </div>
      {open === 'add' && <AddTasks ws={ws} onAdd={addTasks} onClose={() => setOpen(null)} />}
      {open === 'join' && member && (
        <JoinDialog
          composition={composition}
          member={member}
          onJoin={(edge) => change(withEdge(composition, edge))}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'slot' && member && (
        <SlotDialog composition={composition} member={member} onTake={putIn} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}
