/**
 * Who works in this browser, one person a workspace. There are no passwords on a machine of one's own: this says whose work
 * it is, it keeps nobody out. Annotating goes without; reviewing does not.
 */
let signedIn: { ws: string; id: string } | null = null;

/** On a team's server it is who is signed in, and nobody is chosen. */
export function workAs(me: { ws: string; id: string } | null): void {
  signedIn = me;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const keyOf = (ws: string): string => `person:${ws}`;

/** The person chosen in a workspace, as it was kept; null when nobody was, or the browser keeps nothing. */
export function keptPerson(ws: string, store: Store = localStorage): string | null {
  if (signedIn !== null) return signedIn.ws === ws ? signedIn.id : null;
  try {
    return store.getItem(keyOf(ws));
  } catch {
    return null;
  }
}

export function keepPerson(ws: string, person: string, store: Store = localStorage): void {
  try {
    store.setItem(keyOf(ws), person);
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
}

const NAME = 'person-name';

/** The name that was last worked under in any workspace, to be proposed in a new one; empty when there is none. */
export function keptName(store: Store = localStorage): string {
  try {
    return store.getItem(NAME) ?? '';
  } catch {
    return '';
  }
}

export function keepName(name: string, store: Store = localStorage): void {
  try {
    store.setItem(NAME, name);
  } catch {
    // It is asked for again.
  }
}
