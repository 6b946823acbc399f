import { useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import type { Person } from '../../schemas/api/models.ts';
import { queries } from './queries.ts';

/**
 * Who works in this browser, one person a workspace. There are no passwords on a machine of one's own: this says whose work
 * it is, it keeps nobody out. Annotating goes without; reviewing does not.
 */
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const keyOf = (ws: string): string => `person:${ws}`;

/** The person chosen in a workspace, as it was kept; null when nobody was, or the browser keeps nothing. */
export function keptPerson(ws: string, store: Store = localStorage): string | null {
  try {
    return store.getItem(keyOf(ws));
  } catch {
    return null;
  }
}

function keepPerson(ws: string, person: string, store: Store = localStorage): void {
  try {
    store.setItem(keyOf(ws), person);
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
}

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

/** A person's name for lists; an id that nobody has any more stands for itself, `me` for work before anybody was chosen. */
export function usePersonName(ws: string): (id: string) => string {
  const people = useQuery(queries.people(ws)).data;
  return (id) => people?.find((one) => one.id === id)?.name ?? (id === 'me' ? 'Not said who' : id);
}
