import { Select, Switch } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { RECORDING_STATES } from '../../schemas/task-terms.ts';
import { tr } from '../language/tr.ts';
import { ColumnsMenu } from '../lists/columns-menu.tsx';
import { SavedViews } from '../lists/saved-views.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { SearchField } from '../ui/keys/search-field.tsx';
import { RowKeys } from '../ui/parts.tsx';
import { STATE_NAMES } from '../ui/states.tsx';
import { EVERYTHING } from './filter.ts';
import classes from './table.module.css';
import type { RecordingsList } from './use-recordings-list.ts';

/** Which recordings are shown, and how: words, choices, views and columns. */
export function RecordingFilters(props: {
  ws: string;
  list: RecordingsList;
  search: RefObject<HTMLInputElement | null>;
  onOpen: (id: string) => void;
}): ReactNode {
  const { ws, list, search, onOpen } = props;
  const { filter, filtered, change, columns, parts, take, at, row, move } = list;
  return (
    <search className={classes.filters} aria-label={tr('Recordings')}>
      <SearchField
        field={search}
        className={classes.search}
        label={tr('Search recordings')}
        placeholder={tr('Search by task, goal, software or id')}
        command="recordings.search"
        value={filter.text}
        onChange={(text) => change({ text })}
        onWalk={(step) => move(at + step)}
        onEnter={() => row && onOpen(row.id)}
      />
      <Select
        aria-label={tr('State')}
        w={160}
        data={[
          { value: '', label: tr('Any state') },
          ...RECORDING_STATES.map((value) => ({ value, label: STATE_NAMES[value] })),
        ]}
        value={filter.state ?? ''}
        onChange={(value) => change({ state: RECORDING_STATES.find((state) => state === value) ?? null })}
        allowDeselect={false}
      />
      <Switch
        label={tr('Only recordings with problems')}
        checked={filter.doubtful}
        onChange={(event) => change({ doubtful: event.currentTarget.checked })}
      />
      <SavedViews ws={ws} columns={columns} parts={parts} onTake={take} />
      <ColumnsMenu columns={columns} />
      {filtered && (
        <CommandButton variant="subtle" command="recordings.clear" onClick={() => change(EVERYTHING)}>
          {tr('Clear filters')}
        </CommandButton>
      )}
      <RowKeys
        keys={[
          [tr('choose'), 'recordings.down', 'recordings.up'],
          [tr('annotate'), 'recordings.open'],
        ]}
      />
    </search>
  );
}
