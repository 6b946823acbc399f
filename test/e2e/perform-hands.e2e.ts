import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reduceResultSchema } from '../../schemas/actions.ts';
import { type PerformReport, performReportSchema } from '../../schemas/perform.ts';
import { playReportSchema } from '../../schemas/play.ts';
import { readEvents } from '../../studio/store/recording-folder.ts';
import { newWorkspace, studio, studioMust } from '../support/cli.ts';
import { until } from '../support/until.ts';

/** What our hands do on a stage, our own recorder sees as the same: every key of four layouts, every button, wheel and drag. */

const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
const folder = path.dirname(workspace.path);
beforeAll(async () => {
  await studioMust(['init', ...where]);
  await studioMust(['software', 'add', 'keys', '--prefix', 'K', ...where]);
  await studioMust(['tasks', 'add', '--app', 'keys', '--goal', 'Type', '--id', 'K_1', ...where]);
});
afterAll(() => workspace.remove());

const recipe = path.join(folder, 'recipe.json');

/** `lines`: actions, or a program. */
async function performed(lines: readonly object[] | string, layout: string) {
  const script = path.join(folder, typeof lines === 'string' ? 'script.py' : 'script.jsonl');
  const screen = { width: 800, height: 600 };
  const about = { schema: 'trajectory-studio/recipe', version: 1, screen, layout: { layout, variant: '' } };
  fs.writeFileSync(recipe, JSON.stringify(about));
  fs.writeFileSync(script, typeof lines === 'string' ? lines : lines.map((line) => JSON.stringify(line)).join('\n'));
  const done = await studioMust(['perform', script, '--task', 'K_1', '--recipe', recipe, '--json', ...where]);
  const report: PerformReport = performReportSchema.parse(done.json);
  const { json } = await studioMust(['actions', report.recording, '--json', ...where]);
  return { report, actions: reduceResultSchema.parse(json).actions };
}

/** The recording of a text of each layout, which has the layout as the stage had it. */
const typed = new Map<string, string>();

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
    if (!typed.has(layout)) typed.set(layout, report.recording);
    expect(actions.map(({ kind }) => kind)).toEqual(actions.map(() => 'type'));
    // While a temporary key is made, a run of typing may end.
    expect(actions.map((action) => action.text).join('')).toBe(text);
    expect(report.temporary).toEqual(temporary);
  },
  120_000,
);

/** Every character of every key of the stage's own layout, with Shift and AltGr, dead keys with a space or twice. */
function everyCharacter(recording: string): string {
  const { events } = readEvents(path.join(workspace.path, 'recordings', recording));
  const layout = events.flatMap((event) => (event.type === 'layout' ? [event.layout] : []))[0];
  if (!layout) throw new Error('the recording has no layout');
  const entries = Object.values(layout.keys).flatMap(({ chars }) => chars.slice(0, layout.altGr ? 4 : 2));
  const chars = entries.flatMap((entry) =>
    entry === null ? [] : typeof entry === 'string' ? [entry] : [entry.alone, entry.space ?? ''],
  );
  return [...new Set(chars.filter((char) => /^[^\p{C}\p{M}]$/u.test(char)))].join('');
}

it.each(['us', 'de', 'fr', 'ru'])(
  'every character of every key of the layout %s comes back, none by a temporary key',
  async (layout) => {
    const before = typed.get(layout) ?? (await performed([{ kind: 'press', keys: ['F5'] }], layout)).report.recording;
    const text = everyCharacter(before);
    expect(text.length).toBeGreaterThan(90);
    const { report, actions } = await performed([{ kind: 'type', text }], layout);
    expect(report.temporary).toEqual([]);
    expect(actions.map((action) => action.text).join('')).toBe(text);
  },
  120_000,
);

