import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newWorkspace, type Recorder, studio, studioMust } from '../support/cli.ts';
import { readEvents, readFrames, readRecording } from '../support/recordings.ts';
import { sleep, until } from '../support/until.ts';
import { LEFT, personIn, pointerEvents, RIGHT } from './person.ts';
import type { Answer } from './portal-double.ts';
import { openWaylandSession, type WaylandSession } from './session.ts';

/** `record` in a Wayland session: Mutter without a screen, PipeWire, injected input and a native program are real. Measured is in times.e2e.ts. */

const KEYS = { z: 44, three: 4, bracket: 26, a: 30, b: 48, shift: 42, ctrl: 29, enter: 28, capsLock: 58, f11: 87 };
type Person = ReturnType<typeof personIn>;

let session: WaylandSession;
let workspace: ReturnType<typeof newWorkspace>;
let person: Person;
beforeAll(async () => {
  session = await openWaylandSession();
  person = personIn(session);
});
afterAll(() => session?.close());
beforeEach(() => {
  workspace = newWorkspace();
  session.answer('allow');
});
afterEach(async () => {
  await person.leave();
  workspace.remove();
});

const openWindow = () => person.openWindow();
const record = (args: string[] = []): Promise<Recorder> => person.record(workspace.path, args);
const point: Person['point'] = (...to) => person.point(...to);
const click: Person['click'] = (...what) => person.click(...what);
const press: Person['press'] = (...codes) => person.press(...codes);

it('a native program’s clicks, keys, wheel and drags come back as it heard them, without loss, without a second question', async () => {
  const window = await openWindow();
  const recorder = await record();
  await point(window, 300, 200);
  await click(LEFT);
  await point(window, 640, 360);
  await click(RIGHT);
  // Mutter makes its keyboard for the first key, which nobody hears.
  await press(KEYS.ctrl);
  await window.heard('focus');
  await press(KEYS.a);
  await press(KEYS.shift, KEYS.b);
  await press(KEYS.ctrl, KEYS.a);
  await session.act({ kind: 'wheel', steps: 3 });
  // A drag: the way is told by a mouse in steps of its own.
  await point(window, 100, 500);
  await session.act({ kind: 'button', code: LEFT, down: true });
  await sleep(60);
  for (let step = 0; step < 10; step++) {
    await session.act({ kind: 'place', x: 100 + step * 30, y: 500 + step * 5 });
    await sleep(12);
  }
  await point(window, 400, 560);
  await session.act({ kind: 'button', code: LEFT, down: false });
  await window.heard('button', 6);
  await window.heard('wheel');
  const { line } = await recorder.stop();

  const recording = readRecording(line.folder);
  expect(recording.verdict?.kind).toBe('complete');
  expect(recording.capture).toMatchObject({ grabber: 'pipewire', lossless: true, cursor: false });
  expect(recording.os.session).toBe('wayland');
  const events = readEvents(line.folder);
  const heard = window.told().filter((one) => one.type === 'button');
  const names: Record<number, string> = { [LEFT]: 'left', [RIGHT]: 'right' };
  expect(pointerEvents(events)).toEqual(
    heard.map(({ code, down, x, y }) => [down ? 'down' : 'up', names[Number(code)], x, y]),
  );
  const keys = window.told().filter((one) => one.type === 'key');
  const codes: Record<number, string> = { 30: 'KeyA', 48: 'KeyB', 42: 'ShiftLeft', 29: 'ControlLeft' };
  const typed = events.flatMap((e) => (e.type === 'keydown' || e.type === 'keyup' ? [[e.type, e.code]] : []));
  expect(typed.slice(2)).toEqual(
    keys.slice(-10).map(({ code, down }) => [down ? 'keydown' : 'keyup', codes[Number(code)]]),
  );
  const { json } = await studioMust(['actions', line.recording, '--workspace', workspace.path, '--json']);
  const { actions } = json as { actions: { kind: string; [key: string]: unknown }[] };
  expect(actions.map(({ kind }) => kind)).toEqual(['click', 'click', 'press', 'type', 'press', 'scroll', 'drag']);
  expect(actions[3]).toMatchObject({ text: 'aB' });
  expect(actions[6]).toMatchObject({ start: { x: 100, y: 500 }, end: { x: 400, y: 560 } });

  // The same person again: nobody is asked a second time.
  expect(session.asked()).toMatchObject({ questions: 1, token: null, cursor: 4, persist: 2 });
  const again = await record();
  await again.stop();
  expect(session.asked()).toMatchObject({ questions: 1, token: 'the-person-allowed-this-screen' });
});

