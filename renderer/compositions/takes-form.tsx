import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { comesBefore } from '../../core/compositions/graph.ts';
import { stageNameOf } from '../../core/compositions/stages.ts';
import type { Composition, Member } from '../../schemas/composition.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { WrittenField } from './fields.tsx';
import { FormPart } from './form-part.tsx';
import { Removable } from './removable.tsx';

type Taken = NonNullable<Member['takes']>[number];

/** Whether a file or a folder can be handed to a member: it takes some already, or its composition has several stages. */
export const mayTake = ({ stages = [] }: Composition, { takes = [] }: Member): boolean =>
  (takes.length > 0 || stages.length > 1) && takes.length < COMPOSITION_LIMITS.takes;

/** A member with one more file: of the last task that is before it on another stage, else of the one that is written before it. */
export function withFile(composition: Composition, member: Member): Pick<Member, 'takes'> {
  const { members } = composition;
  const { id, takes = [] } = member;
  const isBefore = comesBefore(composition);
  const own = stageNameOf(composition, member);
  const likely = members.findLast((one) => isBefore(one.id, id) && stageNameOf(composition, one) !== own);
  const at = members.findIndex((one) => one.id === id);
  const from = (likely ?? members[at - 1] ?? members.find((one) => one.id !== id))?.id ?? '';
  return { takes: [...takes, { from, file: '' }] };
}

/** The files and folders of earlier tasks that are put into the home of a member's stage before it begins. */
export function TakesForm(props: {
  member: Member;
  field: (name: string) => string;
  set: (part: Partial<Member>) => Composition;
  onAdd: () => void;
}): ReactNode {
  const { member, field, set, onAdd } = props;
  const { composition, change } = useEditing();
  const { takes = [] } = member;
  if (takes.length === 0 && !mayTake(composition, member)) return null;
  return (
    <FormPart
      id="edit-takes"
      title={tr('Files and folders from other stages')}
      command="compose.take"
      label={tr('Add a file or folder')}
      isFull={!mayTake(composition, member)}
      onAdd={onAdd}
    >
      {takes.map((taken, n) => (
        <TakenFields
          // biome-ignore lint/suspicious/noArrayIndexKey: its path is being written
          key={n}
          taken={taken}
          member={member.id}
          field={(name) => field(`takes.${n}.${name}`)}
          set={(one) => set({ takes: takes.with(n, one) })}
          onRemove={() => {
            const left = takes.filter((_, row) => row !== n);
            change(set({ takes: left.length === 0 ? undefined : left }));
          }}
        />
      ))}
    </FormPart>
  );
}

function TakenFields(props: {
  taken: Taken;
  member: string;
  field: (name: string) => string;
  set: (taken: Taken) => Composition;
  onRemove: () => void;
}): ReactNode {
  const { taken, member, field, set, onRemove } = props;
  const { composition, change, fault, isLocked } = useEditing();
  const others = composition.members.flatMap(({ id }) => (id === member ? [] : [id]));
  // One that is gone stays named, and a law tells it.
  const gone = taken.from !== '' && !others.includes(taken.from) ? [taken.from] : [];
  const { file, folder, ...rest } = taken;
  const isFolder = folder !== undefined;
  const path = folder ?? file ?? '';
  const named = (kind: string, written: string): Composition =>
    set({ ...rest, ...(kind === 'folder' ? { folder: written } : { file: written }) });
  return (
    <Removable row="take" label={tr('Remove {file}', { file: path })} onRemove={onRemove}>
      <div className={classes.row}>
        <WrittenField
          label={isFolder ? tr('Folder in the home') : tr('File in the home')}
          field={field(isFolder ? 'folder' : 'file')}
          value={path}
          maxLength={COMPOSITION_LIMITS.short}
          onWrite={(written) => named(isFolder ? 'folder' : 'file', written)}
          className={classes.path}
        />
        <Select
          label={tr('It is')}
          data={[
            { value: 'file', label: tr('a file') },
            { value: 'folder', label: tr('a folder') },
          ]}
          value={isFolder ? 'folder' : 'file'}
          allowDeselect={false}
          openOnFocus={false}
          readOnly={isLocked}
          onChange={(kind) => kind !== null && change(named(kind, path))}
          className={classes.sort}
        />
        <Select
          label={tr('Of the task')}
          data={[...gone, ...others]}
          value={taken.from}
          error={fault(field('from'))}
          allowDeselect={false}
          openOnFocus={false}
          readOnly={isLocked}
          onChange={(from) => from !== null && change(set({ ...taken, from }))}
          className={classes.short}
        />
        <WrittenField
          label={tr('Put at')}
          field={field('to')}
          placeholder={tr('the same place')}
          value={taken.to ?? ''}
          maxLength={COMPOSITION_LIMITS.short}
          onWrite={(to) => {
            const { to: _, ...others } = taken;
            return set(to === '' ? others : { ...others, to });
          }}
          className={classes.path}
        />
      </div>
    </Removable>
  );
}
