import { Select } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { tr } from '../language/tr.ts';
import type { AddressParts } from '../ui/address.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { SearchField } from '../ui/keys/search-field.tsx';
import { RowKeys } from '../ui/parts.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { SavedViews } from './saved-views.tsx';
import type { ListColumns } from './use-columns.ts';

type Props = {
  ws: string;
  label: string;
  columns: ListColumns;
  /** See SavedViews. */
  parts: AddressParts;
  onTake: (parts: AddressParts) => void;
  /** The commands `search` and `clear` of this scope. */
  scope: string;
  search: {
    field: RefObject<HTMLInputElement | null>;
    label: string;
    placeholder: string;
    value: string;
    onChange: (text: string) => void;
    onWalk: (step: number) => void;
    onEnter: () => void;
  };
  classNames: { filters: string | undefined; search: string | undefined };
  /** Clears all filters; null when none is set. */
  onClear: (() => void) | null;
  keys: Parameters<typeof RowKeys>[0]['keys'];
  /** The choices beside the words. */
  children: ReactNode;
};

/** What a list shows, and how: words, choices, saved views and columns. */
export function ListFilters(props: Props): ReactNode {
  const { ws, scope, columns, onClear } = props;
  return (
    <search className={props.classNames.filters} aria-label={props.label}>
      <SearchField {...props.search} className={props.classNames.search} command={`${scope}.search`} />
      {props.children}
      <SavedViews ws={ws} columns={columns} parts={props.parts} onTake={props.onTake} />
      <ColumnsMenu columns={columns} />
      {onClear && (
        <CommandButton variant="subtle" command={`${scope}.clear`} onClick={onClear}>
          {tr('Clear filters')}
        </CommandButton>
      )}
      <RowKeys keys={props.keys} />
    </search>
  );
}

/** A filter by one of several values, or by none of them. */
export function FilterChoice<T extends string>(props: {
  label: string;
  /** The words for no choice. */
  any: string;
  options: readonly { value: T; label: string }[];
  value: T | null;
  onChange: (value: T | null) => void;
  className?: string | undefined;
  width?: number;
}): ReactNode {
  const { label, any, options, value, onChange, className, width } = props;
  return (
    <Select
      aria-label={label}
      className={className}
      w={width}
      data={[{ value: '', label: any }, ...options]}
      value={value ?? ''}
      onChange={(chosen) => onChange(options.find((option) => option.value === chosen)?.value ?? null)}
      allowDeselect={false}
    />
  );
}
