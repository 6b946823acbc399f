import type { Composition, Varies } from '../../schemas/composition.ts';
import { TIME_OF_DAY } from '../../schemas/composition-terms.ts';
import { randomFrom, seedOf, shuffled } from '../evaluate/random.ts';
import { minutesOf } from './time-of-day.ts';

/**
 * Given values that vary make a composition a template. Some draw a value by themselves, some depend on another one. A set of values
 * has one for each that varies.
 */

type Given = Composition['context']['given'][number];
type Parameter = Given & { varies: Varies };
export type ValueSet = ReadonlyMap<string, string>;

export const parametersOf = ({ context }: Pick<Composition, 'context'>): Parameter[] =>
  context.given.flatMap(({ varies, ...given }) => (varies === undefined ? [] : [{ ...given, varies }]));

/** The values that the template has itself. */
export const ownValues = (composition: Pick<Composition, 'context'>): ValueSet =>
  new Map(parametersOf(composition).map(({ name, value }) => [name, value]));

const MINUTES_OF_DAY = 24 * 60;
const DAY = 86_400_000;
const DATE = /^\d{4}-\d\d-\d\d$/;
const WHOLE = /^-?\d{1,15}$/;

const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const daysOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY;
const dateOf = (days: number): string => new Date(days * DAY).toISOString().slice(0, 10);

/** How many values it draws from; 0 for one that gives none, and for one that depends on another. */
export function countOf(varies: Varies): number {
  if (varies.kind === 'along' || varies.kind === 'after') return 0;
  if (varies.kind === 'list') return varies.values.length;
  const [from, to] = endsOf(varies);
  return Number.isFinite(to - from) && to >= from ? Math.floor((to - from) / varies.step) + 1 : 0;
}

function endsOf(varies: Extract<Varies, { step: number }>): [number, number] {
  if (varies.kind === 'whole') return [varies.from, varies.to];
  const number = varies.kind === 'time' ? minutesOf : daysOf;
  return [number(varies.from), number(varies.to)];
}

/** Its n-th value, from 0; null: there is none. */
export function drawnAt(varies: Varies, n: number): string | null {
  if (n >= countOf(varies) || varies.kind === 'along' || varies.kind === 'after') return null;
  if (varies.kind === 'list') return varies.values[n] ?? null;
  const number = endsOf(varies)[0] + n * varies.step;
  return varies.kind === 'whole' ? String(number) : varies.kind === 'time' ? timeOf(number) : dateOf(number);
}

/** So much more than a whole number, a time of the same day or a date; null: there is no such value. */
export function moved(value: string, plus: number): string | null {
  switch (kindOfValue(value)) {
    case 'time': {
      const minutes = minutesOf(value) + plus;
      return minutes >= 0 && minutes < MINUTES_OF_DAY ? timeOf(minutes) : null;
    }
    case 'date': {
      const days = daysOf(value) + plus;
      return Number.isFinite(days) && Math.abs(days) < 100_000 ? dateOf(days) : null;
    }
    case 'whole':
      return String(Number(value) + plus);
    case null:
      return null;
  }
}

/** Whether a value is one that is counted with; null: it is another text. */
export function kindOfValue(value: string): 'time' | 'date' | 'whole' | null {
  if (TIME_OF_DAY.test(value)) return 'time';
  if (DATE.test(value)) return 'date';
  return WHOLE.test(value) ? 'whole' : null;
}

/** By how much a value is more than another one of its kind, so that `moved` leads from the one to the other; null: they are of two kinds. */
export function apartBy(from: string, to: string): number | null {
  const kind = kindOfValue(from);
  if (kind === null || kind !== kindOfValue(to)) return null;
  const number = kind === 'time' ? minutesOf : kind === 'date' ? daysOf : Number;
  const plus = number(to) - number(from);
  return moved(from, plus) === to ? plus : null;
}

