import { Button, Checkbox, Group, NumberInput, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { DataRow, DatasetFilter } from '../../schemas/dataset.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import {
  choicesOf,
  describeRange,
  FACETS,
  type FacetKey,
  labelOf,
  narrowsData,
  RANGES,
  type RangeKey,
  withFacet,
  withRange,
  withWords,
} from './filter.ts';
import classes from './page.module.css';
import { useSoftwareNames } from './queries.ts';

type Props = {
  ws: string;
  rows: readonly DataRow[];
  filter: DatasetFilter;
  onChange: (filter: DatasetFilter) => void;
};

/** More values than this are searched rather than read. */
const SEARCHED_FROM = 12;

/** Every field of the filter: words, and a button for each field that says what is chosen in it. */
export function FilterBar({ ws, rows, filter, onChange }: Props): ReactNode {
  const search = useRef<HTMLInputElement>(null);
  const names = useSoftwareNames(ws);
  useHandlers('dataset', { 'dataset.search': () => search.current?.focus() });
  return (
    <search className={classes.filters} aria-label="Data set">
      <TextInput
        ref={search}
        className={classes.search}
        aria-label="Search by words"
        placeholder="Search goals, tasks and tags"
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={<Kbd command="dataset.search" />}
        rightSectionPointerEvents="none"
        value={filter.words ?? ''}
        maxLength={500}
        onChange={(event) => onChange(withWords(filter, event.currentTarget.value))}
        onKeyDown={(event) => {
          // Down from the words goes into the table.
          if (event.key === 'ArrowDown' || event.key === 'Enter') event.currentTarget.blur();
        }}
      />
      {FACETS.map(({ key, name }) => (
        <FacetMenu key={key} rows={rows} filter={filter} names={names} onChange={onChange} name={name} facet={key} />
      ))}
      {RANGES.map(({ key, name, unit, step, most }) => (
        <RangeMenu
          key={key}
          range={key}
          filter={filter}
          name={name}
          unit={unit}
          step={step}
          most={most}
          onChange={onChange}
        />
      ))}
      {narrowsData(filter) && (
        <Button variant="subtle" rightSection={<Kbd command="dataset.clear" />} onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

function FacetMenu(props: {
  facet: FacetKey;
  name: string;
  rows: readonly DataRow[];
  filter: DatasetFilter;
  names: ReadonlyMap<string, string>;
  onChange: (filter: DatasetFilter) => void;
}): ReactNode {
  const { facet, name, rows, filter, names, onChange } = props;
  const [opened, setOpened] = useState(false);
  const chosen: readonly (string | null)[] = filter[facet] ?? [];
  const [first] = chosen;
  const shown =
    chosen.length === 0 ? null : chosen.length === 1 ? labelOf(facet, first ?? null, names) : `${chosen.length}`;
  return (
    <FieldMenu name={name} shown={shown} opened={opened} onToggle={setOpened}>
      <FacetList
        facet={facet}
        name={name}
        rows={rows}
        filter={filter}
        names={names}
        chosen={chosen}
        onChange={onChange}
      />
    </FieldMenu>
  );
}

function FacetList(props: {
  facet: FacetKey;
  name: string;
  rows: readonly DataRow[];
  filter: DatasetFilter;
  names: ReadonlyMap<string, string>;
  chosen: readonly (string | null)[];
  onChange: (filter: DatasetFilter) => void;
}): ReactNode {
  const { facet, name, rows, filter, names, chosen, onChange } = props;
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
          aria-label={`Find in ${name}`}
          placeholder="Find"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      )}
      {choices.length === 0 && (
        <Text size="sm" c="dimmed">
          No recording has one.
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
                <span className={classes.count}>{count.toLocaleString('en')}</span>
              </span>
            }
          />
        ))}
      </fieldset>
      {chosen.length > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={() => onChange(withFacet(filter, facet, []))}>
          Clear
        </Button>
      )}
    </Stack>
  );
}

function RangeMenu(props: {
  range: RangeKey;
  name: string;
  unit: string;
  step: number;
  most: number | undefined;
  filter: DatasetFilter;
  onChange: (filter: DatasetFilter) => void;
}): ReactNode {
  const { range, name, unit, step, most, filter, onChange } = props;
  const [opened, setOpened] = useState(false);
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
    <FieldMenu
      name={name}
      shown={filter[range] ? describeRange(filter[range], unit) : null}
      opened={opened}
      onToggle={setOpened}
    >
      <Group gap={8} wrap="nowrap">
        {field('min', 'At least')}
        {field('max', 'At most')}
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        {RANGE_NOTES[range] ?? 'Both ends belong to it.'}
      </Text>
    </FieldMenu>
  );
}

const RANGE_NOTES: Readonly<Partial<Record<RangeKey, string>>> = {
  agreement: 'Between annotators, 0 to 1. Recordings that fewer than two looked at have none.',
  judged: 'Share of the kept steps that somebody judged, 0 to 1.',
  grounded: 'Share of the judged steps that were grounded in what the screen showed, 0 to 1.',
  unrecoverable: 'Errors that no later step makes good. Recordings that nobody judged have none.',
  redundant: 'Steps that could have been left out. Recordings that nobody judged have none.',
};

function FieldMenu(props: {
  name: string;
  /** The chosen value; null: none. */
  shown: string | null;
  opened: boolean;
  onToggle: (opened: boolean) => void;
  children: ReactNode;
}): ReactNode {
  const { name, shown, opened, onToggle, children } = props;
  const id = useId();
  return (
    <Popover opened={opened} onChange={onToggle} position="bottom-start" shadow="md" trapFocus returnFocus id={id}>
      <Popover.Target>
        <Button
          variant={shown === null ? 'default' : 'light'}
          className={classes.field}
          rightSection={<IconChevronDown size={12} aria-hidden />}
          onClick={() => onToggle(!opened)}
          title={shown === null ? undefined : `${name}: ${shown}`}
        >
          {shown === null ? name : `${name}: ${shown}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={name} p="xs">
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
