import { expect, test } from 'vitest';
import { timeOfText, timeText } from '../../../core/compositions/day.ts';
import { type Composition, compositionSchema } from '../../../schemas/composition.ts';
import type { RanEvent } from '../../../schemas/composition-run.ts';
import { recipeSchema } from '../../../schemas/play.ts';
import { needChanges, openDay } from './day.ts';

/** Events of a scenario, on a stage that writes down its orders. */

const { services } = recipeSchema.parse({
  schema: 'trajectory-studio/recipe',
  version: 3,
  services: [
    { name: 'shop', command: 'node', port: 8100, changes: [{ name: 'sold-out', command: 'node', args: ['x.mjs'] }] },
  ],
});
const day = (events: object[]): Composition =>
  compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 2,
    id: 'day',
    kind: 'scenario',
    title: 'Day',
    context: { begins: '2026-03-02' },
    members: ['08:50', '09:30'].map((from, n) => ({
      id: `task_${n}`,
      instructions: { base: 'Do it' },
      window: { from, to: '12:00' },
    })),
    events,
  });

function stageOf(gone: string[] = []) {
  const told: string[] = [];
  let now = timeOfText('2026-03-02T08:50');
  const note = (what: string): void => {
    if (gone.some((one) => what.includes(one))) throw new Error(`no ${what} here`);
    told.push(`${timeText(now).slice(11, 16)} ${what}`);
  };
  const stage = {
    clock: {
      now: () => now,
      set: (at: number) => {
        now = at;
      },
    },
    run: async ({ command, args }: { command: string; args: readonly string[] }) =>
      note([command, ...args.slice(command === 'sh' ? 3 : 0)].join(' ')),
    raise: async (title: string) => note(`window ${title}`),
  };
  return { stage, told };
}

const EVENTS = [
  { id: 'window', at: { from: '09:10' }, happens: [{ kind: 'window', title: 'Alarm' }] },
  { id: 'paper', at: { from: '09:05' }, happens: [{ kind: 'file', to: 'Downloads/a.txt', text: 'it’s $HOME' }] },
  { id: 'sold', at: { after: 'task_0' }, happens: [{ kind: 'service', service: 'shop', change: 'sold-out' }] },
  { id: 'call', at: { from: '09:30' }, happens: [{ kind: 'notification', title: 'Call', text: 'Ring' }] },
];

test('events come at their times and after their tasks; one for a window that is gone is said, and the run goes on', async () => {
  const { stage, told } = stageOf(['window']);
  const said: string[] = [];
  const composition = day(EVENTS);
  const { signal } = new AbortController();
  const own = openDay({
    composition,
    seed: 7,
    clock: stage.clock,
    on: () => ({ stage, services }),
    progress: (text) => void said.push(text),
    signal,
  });
  let events: RanEvent[] = await own.until('task_0', { results: [] });
  expect([events, own.time()]).toEqual([[], '2026-03-02T08:50:00']);
  events = await own.after('task_0', { events });
  events = await own.until('task_1', { results: [], events });
  expect(told).toEqual(['08:50 node x.mjs', '09:05 sh ~/Downloads/a.txt it’s $HOME', '09:30 notify-send Call Ring']);
  expect(own.time()).toBe('2026-03-02T09:30:00');
  expect(events.map(({ id, failed, at }) => [id, failed === null, at?.slice(11, 16)])).toEqual([
    ['sold', true, '08:50'],
    ['paper', true, '09:05'],
    ['window', false, '09:10'],
    ['call', true, '09:30'],
  ]);
  expect(said.join('\n')).toMatch(/warning: 09:10 event window \(window\) did not happen: .*no window Alarm here/);
  // A run that goes on has them no second time.
  expect(await own.until('task_1', { results: [], events })).toEqual(events);
});

test('a change that no recipe names is refused before anything is run', () => {
  expect(() => needChanges(day(EVENTS), () => services)).not.toThrow();
  expect(() => needChanges(day(EVENTS), () => [])).toThrow(/“shop”, which is in none of its recipes/);
  const other = [{ ...EVENTS[2], happens: [{ kind: 'service', service: 'shop', change: 'closed' }] }];
  expect(() => needChanges(day(other), () => services)).toThrow(/names no change “closed”/);
});
