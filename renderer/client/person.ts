import { useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import type { Person } from '../../schemas/api/models.ts';
import { tr } from '../language/tr.ts';
import { keepPerson, keptPerson } from './kept-person.ts';
import { queries } from './queries.ts';

type Chosen = { byWorkspace: Readonly<Record<string, string | null>>; asking: boolean };
const useChosen = create<Chosen>(() => ({ byWorkspace: {}, asking: false }));

export function choosePerson(ws: string, person: string): void {
  keepPerson(ws, person);
  useChosen.setState(({ byWorkspace }) => ({ byWorkspace: { ...byWorkspace, [ws]: person }, asking: false }));
}

/** Opens or closes the chooser that the shell holds. */
export function askWho(asking = true): void {
  useChosen.setState({ asking });
}

export const useAskingWho = (): boolean => useChosen((state) => state.asking);

/** The id of who works here; null when nobody was chosen. Not asked whether the person is still in the list: the studio does. */
export function usePersonId(ws: string | null): string | null {
  return useChosen(({ byWorkspace }) =>
    ws === null ? null : ws in byWorkspace ? (byWorkspace[ws] ?? null) : keptPerson(ws),
  );
}

/** The same with the name; null also while the list is on its way, or when somebody took the person out of it. */
export function usePerson(ws: string | null): Person | null {
  const id = usePersonId(ws);
  const people = useQuery({ ...queries.people(ws ?? ''), enabled: ws !== null }).data;
  return people?.find((one) => one.id === id) ?? null;
}

/**
 * A person's name for lists; an id that nobody has any more stands for itself, `me` for work before anybody was chosen.
 * Until the names are there it is an ellipsis.
 */
export function usePersonName(ws: string): (id: string) => string {
  const { data: people, isPending } = useQuery(queries.people(ws));
  return (id) => {
    if (id === 'me') return tr('No name chosen');
    return people?.find((one) => one.id === id)?.name ?? (isPending ? '…' : id);
  };
}
