import { Input, SegmentedControl, Select } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { changeEvent, nameEvent, newHappening } from '../../core/compositions/edit-events.ts';
import type { Composition, Happening, ScenarioEvent } from '../../schemas/composition.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { NamedField, WrittenField } from './fields.tsx';
import { FormPart } from './form-part.tsx';
import { HappeningFields } from './happening-fields.tsx';
import { Laws } from './laws.tsx';
import { Removable } from './removable.tsx';
import { StageField } from './stages-form.tsx';

/** Names of its fields and how they are changed, as the parts of the form need them. */
type PartProps = {
  event: ScenarioEvent;
  field: (name: string) => string;
  set: (part: Partial<ScenarioEvent>) => Composition;
};

/** All of one event of a scenario's day: its name, when it comes and what it brings. */
export function EventForm(props: {
  event: ScenarioEvent;
  /** Its place among the events, from 0. */
  at: number;
  onHappening: () => void;
}): ReactNode {
  const { event, at, onHappening } = props;
  const { composition, lawsOfEvent } = useEditing();
  const field = (name: string): string => `events.${at}.${name}`;
  const set = (part: Partial<ScenarioEvent>): Composition => changeEvent(composition, event.id, part);
  return (
    <>
      <Laws laws={lawsOfEvent(event.id)} />
      <div className={classes.row} data-row="name">
        <NamedField
          label={tr('Name')}
          field={field('id')}
          value={event.id}
          rename={(name) => nameEvent(composition, event.id, name)}
          maxLength={40}
          className={classes.short}
        />
        <StageField stage={event.stage} field={field('stage')} set={(stage) => set({ stage })} />
        <When event={event} field={field} set={set} />
      </div>
      <Happens event={event} field={field} set={set} onAdd={onHappening} />
    </>
  );
}

function When({ event, field, set }: PartProps): ReactNode {
  const { composition, change, isLocked } = useEditing();
  const { at } = event;
  const members = composition.members.map(({ id }) => id);
  /** The other way to say when, as it was before it was switched. */
  const other = useRef<ScenarioEvent['at'] | null>(null);
  const turn = (): void => {
    const fresh: ScenarioEvent['at'] = 'after' in at ? { day: 1, from: '' } : { after: members.at(-1) ?? '' };
    change(set({ at: other.current ?? fresh }), { field: field('at'), text: '' });
    other.current = at;
  };
  return (
    <>
      <Input.Wrapper label={tr('When')} labelElement="div" className={classes.choice}>
        <SegmentedControl
          aria-label={tr('When')}
          size="xs"
          readOnly={isLocked}
          value={'after' in at ? 'task' : 'time'}
          onChange={turn}
          data={[
            { value: 'time', label: tr('At a time') },
            { value: 'task', label: tr('After a task') },
          ]}
        />
      </Input.Wrapper>
      {'after' in at ? (
        <AfterTask after={at.after} field={field} set={set} event={event} />
      ) : (
        <AtTime at={at} field={field} set={set} event={event} />
      )}
    </>
  );
}

function AfterTask({ after, field, set }: PartProps & { after: string }): ReactNode {
  const { composition, change, fault, isLocked } = useEditing();
  const members = composition.members.map(({ id }) => id);
  return (
    <Select
      label={tr('The task')}
      placeholder={members.length === 0 ? tr('no task yet') : tr('Choose one')}
      // One that is gone stays named, and a law tells it.
      data={after === '' || members.includes(after) ? members : [after, ...members]}
      value={after === '' ? null : after}
      error={fault(field('at.after'))}
      searchable
      allowDeselect={false}
      openOnFocus={false}
      limit={60}
      readOnly={isLocked}
      onChange={(task) => task !== null && change(set({ at: { after: task } }))}
      className={classes.short}
    />
  );
}

