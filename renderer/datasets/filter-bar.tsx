import { Button, Popover } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { DataRow, DatasetFilter } from '../../schemas/dataset.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { SearchField } from '../ui/keys/search-field.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { narrowsData, withWords } from './filter.ts';
import { FIELD_NAMES, Field, type FieldKey, type FieldProps, shownOf } from './filter-fields.tsx';
import classes from './page.module.css';
import { useSoftwareNames } from './queries.ts';

type Props = {
  ws: string;
  rows: readonly DataRow[];
  filter: DatasetFilter;
  onChange: (filter: DatasetFilter) => void;
  /** What stands after the fields. */
  children?: ReactNode;
};

/** The fields that are always in sight; the others are under More filters, and in sight while they filter. */
const COMMON: readonly FieldKey[] = ['state', 'splits', 'software', 'proof'];
const MORE = FIELD_NAMES.filter(({ key }) => !COMMON.includes(key));
const nameOf = (key: FieldKey): string => FIELD_NAMES.find((field) => field.key === key)?.name ?? key;

/** Words, the common fields, those that filter now, and a menu with all others. */
export function FilterBar({ ws, rows, filter, onChange, children }: Props): ReactNode {
  const search = useRef<HTMLInputElement>(null);
  const names = useSoftwareNames(ws);
  const [more, setMore] = useState(false);
  useHandlers('dataset', {
    'dataset.search': () => search.current?.focus(),
    'dataset.moreFilters': () => setMore(true),
  });
  const fields = { rows, filter, names, onChange };
  const set = MORE.filter(({ key }) => shownOf(filter, key, names) !== null);
  return (
    <search className={classes.filters} aria-label={tr('Data set')}>
      <SearchField
        field={search}
        className={classes.search}
        label={tr('Search by words')}
        placeholder={tr('Search goals, tasks and tags')}
        command="dataset.search"
        value={filter.words ?? ''}
        maxLength={500}
        onChange={(words) => onChange(withWords(filter, words))}
        // Down from the words goes into the table.
        onWalk={(step) => step > 0 && search.current?.blur()}
        onEnter={() => search.current?.blur()}
      />
      {COMMON.map((key) => (
        <FieldMenu key={key} field={key} {...fields} />
      ))}
      {set.map(({ key }) => (
        <FieldMenu key={key} field={key} {...fields} />
      ))}
      <MoreMenu {...fields} set={set.length} opened={more} onToggle={setMore} />
      {children}
      {narrowsData(filter) && (
        <CommandButton variant="subtle" command="dataset.clear" onClick={() => onChange({})}>
          {tr('Clear filters')}
        </CommandButton>
      )}
    </search>
  );
}

/** The other fields: their names with what is chosen in each, and beside them the choices of the one that is looked at. */
function MoreMenu(
  props: FieldProps & { set: number; opened: boolean; onToggle: (opened: boolean) => void },
): ReactNode {
  const { set, opened, onToggle, ...fields } = props;
  const [field, setField] = useState<FieldKey>('tags');
  const id = useId();
  return (
    <Popover
      opened={opened}
      onChange={onToggle}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      keepMounted={false}
      id={id}
    >
      <Popover.Target>
        <CommandButton
          variant={set > 0 ? 'light' : 'default'}
          className={classes.field}
          icon={IconAdjustmentsHorizontal}
          command="dataset.moreFilters"
          onClick={() => onToggle(!opened)}
        >
          {set > 0 ? tr('More filters ({set})', { set }) : tr('More filters')}
        </CommandButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={tr('More filters')} p="xs">
        <div className={classes.more}>
          <div
            role="tablist"
            aria-orientation="vertical"
            aria-label={tr('Fields')}
            className={classes.moreNames}
            onKeyDown={(event) => {
              const next = neighbour(field, event.key);
              if (next === null) return;
              event.preventDefault();
              event.stopPropagation();
              setField(next);
              event.currentTarget.querySelector<HTMLElement>(`[data-field="${next}"]`)?.focus();
            }}
          >
            {MORE.map(({ key, name }) => {
              const shown = shownOf(fields.filter, key, fields.names);
              return (
                <button
                  key={key}
                  type="button"
                  role="tab"
                  className={classes.moreName}
                  data-field={key}
                  aria-selected={key === field}
                  tabIndex={key === field ? 0 : -1}
                  onClick={() => setField(key)}
                >
                  <span>{name}</span>
                  {shown !== null && <span className={classes.moreShown}>{shown}</span>}
                </button>
              );
            })}
          </div>
          <div role="tabpanel" className={classes.moreField} aria-label={nameOf(field)}>
            <h3 className={classes.moreTitle}>{nameOf(field)}</h3>
            <Field key={field} field={field} {...fields} />
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The field that an arrow leads to from this one; null: the key is none of the list's. */
function neighbour(field: FieldKey, key: string): FieldKey | null {
  const at = MORE.findIndex((one) => one.key === field);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: MORE.length - 1 }[key];
  if (to === undefined) return null;
  return MORE[(to + MORE.length) % MORE.length]?.key ?? null;
}

function FieldMenu({ field, ...fields }: FieldProps & { field: FieldKey }): ReactNode {
  const [opened, setOpened] = useState(false);
  const id = useId();
  const name = nameOf(field);
  const shown = shownOf(fields.filter, field, fields.names);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus returnFocus id={id}>
      <Popover.Target>
        <Button
          variant={shown === null ? 'default' : 'light'}
          className={classes.field}
          rightSection={<IconChevronDown size={12} aria-hidden />}
          onClick={() => setOpened(!opened)}
          title={shown === null ? undefined : `${name}: ${shown}`}
        >
          {shown === null ? name : `${name}: ${shown}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={name} p="xs">
        <Field field={field} {...fields} />
      </Popover.Dropdown>
    </Popover>
  );
}