it('text is written by the layout that GNOME says is in use', async () => {
  const recorder = await person.record(workspace.path, [], { XDG_CURRENT_DESKTOP: 'GNOME' });
  await press(KEYS.z);
  await press(KEYS.shift, KEYS.three);
  await press(KEYS.bracket);
  const keys = () => readEvents(recorder.folder, 'torn-end-allowed').filter(({ type }) => type === 'keyup');
  await until('the last key', () => keys().length === 4);
  const { line } = await recorder.stop();
  expect(readEvents(line.folder).find((e) => e.type === 'layout')).toMatchObject({ layout: { id: 'de' } });
  const { json } = await studioMust(['actions', line.recording, '--workspace', workspace.path, '--json']);
  expect((json as { actions: object[] }).actions).toMatchObject([{ kind: 'type', text: 'y§ü' }]);
  const made = readEvents(line.folder).flatMap((e) => (e.type === 'keydown' ? [e.made] : []));
  expect(made).toEqual([
    expect.objectContaining({ key: 'y', text: 'y', sym: 'y' }),
    expect.objectContaining({ key: 'Shift' }),
    expect.objectContaining({ key: '§', plain: '3', text: '§', mods: expect.arrayContaining(['shift']) }),
    expect.objectContaining({ key: 'ü', text: 'ü' }),
  ]);
});

it('what the compositor makes of keys by its own keymap counts: CapsLock and Shift, without GNOME', async () => {
  const recorder = await record();
  await press(KEYS.capsLock);
  await press(KEYS.a);
  await press(KEYS.capsLock);
  await press(KEYS.shift, KEYS.b);
  const keys = () => readEvents(recorder.folder, 'torn-end-allowed').filter(({ type }) => type === 'keyup');
  await until('the last key', () => keys().length === 5);
  const { line } = await recorder.stop();
  const made = readEvents(line.folder).flatMap((e) => (e.type === 'keydown' ? [[e.code, e.made?.key]] : []));
  expect(made).toEqual([
    ['CapsLock', 'CapsLock'],
    ['KeyA', 'A'],
    ['CapsLock', 'CapsLock'],
    ['ShiftLeft', 'Shift'],
    ['KeyB', 'B'],
  ]);
});

it('the privacy shortcut is heard before a move that still waits for its place; of the pause nothing is kept', async () => {
  const window = await openWindow();
  const recorder = await record();
  const said = (wanted: string) =>
    until(
      `the recorder to say "${wanted}"`,
      () =>
        recorder.started
          .stderr()
          .match(/^(paused \(.*\)|recording)$/gm)
          ?.at(-1) === wanted,
      { seen: recorder.started.stderr },
    );
  await point(window, 300, 200);
  await click(LEFT);
  await window.heard('paint');
  await session.act({ kind: 'move', dx: 3, dy: 0, untold: true });
  await press(KEYS.ctrl, KEYS.shift, KEYS.f11);
  await said('paused (privacy)');
  await click(LEFT);
  await press(KEYS.b);
  await window.heard('paint', 2);
  await press(KEYS.ctrl, KEYS.shift, KEYS.f11);
  await said('recording');
  await click(LEFT);
  await window.heard('paint', 3);
  await click(RIGHT);
  await window.heard('button', 8);
  const { line } = await recorder.stop();

  const recording = readRecording(line.folder);
  expect(recording.verdict?.kind).toBe('complete');
  const events = readEvents(line.folder);
  const at = (type: 'pause' | 'resume') => events.findIndex((e) => e.type === type && e.reason === 'privacy');
  const [paused, resumed] = [at('pause'), at('resume')];
  const [from = 0, to = 0] = [events[paused]?.t, events[resumed]?.t];
  // A line stands where it was heard of: the move, which is older, waited for its place.
  expect(events.findLastIndex((e) => e.type === 'move' && e.t <= from)).toBeGreaterThan(paused);
  expect(pointerEvents(events).map(([type, button]) => `${type} ${button}`)).toEqual([
    ...['down left', 'up left'],
    ...['down left', 'up left', 'down right', 'up right'],
  ]);
  expect(events.filter((e) => e.type === 'keydown' && e.code === 'KeyB')).toEqual([]);
  const { json } = await studioMust(['actions', line.recording, '--workspace', workspace.path, '--json']);
  expect((json as { actions: { kind: string }[] }).actions.map(({ kind }) => kind)).toEqual([
    'click',
    'click',
    'click',
  ]);
  // One that repeats what stood there has no change.
  expect(readFrames(line.folder).filter(({ t, changed }) => t >= from && t < to && changed !== 0)).toEqual([]);
});

