import { Select } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { newVaries, renameGiven } from '../../core/compositions/edit-given.ts';
import type { Composition, Varies } from '../../schemas/composition.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { NamedField, WrittenField } from './fields.tsx';
import { FormPart } from './form-part.tsx';
import { givenOfLaw } from './law-words.ts';
import { Laws } from './laws.tsx';
import { PlacesField } from './places-field.tsx';
import { Removable } from './removable.tsx';
import { VariesFields } from './varies-fields.tsx';

type Given = Composition['context']['given'][number];

/** Values that texts may name from the beginning, and how each is another one in instances. */
export function GivenForm({ onAdd }: { onAdd: () => void }): ReactNode {
  const { composition } = useEditing();
  const { given } = composition.context;
  return (
    <FormPart
      id="edit-given"
      title={tr('Known before the first task')}
      command="compose.given"
      label={tr('Add a value')}
      isFull={given.length >= COMPOSITION_LIMITS.given}
      onAdd={onAdd}
    >
      {given.map((one, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its name is being written
        <GivenFields key={n} one={one} at={n} />
      ))}
      {given.some(({ varies }) => varies !== undefined) && (
        <p className={classes.fine}>
          {tr('It is a template: once it is saved, its page makes instances of it, with other values and other tasks.')}
        </p>
      )}
    </FormPart>
  );
}

/** `at`: its place among the values, from 0. */
function GivenFields({ one, at }: { one: Given; at: number }): ReactNode {
  const { composition, change, lawsOf } = useEditing();
  const { given } = composition.context;
  const field = (name: string): string => `context.given.${at}.${name}`;
  const set = (next: Given): Composition => ({
    ...composition,
    context: { ...composition.context, given: given.with(at, next) },
  });
  return (
    <div className={classes.stack}>
      <Removable
        row="given"
        label={tr('Remove the value {name}', { name: one.name })}
        onRemove={() =>
          change({
            ...composition,
            context: { ...composition.context, given: given.filter((_, row) => row !== at) },
          })
        }
      >
        <div className={classes.row}>
          <NamedField
            label={tr('Name')}
            field={field('name')}
            value={one.name}
            rename={(name) => renameGiven(composition, one.name, name)}
            maxLength={40}
            className={classes.short}
          />
          <WrittenField
            label={tr('Value')}
            field={field('value')}
            value={one.value}
            maxLength={COMPOSITION_LIMITS.short}
            onWrite={(value) => set({ ...one, value })}
            className={classes.wide}
          />
          <HowItVaries one={one} field={field('varies.kind')} set={set} />
        </div>
      </Removable>
      {one.varies !== undefined && (
        <fieldset className={classes.inner}>
          <legend className="visually-hidden">{tr('How {name} varies', { name: one.name })}</legend>
          <VariesFields
            given={one}
            varies={one.varies}
            field={(name) => field(`varies.${name}`)}
            write={(varies) => set({ ...one, varies })}
          />
          <PlacesField
            given={one}
            varies={one.varies}
            field={field('varies.puts')}
            write={(varies) => set({ ...one, varies })}
          />
        </fieldset>
      )}
      <Laws laws={lawsOf(null).filter((law) => givenOfLaw(law) === one.name)} />
    </div>
  );
}

function HowItVaries(props: { one: Given; field: string; set: (next: Given) => Composition }): ReactNode {
  const { one, field, set } = props;
  const { composition, change, isLocked } = useEditing();
  /** The fields that were written of each kind, for somebody who looks at another kind and comes back. */
  const written = useRef(new Map<Varies['kind'], Varies>());
  const turn = (to: string | null): void => {
    if (one.varies) written.current.set(one.varies.kind, one.varies);
    const kind = KINDS.find((known) => known === to);
    const { varies: before, ...plain } = one;
    const own = kind && (written.current.get(kind) ?? newVaries(kind, composition.context, one));
    const next = own === undefined ? plain : { ...plain, varies: { ...own, puts: before?.puts ?? own.puts } };
    change(set(next), { field, text: '' });
  };
  return (
    <Select
      label={tr('In instances')}
      data={[{ value: '', label: tr('it stays equal') }, ...KINDS.map((value) => ({ value, label: kindWords(value) }))]}
      value={one.varies?.kind ?? ''}
      allowDeselect={false}
      openOnFocus={false}
      readOnly={isLocked}
      onChange={turn}
      className={classes.short}
    />
  );
}

const KINDS: readonly Varies['kind'][] = ['list', 'whole', 'time', 'date', 'along', 'after'];

function kindWords(kind: Varies['kind']): string {
  switch (kind) {
    case 'list':
      return tr('one of a list');
    case 'whole':
      return tr('a whole number');
    case 'time':
      return tr('a time of day');
    case 'date':
      return tr('a date');
    case 'along':
      return tr('along with another value');
    case 'after':
      return tr('so much after another value');
  }
}
