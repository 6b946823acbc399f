import { type Composition, compositionSchema } from '../../schemas/composition.ts';

/** A day of so many members in a chain of answers, each with four levels; one room and one time vary. */
export function manyMembers(count: number): Composition {
  const rooms = [...Array(400).keys()].map((n) => `Lab ${n + 100}`);
  const puts = ['members/m0/outputs/room/value'];
  return compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 4,
    id: 'day',
    kind: 'scenario',
    title: 'A day',
    context: {
      given: [
        { name: 'room', value: 'Lab 100', varies: { kind: 'list', values: rooms, puts } },
        { name: 'time', value: '11:30', varies: { kind: 'time', from: '09:00', to: '16:00', step: 5, puts: [] } },
      ],
    },
    members: [...Array(count).keys()].map((n) => ({
      id: `m${n}`,
      task: `NOTE_${n + 1}`,
      instructions: {
        base: `Note ${n}: go to {{given.room}}.`,
        L0: `Open Notes and write that note ${n} is in {{given.room}} at {{given.time}}${n === 0 ? '' : `, after {{m${n - 1}.room}}`}.`,
        L1: `Write note ${n} for {{given.time}}.`,
        L2: `Do not forget note ${n}.`,
      },
      outputs: [{ name: 'room', value: n === 0 ? 'Lab 100' : `Hall ${n}` }],
    })),
    edges: [...Array(count - 1).keys()].map((n) => ({ kind: 'data', from: `m${n}`, to: `m${n + 1}`, output: 'room' })),
  });
}