it('a cast that is closed in the middle ends the recording, and keeps it', async () => {
  const window = await openWindow();
  const recorder = await record();
  await point(window, 300, 200);
  await click(LEFT);
  await window.heard('paint');
  session.endCast();
  const { line } = await recorder.ended();
  expect(readRecording(line?.folder ?? '').verdict).toEqual({
    kind: 'complete',
    missing: [],
    endedBy: 'sharing-ended',
  });
  expect(pointerEvents(readEvents(line?.folder ?? ''))).toEqual([
    ['down', 'left', 300, 200],
    ['up', 'left', 300, 200],
  ]);
});

describe('what cannot be: said clearly, and nothing is left behind', () => {
  type Refused = { what: string; answer?: Answer; args?: string[]; unheard?: boolean; code: string; says: string };
  const cases: Refused[] = [
    { what: 'a person who says no', answer: 'deny', code: 'NO_PERMISSION', says: 'answered with no' },
    { what: 'a portal that fails', answer: 'fail', code: 'CAPTURE_FAILED', says: 'Is PipeWire running' },
    { what: 'no PipeWire behind the portal', answer: 'no-pipewire', code: 'CAPTURE_FAILED', says: 'PipeWire' },
    {
      what: 'words to leave out',
      args: ['--exclude', 'KeePass'],
      code: 'UNSUPPORTED_PLATFORM',
      says: 'would be recorded',
    },
    { what: 'a window', args: ['--window', 'GIMP'], code: 'UNKNOWN_WINDOW', says: 'does not tell where windows are' },
    { what: 'no right to the input', unheard: true, code: 'NO_PERMISSION', says: 'group "input"' },
  ];
  it.each(cases)('$what', async ({ answer = 'allow', args = [], unheard = false, code, says }) => {
    session.answer(answer);
    // Somebody who was never asked, and in whose place there is no device.
    const home = join(session.folder, 'another-person');
    const words = ['record', '--workspace', workspace.path, '--app', 'gimp', '--goal', 'x', '--json', ...args];
    const env = { ...session.env, XDG_CONFIG_HOME: home, ...(unheard && { TRAJECTORY_STUDIO_INPUT: home }) };
    const { error } = await studio(words, { env });
    expect(error).toMatchObject({ code, message: expect.stringContaining(says) });
    expect(existsSync(workspace.path)).toBe(false);
  });
});

it('doctor says what a recording here needs', async () => {
  const { json } = await studio(['doctor', '--json'], { env: session.env });
  const { checks } = json as { checks: { id: string; status: string; what: string }[] };
  const said = Object.fromEntries(checks.map(({ id, status, what }) => [id, `${status}: ${what}`]));
  expect(said).toMatchObject({
    session: expect.stringMatching(/^ok: Wayland session/),
    display: 'ok: 1 display: 1280x720',
    'permission:screen-cast': expect.stringMatching(/^ok: .*version 4/),
    'permission:input': expect.stringMatching(/^ok: .*2 of 2 devices/),
  });
});
