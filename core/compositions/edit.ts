import type { Composition, Edge, Member, MemberOutput } from '../../schemas/composition.ts';
import { COMPOSITION_SCHEMA, SLOT_NAME, VERSION_WITHOUT_EVENTS } from '../../schemas/composition-terms.ts';
import { movedPlace, withPlaces } from './places.ts';
import { bind, GIVEN, slotKey, type TextSlot } from './slots.ts';

/**
 * Changes of a composition as an editor makes them. Each gives a new one, changed everywhere that it must be (a member that is
 * called otherwise keeps its edges and slots), and takes what it cannot do as nothing to do: then it gives the same one. While it
 * is written a composition may not fit its schema yet (no members, an empty text).
 */

export const newComposition = ({ id, kind, title }: Pick<Composition, 'id' | 'kind' | 'title'>): Composition => ({
  schema: COMPOSITION_SCHEMA,
  version: VERSION_WITHOUT_EVENTS,
  id,
  kind,
  title,
  context: { preferences: [], given: [] },
  members: [],
  edges: [],
});

/** A name that slots can hold, out of any words; `taken` are those that it must not be. */
export function slotNameOf(words: string, taken: readonly string[]): string {
  const plain = words
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    // Nowhere two of them after each other.
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .slice(0, 34)
    .replace(/_$/, '');
  const first = plain === '' ? 'task' : plain;
  for (let n = 1; ; n++) {
    const name = n === 1 ? first : `${first}_${n}`;
    if (!taken.includes(name)) return name;
  }
}

/** Puts members in at a place, with names of their own. */
export function addMembers(composition: Composition, added: readonly Member[], at: number): Composition {
  const { members } = composition;
  const taken = [GIVEN, ...members.map(({ id }) => id)];
  const named = added.map((member) => {
    const id = slotNameOf(member.id, taken);
    taken.push(id);
    return { ...member, id };
  });
  return { ...composition, members: [...members.slice(0, at), ...named, ...members.slice(at)] };
}

/** A member that is no task of the library yet. A pathway's has the one answer that it must have. */
export function emptyMember(kind: Composition['kind']): Member {
  const outputs = kind === 'pathway' ? [newOutput('answer')] : [];
  return { id: 'task', task: null, instructions: { base: '' }, apps: {}, way: [], outputs };
}

export const newOutput = (name: string): MemberOutput => ({
  name,
  value: '',
  tolerance: 0,
  alternatives: [],
  from: 'answer',
  stable: true,
});

/** With its edges and the events after it; slots that name it stay in the texts, where a law says that nothing gives them. */
export const removeMember = (composition: Composition, id: string): Composition => ({
  ...composition,
  members: composition.members.filter((member) => member.id !== id),
  edges: composition.edges.filter(({ from, to }) => from !== id && to !== id),
  ...(composition.events && {
    events: composition.events.filter(({ at }) => !('after' in at && at.after === id)),
  }),
});

/** `by`: so many places down; less than 0: up. */
export function moveMember(composition: Composition, id: string, by: number): Composition {
  const at = composition.members.findIndex((member) => member.id === id);
  const to = Math.max(0, Math.min(at + by, composition.members.length - 1));
  const member = composition.members[at];
  if (!member || to === at) return composition;
  return { ...composition, members: composition.members.toSpliced(at, 1).toSpliced(to, 0, member) };
}

export const changeMember = (composition: Composition, id: string, change: Partial<Member>): Composition => ({
  ...composition,
  members: composition.members.map((member) => (member.id === id ? { ...member, ...change } : member)),
});

