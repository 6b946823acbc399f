import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { countOf, drawnAt, kindOfValue } from '../../core/compositions/parameters.ts';
import type { Composition, Varies } from '../../schemas/composition.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { ListField, WholeField, WrittenField } from './fields.tsx';

type Given = Composition['context']['given'][number];
type Props<V extends Varies = Varies> = {
  given: Given;
  varies: V;
  field: (name: string) => string;
  write: (varies: Varies) => Composition;
};

/** The fields of one way in which a value varies. */
export function VariesFields({ varies, ...rest }: Props): ReactNode {
  switch (varies.kind) {
    case 'list':
      return (
        <ListField
          label={tr('Values, one a line')}
          field={rest.field('values')}
          value={varies.values}
          onWrite={(values) => rest.write({ ...varies, values })}
        />
      );
    case 'along':
      return <AlongFields {...rest} varies={varies} />;
    case 'after':
      return <AfterFields {...rest} varies={varies} />;
    case 'whole':
    case 'time':
    case 'date':
      return <RangeFields {...rest} varies={varies} />;
  }
}

function RangeFields({ varies, field, write }: Props<Extract<Varies, { step: number }>>): ReactNode {
  const ends = [
    ['from', tr('From')],
    ['to', tr('Until')],
  ] as const;
  return (
    <div className={classes.row}>
      {ends.map(([end, label]) =>
        varies.kind === 'whole' ? (
          <WholeField
            key={end}
            label={label}
            field={field(end)}
            value={varies[end]}
            onWrite={(n) => write({ ...varies, [end]: n })}
            className={classes.time}
          />
        ) : (
          <WrittenField
            key={end}
            label={label}
            field={field(end)}
            placeholder={varies.kind === 'time' ? '09:00' : '2026-11-30'}
            maxLength={varies.kind === 'time' ? 5 : 10}
            value={varies[end]}
            onWrite={(text) => write({ ...varies, [end]: text })}
            className={varies.kind === 'time' ? classes.time : classes.short}
          />
        ),
      )}
      <WholeField
        label={stepWords(varies.kind)}
        field={field('step')}
        value={varies.step}
        onWrite={(step) => write({ ...varies, step })}
        className={classes.short}
      />
      <p className={classes.aside} aria-live="polite">
        {drawnWords(varies)}
      </p>
    </div>
  );
}

function stepWords(kind: 'whole' | 'time' | 'date'): string {
  if (kind === 'whole') return tr('Every how many');
  return kind === 'time' ? tr('Every how many minutes') : tr('Every how many days');
}

/** The values that it gives: the first ones and the last. */
function drawnWords(varies: Varies): string {
  const count = countOf(varies);
  const at = count > 4 ? [0, 1] : [...Array(count).keys()];
  const first = at.map((n) => drawnAt(varies, n)).join(', ');
  const values = count > 4 ? `${first}, … ${drawnAt(varies, count - 1)}` : first;
  return count === 0
    ? tr('no value')
    : tr('{count, plural, one {# value} other {# values}}: {values}', { count, values });
}

function AlongFields({ given, varies, field, write }: Props<Extract<Varies, { kind: 'along' }>>): ReactNode {
  const { composition } = useEditing();
  const others = composition.context.given.filter((one) => one.name !== given.name);
  const source = others.find((one) => one.name === varies.of)?.varies;
  const list = source?.kind === 'list' ? source.values : [];
  return (
    <>
      <div className={classes.row}>
        <OfField
          label={tr('Along with the list of')}
          of={varies.of}
          names={others.flatMap((one) => (one.varies?.kind === 'list' ? [one.name] : []))}
          field={field('of')}
          write={(of) => write({ ...varies, of })}
        />
        <ListField
          label={tr('Values in the order of that list, one a line')}
          field={field('values')}
          value={varies.values}
          onWrite={(values) => write({ ...varies, values })}
          className={classes.wide}
        />
      </div>
      {list.length > 0 && (
        <p className={classes.fine} aria-live="polite">
          {list
            .slice(0, MOST_PAIRS)
            .map((value, n) => `${value} → ${varies.values[n] ?? '…'}`)
            .join(', ')}
          {list.length > MOST_PAIRS && ' …'}
        </p>
      )}
    </>
  );
}

const MOST_PAIRS = 8;

function AfterFields({ given, varies, field, write }: Props<Extract<Varies, { kind: 'after' }>>): ReactNode {
  const { composition } = useEditing();
  const others = composition.context.given.filter((one) => one.name !== given.name);
  const source = others.find((one) => one.name === varies.of);
  return (
    <div className={classes.row}>
      <OfField
        label={tr('Counted from')}
        of={varies.of}
        names={others.flatMap((one) => (kindOfValue(one.value) === null ? [] : [one.name]))}
        field={field('of')}
        write={(of) => write({ ...varies, of })}
      />
      <WholeField
        label={plusWords(source && kindOfValue(source.value))}
        field={field('plus')}
        value={varies.plus}
        onWrite={(plus) => write({ ...varies, plus })}
        className={classes.short}
      />
      <p className={classes.aside}>{tr('Less than 0 is before it.')}</p>
    </div>
  );
}

function plusWords(kind: 'time' | 'date' | 'whole' | null | undefined): string {
  if (kind === 'time') return tr('Minutes later');
  return kind === 'date' ? tr('Days later') : tr('More by');
}

/** Another value that is given. */
function OfField(props: {
  label: string;
  of: string;
  names: readonly string[];
  field: string;
  write: (of: string) => Composition;
}): ReactNode {
  const { label, of, names, field, write } = props;
  const { change, fault, isLocked } = useEditing();
  return (
    <Select
      label={label}
      placeholder={names.length === 0 ? tr('there is none') : tr('Choose one')}
      // One that is gone stays named, and a law tells it.
      data={of === '' || names.includes(of) ? [...names] : [of, ...names]}
      value={of === '' ? null : of}
      error={fault(field)}
      allowDeselect={false}
      openOnFocus={false}
      readOnly={isLocked}
      onChange={(name) => name !== null && change(write(name))}
      className={classes.short}
    />
  );
}
