import type { Composition, InstanceOrigin, Member } from '../../schemas/composition.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { parametersOf, type ValueSet } from './parameters.ts';
import { placeInTask, type TaskContent, taskOfPlace, withSwaps } from './places.ts';
import { bind, levelsOf, truthOf, wordsOfValue } from './slots.ts';

/** An instance of a template: the same composition with other values, which says where it comes from. */

type Swap = { place: string; own: string; value: string };

const swapsOf = (template: Pick<Composition, 'context'>, values: ValueSet): Swap[] =>
  parametersOf(template).flatMap(({ name, value: own, varies }) =>
    varies.puts.map((place) => ({ place, own, value: values.get(name) ?? own })),
  );

const instanceId = (template: string, seed: number, number: number): string => `${template}-${seed}-${number}`;

/** The composition itself; its members still name the template's tasks. It may break laws, and not fit its schema. */
export function instanceOf(
  template: Composition,
  { seed, number, values }: { seed: number; number: number; values: ValueSet },
): Composition {
  const { tasks: _tasks, verification: _verification, ...own } = template;
  const swaps = swapsOf(template, values).filter(({ place }) => taskOfPlace(place) === null);
  const swapped = withSwaps(own, swaps);
  const given = template.context.given.map(({ name, value }) => ({ name, value: values.get(name) ?? value }));
  const suffix = ` (${seed}-${number})`;
  const origin: InstanceOrigin = {
    template: template.id,
    seed,
    number,
    values: [...values].map(([name, value]) => ({ name, value })),
  };
  return {
    ...swapped,
    id: instanceId(template.id, seed, number),
    title: swapped.title.slice(0, COMPOSITION_LIMITS.short - suffix.length) + suffix,
    context: { ...swapped.context, given },
    origin,
  };
}

/** All that a member asks for and gives, with every value in it. */
function saidBy(composition: Composition, member: Member): string {
  const truth = truthOf(composition);
  return JSON.stringify([levelsOf(member).map(([level, text]) => [level, bind(text, truth)]), member.outputs]);
}

/** The members that are other tasks in an instance: they ask for other values, or their tasks hold some. */
export function otherMembers(template: Composition, instance: Composition): Set<string> {
  const values = new Map(instance.context.given.map(({ name, value }) => [name, value]));
  const inTasks = swapsOf(template, values).filter(({ own, value }) => own !== value);
  const tasks = new Set(inTasks.flatMap(({ place }) => taskOfPlace(place) ?? []));
  const pairs = template.members.map((member, n) => [member, instance.members[n]] as const);
  const other = pairs.filter(
    ([was, is]) =>
      is !== undefined &&
      ((was.task !== null && tasks.has(was.task)) || saidBy(template, was) !== saidBy(instance, is)),
  );
  // One task done twice is one other task.
  const same = new Set(other.flatMap(([{ task }]) => task ?? []));
  const all = template.members.filter(
    ({ id, task }) => other.some(([was]) => was.id === id) || (task !== null && same.has(task)),
  );
  return new Set(all.map(({ id }) => id));
}

/**
 * A task of the template as an instance has it. Where no place says so its goal is what the member asks for with the values in it,
 * and its answer the output that it was.
 */
export function taskOfInstance(
  template: Composition,
  instance: Composition,
  { task, content }: { task: string; content: TaskContent },
): TaskContent {
  const values = new Map(instance.context.given.map(({ name, value }) => [name, value]));
  const swaps = swapsOf(template, values)
    .filter(({ place }) => taskOfPlace(place) === task)
    .map((swap) => ({ ...swap, place: placeInTask(swap.place) }));
  const swapped = withSwaps(content, swaps);
  const said = new Set(swaps.map(({ place }) => place));
  const [was, is] = [template, instance].map(({ members }) => members.filter((member) => member.task === task));
  const [before, after] = [was?.[0], is?.[0]];
  if (!before || !after) return swapped;
  const goal = said.has('goal') ? swapped.goal : goalOf(instance, after);
  return { ...swapped, goal, answer: said.has('answer') ? swapped.answer : answerOf(content.answer, before, after) };
}

const goalOf = (instance: Composition, { instructions }: Member): string =>
  bind(instructions.L0 ?? instructions.base, truthOf(instance));

function answerOf(answer: string, before: Member, after: Member): string {
  const at = before.outputs.findIndex(({ value }) => answer !== '' && wordsOfValue(value) === answer);
  const output = after.outputs[at];
  return output === undefined ? answer : wordsOfValue(output.value);
}
