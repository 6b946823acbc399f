import type { ReactNode, RefObject } from 'react';
import { tr } from '../language/tr.ts';
import { FilterChoice, ListFilters } from '../lists/list-filters.tsx';
import { PROOF_NAMES } from '../ui/proof.tsx';
import { STATE_NAMES } from '../ui/states.tsx';
import { PROOFS } from './address.ts';
import { isFiltered, NO_FILTER, STAGES } from './filter.ts';
import classes from './page.module.css';
import type { LibraryList } from './use-library.ts';

/** Which tasks are shown, and how. */
export function TaskFilters(props: {
  ws: string;
  list: LibraryList;
  search: RefObject<HTMLInputElement | null>;
  onOpen: (id: string) => void;
}): ReactNode {
  const { ws, list, search, onOpen } = props;
  const { filter, setFilter, counts, columns, parts, take, at, move, withChosen } = list;
  return (
    <ListFilters
      ws={ws}
      label={tr('Tasks')}
      columns={columns}
      parts={parts}
      onTake={take}
      scope="library"
      search={{
        field: search,
        label: tr('Search tasks'),
        placeholder: tr('Search by id, goal, software or platform'),
        value: filter.text,
        onChange: (text) => setFilter({ ...filter, text }),
        onWalk: (step) => move(at + step),
        onEnter: () => withChosen(onOpen),
      }}
      classNames={{ filters: classes.filters, search: classes.search }}
      onClear={isFiltered(filter) ? () => setFilter(NO_FILTER) : null}
      keys={[
        [tr('choose'), 'library.down', 'library.up'],
        [tr('open it'), 'library.open'],
        [tr('record'), 'library.record'],
      ]}
    >
      <FilterChoice
        label={tr('Progress')}
        any={tr('Any progress')}
        className={classes.choice}
        options={STAGES.map((value) => ({
          value,
          label: `${STATE_NAMES[value]} (${counts.stages.get(value) ?? 0})`,
        }))}
        value={filter.stage}
        onChange={(stage) => setFilter({ ...filter, stage })}
      />
      <FilterChoice
        label={tr('Open or closed')}
        any={tr('Open and closed')}
        className={classes.choice}
        options={[
          { value: 'open', label: tr('Only open') },
          { value: 'closed', label: tr('Only closed') },
        ]}
        value={filter.state === 'all' ? null : filter.state}
        onChange={(state) => setFilter({ ...filter, state: state ?? 'all' })}
      />
      <FilterChoice
        label={tr('Proof')}
        any={tr('Proven or not')}
        className={classes.choice}
        options={PROOFS.map((value) => ({ value, label: PROOF_NAMES[value] }))}
        value={filter.proof}
        onChange={(proof) => setFilter({ ...filter, proof })}
      />
    </ListFilters>
  );
}
