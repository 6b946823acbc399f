import type { Proposal } from '../../../schemas/annotation.ts';

const same = (a: Proposal, b: Proposal): boolean =>
  a.name === b.name && a.source === b.source && JSON.stringify(a.box) === JSON.stringify(b.box);

/**
 * New proposals for a step whose list a person may be reading: those shown keep their digits, what is new comes
 * behind it. A digit must never mean something else between the look and the press.
 */
export function keepPlaces(shown: readonly Proposal[], found: readonly Proposal[], most: number): Proposal[] {
  const added = found.filter((proposal) => !shown.some((there) => same(there, proposal)));
  return [...shown, ...added].slice(0, most);
}
