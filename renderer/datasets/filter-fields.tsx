import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { DataRow, DatasetFilter } from '../../schemas/dataset.ts';
import { shownLanguage, tr } from '../language/tr.ts';
import {
  choicesOf,
  describeRange,
  FACETS,
  type FacetKey,
  labelOf,
  RANGES,
  type RangeKey,
  withFacet,
  withRange,
} from './filter.ts';
import classes from './page.module.css';

/** What every field of the filter is made of and changes. */
export type FieldProps = {
  rows: readonly DataRow[];
  filter: DatasetFilter;
  names: ReadonlyMap<string, string>;
  onChange: (filter: DatasetFilter) => void;
};

export type FieldKey = FacetKey | RangeKey;
export const FIELD_NAMES: readonly { key: FieldKey; name: string }[] = [...FACETS, ...RANGES];

/** More values than this are searched rather than read. */
const SEARCHED_FROM = 12;

/** What is chosen in a field, short; null: nothing. */
export function shownOf(filter: DatasetFilter, key: FieldKey, names: ReadonlyMap<string, string>): string | null {
  const range = RANGES.find((one) => one.key === key);
  if (range) return filter[range.key] ? describeRange(filter[range.key] ?? {}, range.unit) : null;
  const facet = FACETS.find((one) => one.key === key);
  const chosen: readonly (string | null)[] = (facet && filter[facet.key]) ?? [];
  if (facet === undefined || chosen.length === 0) return null;
  return chosen.length === 1 ? labelOf(facet.key, chosen[0] ?? null, names) : `${chosen.length}`;
}

/** The choices of a field. */
export function Field({ field, ...props }: FieldProps & { field: FieldKey }): ReactNode {
  const range = RANGES.find((one) => one.key === field);
  if (range) return <RangeFields {...props} {...range} range={range.key} />;
  const facet = FACETS.find((one) => one.key === field);
  return facet ? <FacetList {...props} facet={facet.key} name={facet.name} /> : null;
}

function FacetList(props: FieldProps & { facet: FacetKey; name: string }): ReactNode {
  const { facet, name, rows, filter, names, onChange } = props;
  const chosen: readonly (string | null)[] = filter[facet] ?? [];
  const [text, setText] = useState('');
  const choices = choicesOf(rows, filter, facet, names);
  const fitting = choices.filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()));
  const toggle = (value: string | null): void =>
    onChange(
      withFacet(filter, facet, chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]),
    );
  return (
    <Stack gap={8}>
      {choices.length >= SEARCHED_FROM && (
        <TextInput
          aria-label={tr('Find in {name}', { name })}
          placeholder={tr('Find')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      )}
      {choices.length === 0 && (
        <Text size="sm" c="dimmed">
          {tr('No recording has one.')}
        </Text>
      )}
      <fieldset className={classes.choices}>
        <legend className="visually-hidden">{name}</legend>
        {fitting.slice(0, 200).map(({ value, label, count }) => (
          <Checkbox
            key={value ?? '\0none'}
            checked={chosen.includes(value)}
            onChange={() => toggle(value)}
            classNames={{ body: classes.choice, labelWrapper: classes.choiceLabel }}
            label={
              <span className={classes.choiceWords}>
                <span className={classes.choiceName} title={label}>
                  {label}
                </span>
                <span className={classes.count}>{count.toLocaleString(shownLanguage())}</span>
              </span>
            }
          />
        ))}
      </fieldset>
      {chosen.length > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={() => onChange(withFacet(filter, facet, []))}>
          {tr('Clear')}
        </Button>
      )}
    </Stack>
  );
}

function RangeFields(props: FieldProps & { range: RangeKey; unit: string; step: number; most?: number }): ReactNode {
  const { range, unit, step, most, filter, onChange } = props;
  const chosen = filter[range] ?? {};
  const set = (end: 'min' | 'max', value: string | number): void =>
    onChange(withRange(filter, range, { ...chosen, [end]: typeof value === 'number' ? value : undefined }));
  const field = (end: 'min' | 'max', label: string): ReactNode => (
    <NumberInput
      label={label}
      value={chosen[end] ?? ''}
      onChange={(value) => set(end, value)}
      min={0}
      {...(most !== undefined && { max: most })}
      step={step}
      decimalScale={step < 1 ? 2 : 0}
      suffix={unit === '' ? '' : ` ${unit}`}
      w={110}
      {...(end === 'min' && { 'data-autofocus': true })}
    />
  );
  return (
    <>
      <Group gap={8} wrap="nowrap">
        {field('min', tr('At least'))}
        {field('max', tr('At most'))}
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        {RANGE_NOTES[range] ?? tr('Both ends belong to it.')}
      </Text>
    </>
  );
}

const RANGE_NOTES: Readonly<Partial<Record<RangeKey, string>>> = {
  agreement: tr('Between annotators, 0 to 1. Recordings that fewer than two looked at have none.'),
  judged: tr('Share of the kept steps that somebody judged, 0 to 1.'),
  grounded: tr('Share of the judged steps that were grounded in what the screen showed, 0 to 1.'),
  unrecoverable: tr('Errors that no later step makes good. Recordings that nobody judged have none.'),
  redundant: tr('Steps that could have been left out. Recordings that nobody judged have none.'),
};
