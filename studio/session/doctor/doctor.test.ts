import { describe, expect, test } from 'vitest';
import { StudioError } from '../../../schemas/errors.ts';
import { CLOCK_WORDS, clockUnable } from '../../play/stage/clock.ts';
import { type DoctorCheck, examine, type Machine, reportText } from './doctor.ts';

const DISPLAY = { id: 1, name: 'd', x: 0, y: 0, width: 1920, height: 1080, scale: 1, primary: true };
const ALL_EXTENSIONS = ['RECORD', 'MIT-SHM', 'DAMAGE', 'RANDR', 'XKEYBOARD', 'XTEST'];

/** A Linux machine that lacks nothing, but for the changes. */
function machine(changes: Partial<Machine> = {}): Machine {
  return {
    platform: 'linux',
    arch: 'x64',
    nodeVersion: 'v24.1.0',
    env: { DISPLAY: ':0' },
    tryModule: async () => undefined,
    findFfmpeg: async () => ({
      path: '/bin/ffmpeg',
      source: 'PATH',
      version: '7.1',
      encoders: new Set(['libx264', 'libx264rgb']),
    }),
    displays: async () => [DISPLAY],
    permissions: async () => [{ id: 'x11', granted: true, what: 'screen and input', fix: '' }],
    xExtensions: async () => new Set(ALL_EXTENSIONS),
    freeBytes: () => 100 * 1024 ** 3,
    ...changes,
  };
}

/** The checks that are not ok. */
async function complaints(changes: Partial<Machine>): Promise<DoctorCheck[]> {
  return (await examine(machine(changes), '/data')).checks.filter((check) => check.status !== 'ok');
}

