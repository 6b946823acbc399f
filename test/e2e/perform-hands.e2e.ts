import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reduceResultSchema } from '../../schemas/actions.ts';
import { type PerformReport, performReportSchema } from '../../schemas/perform.ts';
import { newWorkspace, studioMust } from '../support/cli.ts';

/** What our hands do on a stage, our own recorder sees as the same: every key of four layouts, every button, wheel and drag. */

const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
const folder = path.dirname(workspace.path);
beforeAll(async () => {
  await studioMust(['init', ...where]);
  await studioMust(['software', 'add', 'keys', '--prefix', 'K', ...where]);
  await studioMust(['tasks', 'add', '--app', 'keys', '--goal', 'Type', '--id', 'K_1', ...where]);
}, 60_000);
afterAll(() => workspace.remove());

async function performed(lines: readonly object[], layout: string) {
  const [recipe, script] = [path.join(folder, 'recipe.json'), path.join(folder, 'script.jsonl')];
  const screen = { width: 800, height: 600 };
  const about = { schema: 'trajectory-studio/recipe', version: 1, screen, layout: { layout, variant: '' } };
  fs.writeFileSync(recipe, JSON.stringify(about));
  fs.writeFileSync(script, lines.map((line) => JSON.stringify(line)).join('\n'));
  const done = await studioMust(['perform', script, '--task', 'K_1', '--recipe', recipe, '--json', ...where]);
  const report: PerformReport = performReportSchema.parse(done.json);
  const { json } = await studioMust(['actions', report.recording, '--json', ...where]);
  return { report, actions: reduceResultSchema.parse(json).actions };
}

const ASCII = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).join('');
const TEXTS: [layout: string, text: string, temporary: string[]][] = [
  ['us', ASCII, []],
  ['us', 'naïve 日本 ☂ 😀 Łódź', [...'ï日本☂😀Łóź']],
  ['de', `${ASCII}äöüÄÖÜß€@µ²³°§éèêáàâúùûíìîóòôÉÈÊ´`, []],
  ['fr', `${ASCII}àçéèùâêîôûäëïöüÂÊÎÔÛÄËÏÖÜ€£µ§°²`, []],
  ['ru', 'абвгдежзийклмнопрстуфхцчшщъыьэюяё АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЁ №;%:?*().,', []],
];

it.each(TEXTS)(
  'the text comes back letter by letter: layout %s, %s',
  async (layout, text, temporary) => {
    const { report, actions } = await performed([{ kind: 'type', text }], layout);
    expect(actions.map(({ kind }) => kind)).toEqual(actions.map(() => 'type'));
    // While a temporary key is made, a run of typing may end.
    expect(actions.map((action) => action.text).join('')).toBe(text);
    expect(report.temporary).toEqual(temporary);
  },
  120_000,
);

describe('the pointer', () => {
  const at = (x: number, y: number) => ({ start: { x, y } });
  const LINES = [
    ...(['left', 'middle', 'right', 'back', 'forward'] as const).map((button, n) => ({
      kind: 'click',
      button,
      count: 1,
      modifiers: [],
      ...at(100 + 90 * n, 100),
    })),
    { kind: 'click', ...at(120, 200), button: 'left', count: 2, modifiers: [] },
    { kind: 'click', ...at(320, 200), button: 'left', count: 3, modifiers: ['ctrl'] },
    { kind: 'click', ...at(520, 200), button: 'left', count: 1, modifiers: ['ctrl', 'shift'] },
    { kind: 'click', ...at(620, 260), button: 'left', count: 1, modifiers: ['ctrl', 'shift'] },
    { kind: 'scroll', ...at(300, 300), modifiers: [], scroll: { dx: 0, dy: 3, unit: 'notch', natural: false } },
    { kind: 'scroll', ...at(500, 300), modifiers: [], scroll: { dx: 0, dy: -2, unit: 'notch', natural: false } },
    { kind: 'scroll', ...at(300, 360), modifiers: [], scroll: { dx: 2, dy: 0, unit: 'notch', natural: false } },
    { kind: 'scroll', ...at(500, 360), modifiers: ['ctrl'], scroll: { dx: 0, dy: 1, unit: 'notch', natural: false } },
    { kind: 'drag', ...at(100, 400), end: { x: 300, y: 450 }, button: 'left', modifiers: [] },
    {
      kind: 'drag',
      ...at(400, 400),
      end: { x: 700, y: 420 },
      button: 'right',
      modifiers: ['shift'],
      path: [
        [400, 400],
        [450, 500],
        [600, 380],
        [700, 420],
      ],
    },
    { kind: 'press', keys: ['ctrl', 'alt', 'k'], count: 1 },
    { kind: 'press', keys: ['Tab'], count: 3 },
  ];

  it('clicks, turns, drags and shortcuts come back as they were written', async () => {
    const { report, actions } = await performed(LINES, 'us');
    expect(report.steps).toHaveLength(LINES.length);
    const shown = actions.map(({ kind, button, modifiers, count, keys, scroll, start, end }) => {
      if (kind === 'press') return { kind, keys: keys?.map((key) => key.toLowerCase()), count };
      const place = { kind, start: { x: start.x, y: start.y }, modifiers: modifiers.toSorted() };
      if (kind === 'scroll') return { ...place, scroll };
      const pressed = { ...place, button };
      return kind === 'drag' ? { ...pressed, end: { x: end.x, y: end.y } } : { ...pressed, count };
    });
    const wanted = LINES.map((line) => {
      if (!('start' in line)) return { ...line, keys: line.keys?.map((key) => key.toLowerCase()) };
      const { path: _, ...rest } = line as typeof line & { path?: unknown };
      return rest;
    });
    expect(shown).toEqual(wanted);
    // The way of a drag is what was asked for, not a straight line.
    const way = actions.find(({ kind, button }) => kind === 'drag' && button === 'right')?.path ?? [];
    for (const [x, y] of [
      [450, 500],
      [600, 380],
    ]) {
      expect(way.some((point) => point[0] === x && point[1] === y)).toBe(true);
    }
  }, 120_000);
});
