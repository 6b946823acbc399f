import type { BrokenLaw, Composition } from '../../schemas/composition.ts';
import { faultsIn } from './faults.ts';
import { instanceOf } from './instances.ts';
import { broken } from './law-sentences.ts';
import { completeSet, countOf, keyOfSet, ownValues, parametersOf, trialSets, type ValueSet } from './parameters.ts';
import { atPlace, mayHold, placeInTask, stands, type TaskContent, taskOfPlace } from './places.ts';
import { GIVEN, slotsOfMember } from './slots.ts';

/** The laws of templates (RULES.md, CP25 to CP28): of given values that vary, and of the instances that they make. */

/** CP25 */
export function parametersAreUsed(composition: Composition): BrokenLaw[] {
  const parameters = parametersOf(composition);
  const slots = new Set(composition.members.flatMap((member) => [...slotsOfMember(member).keys()]));
  const sources = new Set(parameters.flatMap(({ varies }) => ('of' in varies ? [varies.of] : [])));
  return parameters
    .filter(({ name, varies }) => !slots.has(`${GIVEN}.${name}`) && varies.puts.length === 0 && !sources.has(name))
    .map(({ name }) => broken('CP25', 'unusedParameter', { given: name }, { kind: 'note' }));
}

/** CP26, of places in the composition itself. */
export function placesAreThere(composition: Composition): BrokenLaw[] {
  const tasks = new Set(composition.members.map(({ task }) => task));
  return placesOf(composition).flatMap(({ name, value, place }): BrokenLaw[] => {
    const task = taskOfPlace(place);
    const said = { given: name, place };
    if (!mayHold(place) || (task !== null && !tasks.has(task))) return [broken('CP26', 'noSuchPlace', said)];
    return task === null ? faultAt(atPlace(composition, place), { ...said, value }) : [];
  });
}

/** CP26, of places in the tasks; one whose content is not known is passed over: CP14 says that it is not here. */
export function taskPlacesAreThere(composition: Composition, contents: ReadonlyMap<string, TaskContent>): BrokenLaw[] {
  return placesOf(composition).flatMap(({ name, value, place }): BrokenLaw[] => {
    const content = contents.get(taskOfPlace(place) ?? '');
    if (content === undefined || !mayHold(place)) return [];
    return faultAt(atPlace(content, placeInTask(place)), { given: name, place, value });
  });
}

const placesOf = (composition: Composition): { name: string; value: string; place: string }[] =>
  parametersOf(composition).flatMap(({ name, value, varies }) => varies.puts.map((place) => ({ name, value, place })));

function faultAt(leaf: unknown, said: { given: string; place: string; value: string }): BrokenLaw[] {
  if (typeof leaf !== 'string' && typeof leaf !== 'number') return [broken('CP26', 'noSuchPlace', said)];
  return stands(leaf, said.value) ? [] : [broken('CP26', 'notAtPlace', said)];
}

/** CP27 */
export function parametersGiveValues(composition: Composition): BrokenLaw[] {
  const { given } = composition.context;
  const own = ownValues(composition);
  return parametersOf(composition).flatMap(({ name, value, varies }): BrokenLaw[] => {
    if (varies.kind !== 'along' && varies.kind !== 'after') {
      const values = varies.kind === 'list' ? varies.values : [];
      if (new Set(values).size < values.length) return [broken('CP27', 'valueTwice', { given: name })];
      const others = countOf(varies) - (varies.kind === 'list' && values.includes(value) ? 1 : 0);
      return others > 0 ? [] : [broken('CP27', 'noValue', { given: name })];
    }
    const said = { given: name, of: varies.of };
    const source = given.find((one) => one.name === varies.of);
    if (varies.kind === 'along') {
      if (source?.varies?.kind !== 'list') return [broken('CP27', 'alongNoList', said)];
      if (source.varies.values.length !== varies.values.length) return [broken('CP27', 'alongOtherCount', said)];
      const at = source.varies.values.indexOf(source.value);
      if (at === -1 || varies.values[at] === value) return [];
      return [broken('CP27', 'otherOwnValue', { ...said, value, wanted: varies.values[at] ?? '' })];
    }
    const wanted = source === undefined ? null : ownAfter(composition, name, own);
    if (wanted === null) return [broken('CP27', 'afterNothing', said)];
    return wanted === value ? [] : [broken('CP27', 'otherOwnValue', { ...said, value, wanted })];
  });
}

/** The value of one that depends on another, by the template's own values; a list's own value need not be in it. */
function ownAfter(composition: Composition, name: string, own: ValueSet): string | null {
  const given = composition.context.given.map((one) => {
    const { varies, ...plain } = one;
    return varies?.kind === 'after' ? one : plain;
  });
  return completeSet({ context: { ...composition.context, given } }, own)?.get(name) ?? null;
}

/** So many sets of values are tried while a template is written. */
const TRIED = 24;

/** CP28; `lawsOf`: the laws that a composition breaks. */
export function instancesKeepLaws(composition: Composition, lawsOf: (one: Composition) => BrokenLaw[]): BrokenLaw[] {
  const known = new Set(lawsOf(composition).map(keyOf));
  const own = keyOfSet(ownValues(composition));
  return trialSets(composition, TRIED).flatMap((values): BrokenLaw[] => {
    if (keyOfSet(values) === own) return [];
    const laws = lawsOfInstance(composition, values, lawsOf).filter((law) => !known.has(keyOf(law)));
    const [first] = laws;
    if (first === undefined) return [];
    const place = { ...(first.member !== null && { member: first.member }) };
    return [broken('CP28', 'instanceBreaks', { values: valuesText(composition, values), law: first.law }, place)];
  });
}

const keyOf = ({ law, member, level }: BrokenLaw): string => `${law} ${member} ${level}`;

/** The laws that an instance with these values would break, without notes. */
function lawsOfInstance(
  template: Composition,
  values: ValueSet,
  lawsOf: (one: Composition) => BrokenLaw[],
): BrokenLaw[] {
  const instance = instanceOf(template, { seed: 0, number: 1, values });
  const [fault] = faultsIn(instance);
  if (fault) return [broken('CP26', 'unfit', { place: fault.field.replaceAll('.', '/') })];
  return lawsOf(instance).filter(({ kind }) => kind === 'broken');
}

/** The values that are others than the template's own: `time 14:15, room B2`. */
export function valuesText(template: Pick<Composition, 'context'>, values: ValueSet): string {
  const own = ownValues(template);
  const other = [...values].filter(([name, value]) => own.get(name) !== value);
  return other.map(([name, value]) => `${name} ${value}`).join(', ');
}
