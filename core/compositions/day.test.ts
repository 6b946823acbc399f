import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Composition, compositionSchema } from '../../schemas/composition.ts';
import { clockAt, clockBegins, drawnEvents, eventsBefore, eventsDue, timeOfText, timeText } from './day.ts';
import { brokenLaws, changesAreNamed, type NamedServices } from './laws.ts';
import { mailText } from './mail.ts';
import { keptTasks } from './rollout.ts';

/** The clock of a scenario and what happens by itself (CP23, CP24). */

const member = (id: string, from?: string, day = 1) => ({
  id,
  instructions: { base: 'Do it' },
  ...(from && { window: { day, from, to: '23:00' } }),
});
const scenario = (more: object = {}): Composition =>
  compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 2,
    id: 'day',
    kind: 'scenario',
    title: 'Day',
    context: { begins: '2026-03-02' },
    members: [member('mail', '08:50'), member('note'), member('shop', '09:30'), member('late', '07:00', 2)],
    edges: [{ kind: 'time', from: 'mail', to: 'note', atLeast: 25 }],
    ...more,
  });
const notify = (title: string) => ({ kind: 'notification', title });
const ORDER = ['mail', 'note', 'shop', 'late'];

test('CP24: the clock begins with the first task, and each begins in its window, as late as edges want, and never goes back', () => {
  const day = scenario();
  const begins = clockBegins(day, ORDER);
  expect(timeText(begins ?? 0)).toBe('2026-03-02T08:50:00');
  const at = (id: string, now: string, from = '2026-03-02T08:51:30'): string =>
    timeText(clockAt(day, id, [{ member: 'mail', clock: { from, to: from } }], timeOfText(now)));
  expect(at('note', '2026-03-02T08:55')).toBe('2026-03-02T09:16:30');
  expect(at('shop', '2026-03-02T09:16')).toBe('2026-03-02T09:30:00');
  expect(at('shop', '2026-03-02T09:41:05')).toBe('2026-03-02T09:41:05');
  expect(at('late', '2026-03-02T09:41')).toBe('2026-03-03T07:00:00');
  expect(clockBegins(scenario({ context: {}, events: [] }), ORDER)).toBeNull();
});

test('CP24: a seed draws the same events at the same times; each comes once, in order', () => {
  const events = [
    { id: 'call', at: { from: '09:00', to: '09:29' }, happens: [notify('a'), notify('b'), notify('c')] },
    { id: 'rain', at: { from: '08:00' }, happens: [notify('d')] },
    { id: 'thanks', at: { after: 'shop' }, happens: [notify('e')] },
  ];
  const day = scenario({ events });
  fc.assert(
    fc.property(fc.nat(0x7fff_ffff), (seed) => {
      const drawn = drawnEvents(day, seed);
      expect(drawnEvents(day, seed)).toEqual(drawn);
      const minute = timeText(drawn.find(({ id }) => id === 'call')?.at ?? 0).slice(11, 16);
      expect(minute >= '09:00' && minute <= '09:29').toBe(true);
      const ids: string[] = [];
      for (const until of ['08:50', '09:20', '09:30', '09:45']) {
        const due = eventsDue(drawn, ids, { until: timeOfText(`2026-03-02T${until}`) });
        expect(due.map(({ at }) => at)).toEqual(due.map(({ at }) => at).toSorted((a, b) => (a ?? 0) - (b ?? 0)));
        ids.push(...due.map(({ id }) => id));
      }
      expect(ids).toEqual(['rain', 'call']);
      expect(eventsDue(drawn, ids, { after: 'shop' }).map(({ id }) => id)).toEqual(['thanks']);
      expect(eventsDue(drawn, ids, { after: 'note' })).toEqual([]);
    }),
  );
  const titles = new Set(
    Array.from({ length: 40 }, (_, seed) =>
      JSON.stringify(drawnEvents(day, seed).find(({ id }) => id === 'call')?.happens),
    ),
  );
  expect(titles.size).toBe(3);
});