function AtTime({ at, field, set }: PartProps & { at: Exclude<ScenarioEvent['at'], { after: string }> }): ReactNode {
  const { composition } = useEditing();
  const { begins } = composition.context;
  /** It is asked for here only where it is missing, and stays until another row is chosen. */
  const [isAsked] = useState(begins === undefined);
  const write = (part: Partial<typeof at>): Composition => {
    const { day, from, to } = { ...at, ...part };
    return set({ at: { day, from, ...(to && { to }) } });
  };
  return (
    <>
      <WrittenField
        label={tr('From')}
        field={field('at.from')}
        placeholder="09:00"
        maxLength={5}
        value={at.from}
        onWrite={(from) => write({ from })}
        className={classes.time}
      />
      <WrittenField
        label={tr('Until')}
        field={field('at.to')}
        placeholder={tr('the same')}
        maxLength={5}
        value={at.to ?? ''}
        onWrite={(to) => write({ to })}
        className={classes.time}
      />
      <WrittenField
        label={tr('Day')}
        field={field('at.day')}
        maxLength={3}
        value={String(at.day)}
        onWrite={(text) => write({ day: Number(text.replaceAll(/\D/g, '')) || 1 })}
        className={classes.time}
      />
      {isAsked && (
        <WrittenField
          label={tr('First day of the scenario')}
          field="context.begins"
          placeholder="2026-11-30"
          value={begins ?? ''}
          maxLength={10}
          onWrite={(text) => ({ ...composition, context: { ...composition.context, begins: text || undefined } })}
          className={classes.short}
        />
      )}
    </>
  );
}

function Happens({ event, field, set, onAdd }: PartProps & { onAdd: () => void }): ReactNode {
  const { composition, change } = useEditing();
  const { happens } = event;
  return (
    <FormPart
      id="edit-happens"
      title={happens.length > 1 ? tr('What happens: one of these, drawn by the seed') : tr('What happens')}
      command="compose.happening"
      label={tr('Add another that may happen')}
      isFull={happens.length >= COMPOSITION_LIMITS.happenings}
      onAdd={onAdd}
    >
      {happens.map((one, n) => (
        <OneOf
          // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be alike
          key={`${happens.length} ${n}`}
          happening={one}
          number={happens.length > 1 ? n + 1 : null}
          field={(name) => field(`happens.${n}.${name}`)}
          onWrite={(next) => set({ happens: happens.with(n, next) })}
          onRead={(next) =>
            change((now) => {
              const all = now.events?.find(({ id }) => id === event.id)?.happens;
              const it = all?.[n];
              return all && it?.kind === 'file' ? changeEvent(now, event.id, { happens: all.with(n, next(it)) }) : now;
            })
          }
          likeOf={(kind) => newHappening(kind, composition, one)}
          onRemove={() => change(set({ happens: happens.filter((_, row) => row !== n) }))}
        />
      ))}
    </FormPart>
  );
}

const KINDS: readonly Happening['kind'][] = ['file', 'mail', 'notification', 'service', 'window'];

function OneOf(props: {
  happening: Happening;
  /** From 1; null: it is the only one. */
  number: number | null;
  field: (name: string) => string;
  onWrite: (next: Happening) => Composition;
  onRead: (next: (now: Happening & { kind: 'file' }) => Happening) => void;
  likeOf: (kind: Happening['kind']) => Happening;
  onRemove: () => void;
}): ReactNode {
  const { happening, number, field, onWrite, onRead, likeOf, onRemove } = props;
  const { change, isLocked } = useEditing();
  /** The fields that were written of each kind, for somebody who looks at another kind and comes back. */
  const written = useRef(new Map<Happening['kind'], Happening>());
  const turn = (kind: Happening['kind']): void => {
    written.current.set(happening.kind, happening);
    change(onWrite(written.current.get(kind) ?? likeOf(kind)), { field: field('kind'), text: '' });
  };
  const name = number === null ? tr('Kind') : tr('What may happen: {number, number}', { number });
  const fields = (
    <div className={classes.stack}>
      <SegmentedControl
        aria-label={name}
        size="xs"
        readOnly={isLocked}
        value={happening.kind}
        onChange={(value) => turn(KINDS.find((kind) => kind === value) ?? happening.kind)}
        data={KINDS.map((value) => ({ value, label: happeningKind(value) }))}
        className={classes.kinds}
      />
      <HappeningFields happening={happening} field={field} onWrite={onWrite} onRead={onRead} />
    </div>
  );
  if (number === null) return <div data-row="happening">{fields}</div>;
  return (
    <Removable row="happening" label={tr('Remove what may happen: {number, number}', { number })} onRemove={onRemove}>
      {fields}
    </Removable>
  );
}

export function happeningKind(kind: Happening['kind']): string {
  switch (kind) {
    case 'file':
      return tr('A file');
    case 'mail':
      return tr('A mail');
    case 'notification':
      return tr('A notification');
    case 'service':
      return tr('A service');
    case 'window':
      return tr('A window');
  }
}
