import { Select } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { tr } from '../language/tr.ts';
import { ColumnsMenu } from '../lists/columns-menu.tsx';
import { SavedViews } from '../lists/saved-views.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { SearchField } from '../ui/keys/search-field.tsx';
import { RowKeys } from '../ui/parts.tsx';
import { PROOF_NAMES } from '../ui/proof.tsx';
import { STATE_NAMES } from '../ui/states.tsx';
import { PROOFS } from './address.ts';
import { isFiltered, NO_FILTER, STAGES } from './filter.ts';
import classes from './page.module.css';
import type { LibraryList } from './use-library.ts';

/** Which tasks are shown, and how: words, choices, views and columns. */
export function TaskFilters(props: {
  ws: string;
  list: LibraryList;
  search: RefObject<HTMLInputElement | null>;
  onOpen: (id: string) => void;
}): ReactNode {
  const { ws, list, search, onOpen } = props;
  const { filter, setFilter, counts, columns, parts, take, at, move, withChosen } = list;
  return (
    <search className={classes.filters} aria-label={tr('Tasks')}>
      <SearchField
        field={search}
        className={classes.search}
        label={tr('Search tasks')}
        placeholder={tr('Search by id, goal, software or platform')}
        command="library.search"
        value={filter.text}
        onChange={(text) => setFilter({ ...filter, text })}
        onWalk={(step) => move(at + step)}
        onEnter={() => withChosen(onOpen)}
      />
      <Select
        aria-label={tr('Progress')}
        className={classes.choice}
        data={[
          { value: '', label: tr('Any progress') },
          ...STAGES.map((stage) => ({
            value: stage,
            label: `${STATE_NAMES[stage]} (${counts.stages.get(stage) ?? 0})`,
          })),
        ]}
        value={filter.stage ?? ''}
        onChange={(value) => setFilter({ ...filter, stage: STAGES.find((stage) => stage === value) ?? null })}
        allowDeselect={false}
      />
      <Select
        aria-label={tr('Open or closed')}
        className={classes.choice}
        data={[
          { value: 'all', label: tr('Open and closed') },
          { value: 'open', label: tr('Only open') },
          { value: 'closed', label: tr('Only closed') },
        ]}
        value={filter.state}
        onChange={(value) => setFilter({ ...filter, state: value === 'open' || value === 'closed' ? value : 'all' })}
        allowDeselect={false}
      />
      <Select
        aria-label={tr('Proof')}
        className={classes.choice}
        data={[
          { value: '', label: tr('Proven or not') },
          ...PROOFS.map((value) => ({ value, label: PROOF_NAMES[value] })),
        ]}
        value={filter.proof ?? ''}
        onChange={(value) => setFilter({ ...filter, proof: PROOFS.find((proof) => proof === value) ?? null })}
        allowDeselect={false}
      />
      <SavedViews ws={ws} columns={columns} parts={parts} onTake={take} />
      <ColumnsMenu columns={columns} />
      {isFiltered(filter) && (
        <CommandButton variant="subtle" command="library.clear" onClick={() => setFilter(NO_FILTER)}>
          {tr('Clear filters')}
        </CommandButton>
      )}
      <RowKeys
        keys={[
          [tr('choose'), 'library.down', 'library.up'],
          [tr('open it'), 'library.open'],
          [tr('record'), 'library.record'],
        ]}
      />
    </search>
  );
}