test('CP23: an event that cannot come is said; one that comes too late is a note', () => {
  const said = (more: object): string[] =>
    brokenLaws(scenario(more)).flatMap(({ law, kind, why }) => (law === 'CP23' ? [`${kind}: ${why}`] : []));
  const event = (at: object) => ({ events: [{ id: 'call', at, happens: [notify('a')] }] });
  expect(said(event({ after: 'mail' }))).toEqual([]);
  expect(said(event({ after: 'nap' }))).toEqual(['broken: The event “call” comes after “nap”, which is no member.']);
  expect(said({ ...event({ from: '09:00' }), context: {} })).toEqual([
    expect.stringMatching(/^broken: .* no day is said/),
  ]);
  expect(said(event({ from: '09:00', to: '08:00' }))).toEqual([
    expect.stringMatching(/^broken: .* ends \(08:00\) before/),
  ]);
  expect(said(event({ day: 2, from: '07:01' }))).toEqual([expect.stringMatching(/^note: .* never happens/)]);
  expect(said(event({ day: 2, from: '07:00' }))).toEqual([]);
});

test('CP23: a change of a service is one that a recipe of its tasks names; nothing is said while a task is not known', () => {
  const happens = [{ kind: 'service', service: 'shop', change: 'sold-out' }];
  const day = scenario({ events: [{ id: 'empty', at: { after: 'mail' }, happens }] });
  const tasked = { ...day, members: day.members.map((member, n) => ({ ...member, task: `T_${n}` })) };
  const said = (of: Composition, ...all: (NamedServices | null)[]): string[] =>
    changesAreNamed(of, new Map(of.members.map((_, n) => [`T_${n}`, all[n] === undefined ? [] : all[n]]))).map(
      ({ why }) => why,
    );
  const shop = (...changes: string[]): NamedServices => [{ name: 'shop', changes }];
  expect(said(tasked)).toEqual([
    'The event “empty” makes the change “sold-out” of the service “shop”, which no recipe of its tasks names.',
  ]);
  expect(said(tasked, shop('closed'), [{ name: 'mail', changes: ['sold-out'] }])).toHaveLength(1);
  expect(said(tasked, shop('closed'), shop('sold-out'))).toEqual([]);
  expect(said(tasked, null)).toEqual([]);
  expect(said(day)).toEqual([]);
});

test('CP20: what is not in the copy of the home from which a run goes on is done again, tasks and events', () => {
  const event = (before: string | null, after: string | null) => ({ before, after });
  const events = [event('mail', null), event(null, 'mail'), event('note', null), event(null, 'note')];
  expect(eventsBefore(events, [{ member: 'mail' }])).toEqual(events.slice(0, 2));
  const result = (recording: string | null, copy: string | null) => ({ member: 'm', recording, copy }) as never;
  const most = (...results: never[]): number => keptTasks({ results });
  expect(most(result('r', 'c'), result('r', 'c'))).toBe(2);
  expect(most(result('r', 'c'), result('r', null))).toBe(1);
  expect(most(result('r', 'c'), result(null, null))).toBe(2);
  expect(most(result('r', null), result(null, null))).toBe(0);
});

test('a mail is one that mail programs read: its head is ASCII, an address stays, its time is the scenario’s', () => {
  const text = mailText(
    {
      from: 'Jörg Weiß <jw@lab.example>',
      to: 'Mara <mara@lab.example>',
      subject: `Grüße ${'ü'.repeat(40)}`,
      text: 'Bis gleich\nJörg',
    },
    'hello',
    timeOfText('2026-03-02T09:12'),
  );
  const [head = '', body] = text.split('\n\n');
  expect(head).toMatch(/^[\x20-\x7e\n]*$/);
  expect(head.split('\n').every((line) => line.length <= 78)).toBe(true);
  expect(head).toContain(' <jw@lab.example>');
  expect(head).toContain('Date: Mon, 02 Mar 2026 09:12:00 +0000');
  const words = [...head.matchAll(/=\?utf-8\?B\?(.*?)\?=/g)].map(([, word = '']) =>
    Buffer.from(word, 'base64').toString(),
  );
  expect(words.join('')).toBe(`Jörg WeißGrüße ${'ü'.repeat(40)}`);
  expect(body).toBe('Bis gleich\nJörg\n');
});
