import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { joinsFor } from '../../core/compositions/edit.ts';
import { GIVEN, slotKey, type TextSlot, truthOf } from '../../core/compositions/slots.ts';
import type { Composition, Edge, Member } from '../../schemas/composition.ts';
import { client } from '../client/api.ts';
import { askerOf, queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorPanel, QueryError } from '../ui/parts.tsx';
import classes from './edit.module.css';
import { edgeWords } from './joins.tsx';
import { Picker } from './picker.tsx';

/** Tasks of the library become members, one after another, until the dialog is closed. */
export function AddTasks(props: {
  ws: string;
  onAdd: (members: readonly Member[]) => void;
  onClose: () => void;
}): ReactNode {
  const { ws, onAdd, onClose } = props;
  const tasks = useQuery(queries.tasks(ws));
  const [added, setAdded] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>(null);
  /** One after another: they stand in the order in which they were chosen. */
  const before = useRef(Promise.resolve());
  const add = async (task: string): Promise<void> => {
    try {
      onAdd(await client.compositions.members({ ws, ...askerOf(ws), tasks: [task] }));
      setAdded((tasksBefore) => [...tasksBefore, task]);
      setError(null);
    } catch (cause) {
      setError(cause);
    }
  };
  const picks = (tasks.data ?? []).map(({ id, goal }) => ({ id, name: id, about: goal }));
  return (
    <Dialog opened onClose={onClose} title={tr('Add tasks of the library')} size="lg">
      <QueryError of={tasks} what={tr('The tasks could not be read.')} compact />
      <Picker
        label={tr('Task')}
        picks={picks}
        empty={tr('The library has no tasks yet.')}
        onPick={(task) => {
          before.current = before.current.then(() => add(task));
        }}
      />
      {error !== null && <ErrorPanel error={error} what={tr('The task was not added.')} compact />}
      <p className={classes.fine} aria-live="polite">
        {added.length === 0
          ? tr('Enter adds the marked one; Escape closes.')
          : tr('Added: {tasks}', { tasks: added.join(', ') })}
      </p>
    </Dialog>
  );
}

/** A list of all that a member can be joined to, of which one is taken. */
export function JoinDialog(props: {
  composition: Composition;
  member: Member;
  onJoin: (edge: Edge) => void;
  onClose: () => void;
}): ReactNode {
  const { composition, member, onJoin, onClose } = props;
  const edges = joinsFor(composition, member.id);
  const picks = edges.map((edge, n) => ({ id: String(n), name: '', about: edgeWords(edge, composition) }));
  return (
    <Dialog opened onClose={onClose} title={tr('Join {task} to another task', { task: member.id })} size="lg">
      <Picker
        label={tr('By')}
        picks={picks}
        empty={tr('There is nothing to join it to: add tasks, and give them outputs.')}
        onPick={(n) => {
          const edge = edges[Number(n)];
          if (edge) onJoin(edge);
          onClose();
        }}
      />
    </Dialog>
  );
}

/** An earlier answer, or a value that is given, for the text. */
export function SlotDialog(props: {
  composition: Composition;
  member: Member;
  onTake: (slot: TextSlot) => void;
  onClose: () => void;
}): ReactNode {
  const { composition, member, onTake, onClose } = props;
  const truth = truthOf(composition);
  const slots: TextSlot[] = [
    ...composition.members
      .filter(({ id }) => id !== member.id)
      .flatMap(({ id, outputs }) => outputs.map(({ name }) => ({ of: id, output: name }))),
    ...composition.context.given.map(({ name }) => ({ of: GIVEN, output: name })),
  ];
  const picks = slots.map((slot) => ({ id: slotKey(slot), name: slotKey(slot), about: truth(slot) ?? '' }));
  return (
    <Dialog opened onClose={onClose} title={tr('Put in an earlier answer')} size="lg">
      <Picker
        label={tr('Answer')}
        picks={picks}
        empty={tr('No other task has an output yet.')}
        onPick={(key) => {
          const slot = slots.find((one) => slotKey(one) === key);
          onClose();
          if (slot) onTake(slot);
        }}
      />
    </Dialog>
  );
}

/** Before a page with unsaved edits is left. */
export function LeaveDialog(props: {
  title: string;
  busy: boolean;
  onSave: () => void;
  onDiscard: () => void;
  onStay: () => void;
}): ReactNode {
  return (
    <Dialog opened onClose={props.onStay} title={tr('Save before you leave?')} size="md">
      <Text size="sm">{tr('“{title}” has edits that are not saved.', { title: props.title })}</Text>
      <Group justify="flex-end" gap={8} mt="lg">
        <Button variant="default" onClick={props.onStay}>
          {tr('Stay')}
        </Button>
        <Button variant="default" color="red" onClick={props.onDiscard}>
          {tr('Leave without them')}
        </Button>
        <Button onClick={props.onSave} loading={props.busy} data-autofocus>
          {tr('Save and leave')}
        </Button>
      </Group>
    </Dialog>
  );
}