/** All values that follow from those that were drawn; null where one of them gives no value. */
export function completeSet(
  composition: Pick<Composition, 'context'>,
  drawn: ReadonlyMap<string, string>,
): ValueSet | null {
  const given = new Map(composition.context.given.map((one) => [one.name, one]));
  const find = (name: string, above: readonly string[]): string | null => {
    const one = given.get(name);
    if (!one || above.includes(name)) return null;
    const { varies } = one;
    if (varies === undefined) return one.value;
    if (varies.kind !== 'along' && varies.kind !== 'after') return drawn.get(name) ?? null;
    const of = find(varies.of, [...above, name]);
    if (of === null) return null;
    if (varies.kind === 'after') return moved(of, varies.plus);
    const source = given.get(varies.of)?.varies;
    return source?.kind === 'list' ? (varies.values[source.values.indexOf(of)] ?? null) : null;
  };
  const values = parametersOf(composition).map(({ name }) => [name, find(name, [])] as const);
  const found = values.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return found.length === values.length ? new Map(found) : null;
}

/** Names a set, so that two of the same values have one name. */
export const keyOfSet = (values: ValueSet): string => JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));

/** At most so many sets are put in a row and mixed; of more, some are drawn. */
const MOST_MIXED = 10_000;
/** Draws without a new set, after which it is taken that there is none. */
const MOST_IN_VAIN = 10_000;

/** How many different draws there are, without those that depend; Infinity for very many. */
export const drawsOf = (composition: Pick<Composition, 'context'>): number =>
  independentOf(composition).reduce((all, { varies }) => all * countOf(varies), 1);

const independentOf = (composition: Pick<Composition, 'context'>): Parameter[] =>
  parametersOf(composition).filter(({ varies: { kind } }) => kind !== 'along' && kind !== 'after');

/** Sets of values in the order in which a seed draws them, each once, none of them the template's own. */
export function* drawnSets(composition: Pick<Composition, 'context'>, seed: number): Generator<ValueSet> {
  const seen = new Set([keyOfSet(ownValues(composition))]);
  for (const numbers of drawnNumbers(independentOf(composition), seed)) {
    const set = completeSet(composition, numbers);
    if (set === null || seen.has(keyOfSet(set))) continue;
    seen.add(keyOfSet(set));
    yield set;
  }
}

function* drawnNumbers(parameters: readonly Parameter[], seed: number): Generator<Map<string, string>> {
  const counts = parameters.map(({ varies }) => countOf(varies));
  const all = counts.reduce((product, count) => product * count, 1);
  if (parameters.length === 0 || all === 0) return;
  const random = randomFrom(seedOf('values', seed));
  const setOf = (pick: (count: number) => number): Map<string, string> =>
    new Map(parameters.map(({ name, varies }, n) => [name, drawnAt(varies, pick(counts[n] ?? 1)) ?? '']));
  if (all <= MOST_MIXED) {
    for (const place of shuffled([...Array(all).keys()], random)) {
      let left = place;
      yield setOf((count) => {
        const n = left % count;
        left = Math.floor(left / count);
        return n;
      });
    }
    return;
  }
  const drawn = new Set<string>();
  for (let vain = 0; vain < MOST_IN_VAIN; vain++) {
    const set = setOf((count) => Math.floor(random() * count));
    const key = keyOfSet(set);
    if (drawn.has(key)) continue;
    drawn.add(key);
    vain = 0;
    yield set;
  }
}

/** Some draws that show whether values fit: each parameter's ends and some between, the others as the template has them. */
export function trialSets(composition: Pick<Composition, 'context'>, most: number): ValueSet[] {
  const independent = independentOf(composition);
  const own = new Map(independent.map(({ name, value }) => [name, value]));
  const each = Math.max(2, Math.floor(most / Math.max(1, independent.length)));
  const sets = independent.slice(0, most).flatMap(({ name, varies }) => {
    const count = countOf(varies);
    const shown = Math.min(count, each);
    const places = [...Array(shown).keys()].map((n) => (shown === 1 ? 0 : Math.round((n * (count - 1)) / (shown - 1))));
    return [...new Set(places)].map((n) => completeSet(composition, new Map(own).set(name, drawnAt(varies, n) ?? '')));
  });
  return sets.filter((set) => set !== null);
}
