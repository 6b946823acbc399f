import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import { RECORDING_STATES } from '../../schemas/task-terms.ts';
import { usePersonId } from '../client/person.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { FilterChoice, ListFilters } from '../lists/list-filters.tsx';
import { STATE_NAMES } from '../ui/states.tsx';
import { ASSIGNED_TO_NOBODY, EVERYTHING } from './filter.ts';
import classes from './table.module.css';
import type { RecordingsList } from './use-recordings-list.ts';

/** Which recordings are shown, and how. */
export function RecordingFilters(props: {
  ws: string;
  list: RecordingsList;
  search: RefObject<HTMLInputElement | null>;
  onOpen: (id: string) => void;
}): ReactNode {
  const { ws, list, search, onOpen } = props;
  const people = useQuery(queries.people(ws)).data ?? [];
  const me = usePersonId(ws);
  const { filter, filtered, change, columns, parts, take, at, row, move } = list;
  return (
    <ListFilters
      ws={ws}
      label={tr('Recordings')}
      columns={columns}
      parts={parts}
      onTake={take}
      scope="recordings"
      search={{
        field: search,
        label: tr('Search recordings'),
        placeholder: tr('Search by task, goal, software or id'),
        value: filter.text,
        onChange: (text) => change({ text }),
        onWalk: (step) => move(at + step),
        onEnter: () => row && onOpen(row.id),
      }}
      classNames={{ filters: classes.filters, search: classes.search }}
      onClear={filtered ? () => change(EVERYTHING) : null}
      keys={[
        [tr('choose'), 'recordings.down', 'recordings.up'],
        [tr('annotate'), 'recordings.open'],
      ]}
    >
      <FilterChoice
        label={tr('State')}
        any={tr('Any state')}
        width={160}
        options={RECORDING_STATES.map((value) => ({ value, label: STATE_NAMES[value] }))}
        value={filter.state}
        onChange={(state) => change({ state })}
      />
      {people.length > 0 && (
        <FilterChoice
          label={tr('Assigned to')}
          any={tr('Assigned to anyone')}
          width={170}
          options={[
            { value: ASSIGNED_TO_NOBODY, label: tr('Nobody') },
            ...people.map(({ id, name }) => ({ value: id, label: id === me ? tr('{name} (me)', { name }) : name })),
          ]}
          value={filter.assigned}
          onChange={(assigned) => change({ assigned })}
        />
      )}
      <Switch
        label={tr('Only recordings with problems')}
        checked={filter.doubtful}
        onChange={(event) => change({ doubtful: event.currentTarget.checked })}
      />
    </ListFilters>
  );
}