describe('doctor', () => {
  test('on a machine that lacks nothing every check is ok and asks for nothing', async () => {
    const report = await examine(machine(), '/data');
    expect(report.status).toBe('ok');
    expect(report.checks.every((check) => check.fix === null)).toBe(true);
    expect(report.checks.map((check) => check.id)).toEqual([
      'node',
      'module:better-sqlite3',
      'module:uiohook-napi',
      'module:koffi',
      'module:sharp',
      'ffmpeg',
      'session',
      'display',
      'x-extensions',
      'disk',
      'permission:x11',
    ]);
  });

  test('says whether a scenario’s clock can be set, and which programs do not bear it', async () => {
    const about = async (clocks: Machine['clocks']) =>
      (await examine(machine(clocks ? { clocks } : {}), '/data')).checks.find(({ id }) => id === 'clock');
    expect(await about(() => ({ words: CLOCK_WORDS }))).toMatchObject({
      status: 'ok',
      what: expect.stringMatching(/Chromium .* do not bear it/),
    });
    const why = clockUnable(null)?.message ?? '';
    expect(await about(() => ({ why }))).toMatchObject({
      status: 'warn',
      fix: expect.stringContaining('apt install faketime'),
    });
    expect(await about(undefined)).toBeUndefined();
  });

  test('says whether stages are cages, where it is asked, and what to install for one', async () => {
    const about = async (cages: Machine['cages']) =>
      (await examine(machine(cages ? { cages } : {}), '/data')).checks.find(({ id }) => id === 'stages');
    expect(await about(undefined)).toBeUndefined();
    expect(await about(() => null)).toMatchObject({ status: 'ok', fix: null });
    expect(await about(() => 'install it: "apt install bubblewrap"')).toMatchObject({
      status: 'warn',
      what: expect.stringContaining('--without-cage'),
      fix: expect.stringContaining('apt install bubblewrap'),
    });
  });

  test('the part that names windows on macOS is asked for there alone', async () => {
    const ids = async (platform: NodeJS.Platform) =>
      (await examine(machine({ platform }), '/data')).checks.map((check) => check.id);
    expect(await ids('darwin')).toContain('module:@miniben90/x-win');
    expect(await ids('win32')).not.toContain('module:@miniben90/x-win');
  });

  test('every complaint says what to do', async () => {
    const fails = async (): Promise<never> => {
      throw new StudioError('NO_LIBRARY', 'is broken');
    };
    const all = { tryModule: fails, findFfmpeg: fails, displays: fails, freeBytes: () => 0, nodeVersion: 'v20.1.0' };
    const found = await complaints(all);
    expect(found.length).toBe(8);
    for (const { fix } of found) expect(fix).toMatch(/\w{3}/);
  });

  test.each([
    ['v20.20.2', ['node']],
    ['v22.17.9', ['node']],
    ['v22.18.0', []],
    ['v25.0.0', []],
  ])('Node %s', async (nodeVersion, ids) => {
    expect((await complaints({ nodeVersion })).map((check) => check.id)).toEqual(ids);
  });

  test('a native module that does not load is named with the reason, on one line', async () => {
    const tryModule = async (name: string) => {
      if (name === 'koffi') throw new Error('libfoo.so is missing\n    at somewhere');
    };
    expect(await complaints({ tryModule })).toMatchObject([
      { id: 'module:koffi', status: 'fail', what: 'koffi does not load: libfoo.so is missing' },
    ]);
  });

  test.each([
    [['libx264'], 'fail', 'no encoder that keeps every pixel'],
    [['utvideo', 'libx264'], 'warn', 'lacks libx264rgb (recordings are larger: utvideo is used)'],
    [['libx264rgb'], 'warn', 'lacks libx264 (no playback copies can be made)'],
    [['png'], 'warn', 'lacks libx264rgb (recordings are larger: png is used) and libx264 (no playback copies'],
  ])('an ffmpeg with %j alone: %s', async (encoders, status, what) => {
    const findFfmpeg = async () => ({
      path: '/f',
      source: 'FFMPEG_PATH',
      version: '7',
      encoders: new Set(encoders),
    });
    expect(await complaints({ findFfmpeg })).toMatchObject([
      { id: 'ffmpeg', status, what: expect.stringContaining(what) },
    ]);
  });

  test('programs that tell no elements are named: passwords typed into them are recorded', async () => {
    const found = { ready: true, by: 'the bus', speaking: ['Mousepad'], silent: ['Gimp'], why: null, fix: null };
    const checks = (await examine(machine({ elements: async () => found }), '/data')).checks;
    expect(checks.find(({ id }) => id === 'elements')).toMatchObject({
      status: 'ok',
      what: 'the bus answers; elements are told by Mousepad',
    });
    expect(checks.find(({ id }) => id === 'passwords')).toMatchObject({
      status: 'warn',
      what: expect.stringMatching(/passwords in Gimp: .* recorded/),
      fix: expect.stringMatching(/record --launch/),
    });
    const none = { ready: false, by: 'the bus', speaking: [], silent: [], why: 'no bus', fix: 'Install it.' };
    expect(await complaints({ elements: async () => none })).toMatchObject([
      { id: 'elements', status: 'warn', fix: 'Install it.' },
    ]);
  });

  test('without a display there is one complaint, not one for each thing that needs it', async () => {
    const none = async (): Promise<never> => {
      throw new StudioError('NO_DISPLAY', 'There is no display.');
    };
    const found = await complaints({ displays: none, xExtensions: none, permissions: none });
    expect(found).toMatchObject([{ id: 'display', status: 'fail', what: 'There is no display.' }]);
  });

  test.each([
    ['without an X display', { XDG_SESSION_TYPE: 'wayland' }, []],
    ['whose X display is XWayland', { WAYLAND_DISPLAY: 'w-0', DISPLAY: ':0' }, ['XWAYLAND']],
  ])('Wayland %s is recorded as such, whatever XWayland has', async (_what, env, extensions) => {
    const xExtensions = async () => new Set(extensions);
    expect(await complaints({ env, xExtensions })).toEqual([]);
  });

  test('Wayland beside another X server', async () => {
    const env = { WAYLAND_DISPLAY: 'w-0', DISPLAY: ':99' };
    expect(await complaints({ env })).toMatchObject([
      { id: 'session', status: 'warn', fix: expect.stringContaining('Xorg') },
    ]);
  });

  test('XWayland seen from outside of its session says to start inside', async () => {
    const xExtensions = async () => new Set([...ALL_EXTENSIONS, 'XWAYLAND']);
    expect(await complaints({ env: { DISPLAY: ':0' }, xExtensions })).toMatchObject([
      { id: 'session', status: 'fail', fix: expect.stringContaining('WAYLAND_DISPLAY') },
    ]);
  });

  test('where the desktop app shares the screen, Wayland is a warning that says what is not heard', async () => {
    const env = { WAYLAND_DISPLAY: 'w-0', DISPLAY: ':0' };
    const xExtensions = async () => new Set([...ALL_EXTENSIONS, 'XWAYLAND']);
    const [found, ...more] = await complaints({ env, xExtensions, shared: true });
    expect(more).toEqual([]);
    expect(found).toMatchObject({ id: 'session', status: 'warn', fix: expect.stringContaining('Xorg') });
    expect(found?.what).toContain('heard only in programs that run under X11');
    // Without an X server there is nothing to tell displays, keys and windows by.
    expect(await complaints({ env: { WAYLAND_DISPLAY: 'w-0' }, shared: true })).toMatchObject([{ status: 'fail' }]);
  });

  test.each([
    ['DAMAGE', 'warn'],
    ['RECORD', 'fail'],
  ])('an X server without %s: %s', async (missing, status) => {
    const xExtensions = async () => new Set(ALL_EXTENSIONS.filter((name) => name !== missing));
    expect(await complaints({ xExtensions })).toMatchObject([
      { id: 'x-extensions', status, what: expect.stringContaining(missing) },
    ]);
  });

  test.each([
    [4, 'warn'],
    [0.4, 'fail'],
  ])('%d GiB free: %s', async (gib, status) => {
    expect(await complaints({ freeBytes: () => gib * 1024 ** 3 })).toMatchObject([{ id: 'disk', status }]);
  });

  test('a permission that is refused fails with what to click; one that the OS does not tell warns', async () => {
    const ask = (id: string, granted: boolean | 'unknown') => ({ id, granted, what: id, fix: `Click ${id}` });
    const permissions = async () => [ask('screen', false), ask('input', 'unknown'), ask('accessibility', true)];
    expect(await complaints({ platform: 'darwin', permissions })).toEqual([
      { id: 'permission:screen', status: 'fail', what: 'screen', fix: 'Click screen' },
      { id: 'permission:input', status: 'warn', what: 'input', fix: 'Click input' },
    ]);
  });

  test('the text for people ends with whether one can record', async () => {
    const last = async (changes: Partial<Machine>) =>
      reportText(await examine(machine(changes), '/'))
        .split('\n')
        .at(-1);
    expect(await last({})).toBe('Ready to record.');
    expect(await last({ freeBytes: () => 1024 ** 3 })).toBe('Ready to record, with 1 warning.');
    expect(await last({ freeBytes: () => 0 })).toBe('Not ready: 1 of 11 checks failed.');
  });
});
