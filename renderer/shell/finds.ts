import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { columnsSetting } from '../client/columns.ts';
import { paths } from '../client/paths.ts';
import { usePersonId } from '../client/person.ts';
import { queries } from '../client/queries.ts';
import { searchOfView, VIEWED_LISTS, viewsSetting } from '../client/saved-views.ts';
import { useSettings } from '../client/settings.ts';
import { datasetQueries } from '../datasets/queries.ts';
import { tr } from '../language/tr.ts';
import { listPart } from '../ui/address.ts';

/** Something of the workspace that the palette leads to. `id` is unique among all kinds. */
export type Find = {
  id: string;
  kind: 'Task' | 'Recording' | 'Person' | 'Version' | 'View';
  label: string;
  href: string;
};
type Entry = Find & { hay: string };

/** The most of each kind; more words find fewer. */
const MOST_OF_A_KIND = 6;
const NOTHING: readonly Find[] = [];

/** Tasks, recordings, people and versions that have all these words; none while nothing is typed. */
export function useFinds(ws: string | null, text: string): readonly Find[] {
  const enabled = ws !== null && text.trim() !== '';
  const of = ws ?? '';
  const { data: tasks } = useQuery({ ...queries.tasks(of), enabled });
  const { data: recordings } = useQuery({ ...queries.recordings(of), enabled });
  const { data: people } = useQuery({ ...queries.people(of), enabled });
  const { data: dataset } = useQuery({ ...datasetQueries.versions(of), enabled });
  const settings = useSettings();
  const person = usePersonId(ws);
  const entries = useMemo((): Entry[] => {
    const entry = (kind: Find['kind'], id: string, label: string, href: string, more = ''): Entry => ({
      id: `${kind}:${id}`,
      kind,
      label,
      href,
      hay: `${label} ${more} ${kind}`.toLowerCase(),
    });
    return [
      ...(tasks ?? []).map(({ id, goal }) => entry('Task', id, titled(id, goal), paths.task(of, id))),
      ...(recordings ?? []).map(({ id, task, goal, startedAt }) =>
        entry('Recording', id, `${titled(task, goal)}, ${timeOf(startedAt)}`, paths.annotate(of, id), id),
      ),
      ...(people ?? []).map(({ id, name }) =>
        entry('Person', id, name, `${paths.dataset(of)}?people=${encodeURIComponent(listPart([name]) ?? '')}`),
      ),
      ...(dataset?.versions ?? []).map(({ name, changelog }) =>
        entry(
          'Version',
          name,
          name,
          `${paths.dataset(of, 'versions')}?version=${encodeURIComponent(name)}`,
          changelog.slice(0, 200),
        ),
      ),
      ...VIEWED_LISTS.flatMap((list) =>
        viewsSetting(settings, of, list, person).map((view) => {
          const search = searchOfView(view, columnsSetting(settings, of, list, person));
          return entry(
            'View',
            `${list}:${view.name}`,
            `${view.name} (${LIST_NAMES[list]})`,
            `${pathOf[list](of)}?${search}`,
          );
        }),
      ),
    ];
  }, [tasks, recordings, people, dataset, of, settings, person]);
  return useMemo(() => (enabled ? findEntries(entries, text) : NOTHING), [enabled, entries, text]);
}

/** A few of each kind, those that begin with the first word before the others. */
export function findEntries<T extends Pick<Entry, 'kind' | 'hay'>>(entries: readonly T[], text: string): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const score = ({ hay }: T): number => (hay.startsWith(words[0] ?? '') ? 0 : 1);
  const found = entries.filter(({ hay }) => words.every((word) => hay.includes(word)));
  const taken = new Map<string, number>();
  return found
    .toSorted((a, b) => score(a) - score(b))
    .filter(({ kind }) => {
      const n = (taken.get(kind) ?? 0) + 1;
      taken.set(kind, n);
      return n <= MOST_OF_A_KIND;
    })
    .toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

const pathOf = { library: paths.library, recordings: paths.recordings, dataset: (ws: string) => paths.dataset(ws) };
const LIST_NAMES = { library: tr('Library'), recordings: tr('Recordings'), dataset: tr('Data set') };
const KINDS: readonly Find['kind'][] = ['Task', 'Recording', 'Person', 'Version', 'View'];
const titled = (id: string, goal: string): string => (goal === '' ? id : `${id}: ${goal.slice(0, 120)}`);
const timeOf = (iso: string): string =>
  new Date(iso).toLocaleString('en', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