describe('keys without a character', () => {
  const NAMES = [
    ...'Escape Enter Tab Backspace Delete Insert Home End PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight'.split(
      ' ',
    ),
    ...'PrintScreen Pause ContextMenu Help Clear Undo Again Copy Paste Cut Find Select Open Props Eject'.split(' '),
    ...'AudioVolumeMute AudioVolumeDown AudioVolumeUp MediaPlayPause MediaStop MediaTrackPrevious'.split(' '),
    ...'MediaTrackNext MediaSelect LaunchMail LaunchApp1 LaunchApp2 BrowserSearch BrowserHome BrowserBack'.split(' '),
    ...'BrowserForward BrowserRefresh BrowserFavorites Power Sleep WakeUp'.split(' '),
    ...Array.from({ length: 24 }, (_, n) => `F${n + 1}`),
  ];

  it('each comes back by its name, on a layout of its own letters too', async () => {
    const lines = NAMES.map((name) => ({ kind: 'press', keys: [name], count: 1 }));
    // A shortcut is named by the letter of a US keyboard, where the layout has no Latin letters (A7).
    const chords = ['c', 'v', 'z'].map((letter) => ({ kind: 'press', keys: ['ctrl', letter], count: 1 }));
    const { report, actions } = await performed([...lines, ...chords], 'ru');
    expect(actions.map(({ kind, keys, count }) => ({ kind, keys, count }))).toEqual([...lines, ...chords]);
    expect(report.temporary).toEqual([]);
  });

  it('one that no hands have is refused by its name before anything is done', async () => {
    fs.writeFileSync(path.join(folder, 'fn.jsonl'), '{"kind": "press", "keys": ["Fn"]}');
    const args = ['perform', path.join(folder, 'fn.jsonl'), '--task', 'K_1', '--recipe', recipe, '--json', ...where];
    const { status, error } = await studio(args);
    expect({ status: status === 0, message: error?.message }).toEqual({
      status: false,
      message: expect.stringContaining('no key for “Fn”'),
    });
  });
});

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
    // The recorded input, played: our recorder sees the same again.
    const { json } = await studioMust(['play', report.recording, '--recipe', recipe, '--json', ...where]);
    expect(playReportSchema.parse(json)).toMatchObject({ agreed: LINES.length, of: LINES.length, actionsEqual: true });
  });

  it('a modifier that is held across clicks, a drag and the wheel is held the whole time', async () => {
    const program = `import pyautogui
pyautogui.keyDown('ctrl')
pyautogui.click(100, 100)
pyautogui.click(300, 100)
pyautogui.keyDown('shift')
pyautogui.moveTo(100, 300)
pyautogui.dragTo(300, 340)
pyautogui.keyUp('shift')
pyautogui.scroll(-2, 500, 300)
pyautogui.keyUp('ctrl')
pyautogui.doubleClick(600, 400)`;
    const { report, actions } = await performed(program, 'us');
    const seen = actions.map(({ kind, modifiers, count }) => [kind, modifiers.toSorted(), kind === 'click' && count]);
    expect(seen).toEqual([
      ['click', ['ctrl'], 1],
      ['click', ['ctrl'], 1],
      ['drag', ['ctrl', 'shift'], false],
      ['scroll', ['ctrl'], false],
      ['click', [], 2],
    ]);
    // Held once, not pressed anew for each.
    const { events } = readEvents(path.join(workspace.path, 'recordings', report.recording));
    const downs = events.flatMap((event) => (event.type === 'keydown' ? [event.code] : []));
    expect(downs).toEqual(['ControlLeft', 'ShiftLeft']);
  });
});

it('a stage that is kept goes on after a task; its home is copied in between, and another stage begins with a copy', async () => {
  await studioMust(['tasks', 'add', '--app', 'keys', '--goal', 'Type on', '--id', 'K_2', ...where]);
  const screen = { width: 800, height: 600 };
  const programs = [{ command: 'xterm', args: ['-title', 'Words', '-e', 'cat >> ~/words'], window: 'Words' }];
  const files = [{ text: 'begun\n', to: 'words' }];
  const about = { schema: 'trajectory-studio/recipe', version: 1, screen, programs, files };
  fs.writeFileSync(recipe, JSON.stringify(about));
  const setUp = async (...more: string[]) => {
    const { json } = await studioMust([
      'stage',
      'new',
      '--task',
      'K_1',
      '--recipe',
      recipe,
      ...more,
      '--json',
      ...where,
    ]);
    return z.object({ stage: z.string(), home: z.string() }).parse(json);
  };
  const words = (folder: string): string => fs.readFileSync(path.join(folder, 'words'), 'utf8');
  const { stage, home } = await setUp();
  const checks = path.join(folder, 'checks.json');
  const written = { id: 'written', kind: 'text', path: 'words', contains: ['one'] };
  fs.writeFileSync(checks, JSON.stringify({ schema: 'trajectory-studio/checks', version: 1, checks: [written] }));
  await studioMust(['tasks', 'attach', 'K_1', checks, '--role', 'checks', ...where]);
  const write = async (task: string, text: string, ...more: string[]): Promise<string> => {
    const script = path.join(folder, 'script.jsonl');
    const acts = [
      { kind: 'click', start: { x: 100, y: 100 } },
      { kind: 'type', text },
      { kind: 'press', keys: ['enter'] },
    ];
    fs.writeFileSync(script, acts.map((act) => JSON.stringify(act)).join('\n'));
    const done = await studio(['perform', script, '--task', task, '--stage', stage, ...more, '--json', ...where]);
    const report = performReportSchema.parse(done.json);
    expect(report).toMatchObject({ task, of: 3, stopped: null });
    // Typed, and not sent yet.
    if (more.length > 0) expect(report.points).toMatchObject([{ step: 2, passed: false }, { step: 3 }]);
    await until('the words', () => words(home).includes(`${text}\n`) || null);
    const copied = await studioMust(['stage', 'copy', stage, '--note', text, '--json', ...where]);
    return z.object({ id: z.string() }).parse(copied.json).id;
  };
  const one = await write('K_1', 'one', '--check-after', '2,3');
  const two = await write('K_2', 'two');
  await studioMust(['stage', 'end', stage]);
  const copies = await studioMust(['stage', 'copies', ...where]);
  expect(copies.stdout).toMatch(new RegExp(`${two} .* two\\n${one} .* one`));
  const again = await setUp('--from', one);
  expect(words(again.home)).toBe('begun\none\n');
  await studioMust(['stage', 'end', again.stage]);
  await studioMust(['stage', 'remove-copy', one, ...where]);
  expect((await studioMust(['stage', 'copies', ...where])).stdout).not.toContain(one);
});
