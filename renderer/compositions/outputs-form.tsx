import { Checkbox, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { newOutput, renameOutput, slotNameOf } from '../../core/compositions/edit.ts';
import type { Composition, Member, MemberOutput } from '../../schemas/composition.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { ListField, NamedField, ValueField, WrittenField } from './fields.tsx';
import { FormPart } from './form-part.tsx';
import { Removable } from './removable.tsx';

/** A member with one more output. */
export const withOutput = ({ outputs }: Pick<Member, 'outputs'>): Pick<Member, 'outputs'> => ({
  outputs: [
    ...outputs,
    newOutput(
      slotNameOf(
        'answer',
        outputs.map(({ name }) => name),
      ),
    ),
  ],
});

/** A member's outputs, each with its true value and the values that count as the same. */
export function OutputsForm(props: {
  member: Member;
  field: (name: string) => string;
  set: (part: Partial<Member>) => Composition;
  onAdd: () => void;
}): ReactNode {
  const { member, field, set, onAdd } = props;
  const { change } = useEditing();
  const { outputs } = member;
  return (
    <FormPart
      id="edit-outputs"
      title={tr('What comes of it')}
      command="compose.output"
      label={tr('Add an output')}
      onAdd={onAdd}
    >
      {outputs.map((output, n) => (
        <OutputFields
          // biome-ignore lint/suspicious/noArrayIndexKey: its name is being written
          key={n}
          member={member.id}
          output={output}
          field={(name) => field(`outputs.${n}.${name}`)}
          set={(part) => set({ outputs: outputs.with(n, { ...output, ...part }) })}
          onRemove={() => change(set({ outputs: outputs.filter((_, row) => row !== n) }))}
        />
      ))}
    </FormPart>
  );
}

function OutputFields(props: {
  member: string;
  output: MemberOutput;
  field: (name: string) => string;
  set: (part: Partial<MemberOutput>) => Composition;
  onRemove: () => void;
}): ReactNode {
  const { member, output, field, set, onRemove } = props;
  const { composition, change, isLocked } = useEditing();
  const { name, value, tolerance, alternatives, from, stable, kept } = output;
  return (
    <Removable row="output" label={tr('Remove the output {name}', { name })} onRemove={onRemove}>
      <div className={classes.row}>
        <NamedField
          label={tr('Output')}
          field={field('name')}
          value={name}
          rename={(to) => renameOutput(composition, member, name, to)}
          maxLength={40}
          className={classes.short}
        />
        <ValueField field={field('value')} value={value} onWrite={(next) => set({ value: next })} />
        {typeof value === 'number' && (
          <NumberInput
            label={tr('Tolerance')}
            value={tolerance}
            min={0}
            hideControls
            readOnly={isLocked}
            onChange={(next) => change(set({ tolerance: Number(next) || 0 }), { field: field('tolerance'), text: '' })}
            className={classes.time}
          />
        )}
        {typeof value === 'string' && (
          <ListField
            label={tr('Also right, a line each')}
            field={field('alternatives')}
            lines={1}
            value={alternatives}
            onWrite={(list) => set({ alternatives: list })}
          />
        )}
        <WrittenField
          label={tr('Read by the check')}
          field={field('from.check')}
          placeholder={tr('None: it is answered')}
          value={from === 'answer' ? '' : from.check}
          maxLength={COMPOSITION_LIMITS.short}
          onWrite={(check) => set({ from: check === '' ? 'answer' : { check } })}
          className={classes.short}
        />
        <Checkbox
          label={tr('It may change with time')}
          checked={!stable}
          disabled={isLocked}
          onChange={(event) => change(set({ stable: !event.currentTarget.checked, kept: undefined }))}
          className={classes.check}
        />
        {!stable && (
          <>
            <WrittenField
              label={tr('File that says what it was')}
              field={field('kept.file')}
              value={kept?.file ?? ''}
              maxLength={COMPOSITION_LIMITS.short}
              onWrite={(file) => set({ kept: keptOf(file, kept?.date ?? '') })}
              className={classes.short}
            />
            <WrittenField
              label={tr('On the day')}
              field={field('kept.date')}
              placeholder="2026-11-30"
              value={kept?.date ?? ''}
              maxLength={10}
              onWrite={(date) => set({ kept: keptOf(kept?.file ?? '', date) })}
              className={classes.short}
            />
          </>
        )}
      </div>
    </Removable>
  );
}

const keptOf = (file: string, date: string): MemberOutput['kept'] =>
  file === '' && date === '' ? undefined : { file, date };
