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
function saidBy(member: Member, truth: ReturnType<typeof truthOf>): string {
  return JSON.stringify([
    levelsOf(member).map(([level, text]) => [level, bind(text, truth)]),
    member.outputs,
    member.takes,
  ]);
}

/** The members that are other tasks in an instance: they ask for other values, or their tasks hold some. */
export function otherMembers(template: Composition, instance: Composition): Set<string> {
  const values = new Map(instance.context.given.map(({ name, value }) => [name, value]));
  const inTasks = swapsOf(template, values).filter(({ own, value }) => own !== value);
  const tasks = new Set(inTasks.flatMap(({ place }) => taskOfPlace(place) ?? []));
  const [own, others] = [truthOf(template), truthOf(instance)];
  const pairs = template.members.map((member, n) => [member, instance.members[n]] as const);
  const other = pairs.filter(
    ([was, is]) =>
      is !== undefined && ((was.task !== null && tasks.has(was.task)) || saidBy(was, own) !== saidBy(is, others)),
  );
  // One task done twice is one other task.
  const same = new Set(other.flatMap(([{ task }]) => task ?? []));
  const ids = new Set(other.map(([was]) => was.id));
  const all = template.members.filter(({ id, task }) => ids.has(id) || (task !== null && same.has(task)));
  return new Set(all.map(({ id }) => id));
}

/**
 * Tasks of the template as an instance has them. Where no place says so a task's goal is what the member asks for with
 * the values in it, and its answer the output that it was.
 */
export function tasksOfInstance(
  template: Composition,
  instance: Composition,
): (task: string, content: TaskContent) => TaskContent {
  const values = new Map(instance.context.given.map(({ name, value }) => [name, value]));
  const all = Map.groupBy(swapsOf(template, values), ({ place }) => taskOfPlace(place) ?? '');
  const truth = truthOf(instance);
  const [own, others] = [template, instance].map(({ members }) => Map.groupBy(members, ({ task }) => task ?? ''));
  return (task, content) => {
    const swaps = (all.get(task) ?? []).map((swap) => ({ ...swap, place: placeInTask(swap.place) }));
    const swapped = withSwaps(content, swaps);
    const said = new Set(swaps.map(({ place }) => place));
    const [before, after] = [own?.get(task)?.[0], others?.get(task)?.[0]];
    if (!before || !after) return swapped;
    const { instructions } = after;
    const goal = said.has('goal') ? swapped.goal : bind(instructions.L0 ?? instructions.base, truth);
    return { ...swapped, goal, answer: said.has('answer') ? swapped.answer : answerOf(content.answer, before, after) };
  };
}

function answerOf(answer: string, before: Member, after: Member): string {
  const at = before.outputs.findIndex(({ value }) => answer !== '' && wordsOfValue(value) === answer);
  const output = after.outputs[at];
  return output === undefined ? answer : wordsOfValue(output.value);
}
