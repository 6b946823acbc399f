/** Who is meant by what is typed into the chooser of a person. */

type Named = { id: string; name: string; email: string | null };

export type Meant<P extends Named> = {
  /** Those whose name or address has what is typed, in their order; all while nothing is. */
  shown: P[];
  /** The one who is called exactly so. */
  exact: P | null;
  /** Nobody is called so, but some alike: that a new person is meant is asked once more. */
  isDoubtful: boolean;
};

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toLocaleLowerCase();

/** Enter takes `exact`, or adds; it never takes somebody of whom only a part was typed. */
export function personMeant<P extends Named>(people: readonly P[], typed: string): Meant<P> {
  const text = plain(typed);
  if (text === '') return { shown: [...people], exact: null, isDoubtful: false };
  const shown = people.filter(({ name, email }) => plain(name).includes(text) || plain(email ?? '').includes(text));
  const exact = shown.find(({ name }) => plain(name) === text) ?? null;
  return { shown, exact, isDoubtful: exact === null && shown.length > 0 };
}
