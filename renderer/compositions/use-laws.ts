import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { brokenLaws, changesAreNamed, type NamedServices, tasksAreThere } from '../../core/compositions/laws.ts';
import type { TaskContent } from '../../core/compositions/places.ts';
import { taskPlacesAreThere } from '../../core/compositions/template-laws.ts';
import type { LawShown } from '../../schemas/api/compositions.ts';
import type { Composition } from '../../schemas/composition.ts';
import { client } from '../client/api.ts';
import { askerOf, queries } from '../client/queries.ts';

const SOON_MS = 60_000;

type Checked = {
  laws: readonly LawShown[];
  services: NamedServices;
  /** Contents of the tasks; asked for only where a value varies. */
  contents: ReadonlyMap<string, TaskContent>;
};

/** The laws that it breaks as it is written now. Most need nothing but the composition; CP14 and parts of CP23 and CP26 ask for its tasks. */
export function useLaws(ws: string, now: Composition): Checked {
  const calm = useDeferredValue(now);
  const tasks = [...new Set(calm.members.flatMap(({ task }) => task ?? []))].sort();
  const isTemplate = calm.context.given.some(({ varies }) => varies !== undefined);
  const known = useQuery({
    queryKey: [...queries.tasks(ws).queryKey, 'known', ...tasks],
    queryFn: ({ signal }) => client.compositions.known({ ws, ...askerOf(ws), tasks }, { signal }),
    enabled: tasks.length > 0,
    staleTime: SOON_MS,
    placeholderData: (before) => before,
  });
  const inside = useQuery({
    queryKey: [...queries.tasks(ws).queryKey, 'contents', ...tasks],
    queryFn: ({ signal }) => client.compositions.contents({ ws, ...askerOf(ws), tasks }, { signal }),
    enabled: isTemplate && tasks.length > 0,
    staleTime: SOON_MS,
    placeholderData: (before) => before,
  });
  const there = known.data;
  const contents = useMemo(
    () => new Map((inside.data ?? []).map(({ task, ...content }) => [task, content])),
    [inside.data],
  );
  return useMemo(() => {
    const named = calm.members.every(({ task }) => task === null);
    const checks = new Map((there ?? []).map((one) => [one.task, one.checks && new Set(one.checks)]));
    const services = new Map((there ?? []).map((one) => [one.task, one.services]));
    return {
      laws: [
        ...brokenLaws(calm),
        ...(there || named ? [...tasksAreThere(calm, checks), ...changesAreNamed(calm, services)] : []),
        ...taskPlacesAreThere(calm, contents),
      ],
      services: (there ?? []).flatMap((one) => one.services ?? []),
      contents,
    };
  }, [calm, there, contents]);
}