/** Nothing for a name that is taken or can be none. */
export function renameMember(composition: Composition, id: string, name: string): Composition {
  const { members, edges, events } = composition;
  if (name === id || name === GIVEN || !SLOT_NAME.test(name) || members.some((member) => member.id === name))
    return composition;
  const end = (of: string): string => (of === id ? name : of);
  const moved = withSlots(composition, (slot) => ({ ...slot, of: end(slot.of) }));
  return {
    ...withPlaces(moved, (place) => movedPlace(place, `members/${id}`, `members/${name}`)),
    members: moved.members.map(({ takes, ...member }) => ({
      ...member,
      id: end(member.id),
      ...(takes && { takes: takes.map((one) => ({ ...one, from: end(one.from) })) }),
    })),
    edges: edges.map((edge) => ({ ...edge, from: end(edge.from), to: end(edge.to) })),
    ...(events && {
      events: events.map((event) => ('after' in event.at ? { ...event, at: { after: end(event.at.after) } } : event)),
    }),
  };
}

/** The same for an output of a member. */
export function renameOutput(composition: Composition, member: string, output: string, name: string): Composition {
  const outputs = composition.members.find(({ id }) => id === member)?.outputs ?? [];
  if (name === output || !SLOT_NAME.test(name) || outputs.some((one) => one.name === name)) return composition;
  const moved = withSlots(composition, (slot) =>
    slot.of === member && slot.output === output ? { ...slot, output: name } : slot,
  );
  const renamed = outputs.map((one) => (one.name === output ? { ...one, name } : one));
  const places = `members/${member}/outputs/`;
  return {
    ...withPlaces(changeMember(moved, member, { outputs: renamed }), (place) =>
      movedPlace(place, places + output, places + name),
    ),
    edges: moved.edges.map((edge) =>
      edge.kind === 'data' && edge.from === member && edge.output === output ? { ...edge, output: name } : edge,
    ),
  };
}

/** With every slot of its texts changed. */
export function withSlots(composition: Composition, change: (slot: TextSlot) => TextSlot): Composition {
  const text = (of: string): string => bind(of, (slot) => `{{${slotKey(change(slot))}}}`);
  return {
    ...composition,
    members: composition.members.map((member) => {
      const { base, L0, L1, L2 } = member.instructions;
      return {
        ...member,
        instructions: {
          base: text(base),
          ...(L0 !== undefined && { L0: text(L0) }),
          ...(L1 !== undefined && { L1: text(L1) }),
          ...(L2 !== undefined && { L2: text(L2) }),
        },
      };
    }),
  };
}

const sameEdge = (a: Edge, b: Edge): boolean =>
  a.kind === b.kind &&
  a.from === b.from &&
  a.to === b.to &&
  (a.kind !== 'data' || (b.kind === 'data' && a.output === b.output));

export const PLATFORM_NAMES = ['Android', 'Windows', 'Linux', 'macOS', 'Web', 'iOS'];

/** A member with one more platform, named as the first that it does not have. */
export function withPlatform({ apps }: Pick<Member, 'apps'>): Pick<Member, 'apps'> {
  const free = [...PLATFORM_NAMES, ''].find((name) => !(name in apps));
  return free === undefined ? { apps } : { apps: { ...apps, [free]: [] } };
}

/** Nothing for one that is there already. */
export const withEdge = (composition: Composition, edge: Edge): Composition =>
  composition.edges.some((one) => sameEdge(one, edge))
    ? composition
    : { ...composition, edges: [...composition.edges, edge] };

export const withoutEdge = (composition: Composition, edge: Edge): Composition => ({
  ...composition,
  edges: composition.edges.filter((one) => !sameEdge(one, edge)),
});

/** Places that a member could be joined to and is not: every output of the others, and the others themselves. */
export function joinsFor({ kind, members, edges }: Composition, to: string): Edge[] {
  const others = members.filter(({ id }) => id !== to);
  const all = others.flatMap(({ id: from, outputs }): Edge[] => [
    ...outputs.map(({ name }): Edge => ({ kind: 'data', from, to, output: name })),
    ...(kind === 'pathway'
      ? []
      : [
          { kind: 'hard' as const, from, to },
          { kind: 'time' as const, from, to, atLeast: 0 },
        ]),
  ]);
  return all.filter((edge) => !edges.some((one) => sameEdge(one, edge)));
}
