import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type CheckResult, checksSchema } from '../../../schemas/checks.ts';
import { recipeSchema } from '../../../schemas/play.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { STAGE_MARK } from '../stage/processes.ts';
import { setStage } from '../stage/set-stage.ts';
import { evaluateChecks } from './evaluate.ts';

/** Settings by the real gsettings (of Linux), as programs on a stage leave them in its home. */

const linux = process.platform === 'linux';
const folders = temporaryFolders();
afterAll(folders.clean);

const SET = "[org/gtk/settings/file-chooser]\nshow-hidden=true\nclock-format='12h'\nsidebar-width=200\n";
const CHOOSER = 'org.gtk.Settings.FileChooser';

/** A home with its file of settings; `put` may make something else of it. */
function homeWith(put: (file: string) => void = (file) => writeFileSync(file, SET)): string {
  const home = folders.make();
  const folder = join(home, '.config/glib-2.0/settings');
  mkdirSync(folder, { recursive: true });
  put(join(folder, 'keyfile'));
  return home;
}

async function look(check: object, home: string | null, env: object | null = {}): Promise<CheckResult | undefined> {
  const one = { id: 'a', kind: 'setting', schema: CHOOSER, ...check };
  const checks = checksSchema.parse({ schema: 'trajectory-studio/checks', version: 2, checks: [one] });
  const place = { home, still: null, titles: null, files: {}, answer: null };
  const stage = env === null ? null : { ...process.env, [STAGE_MARK]: 'test', ...env };
  return (await evaluateChecks(checks, place, stage)).checks[0];
}

describe.runIf(linux)('a setting', () => {
  test.each([
    ['that is on', { key: 'show-hidden', equals: true }, 1, /show-hidden is true/],
    ['that is another', { key: 'show-hidden', equals: false }, 0, /is true, not false/],
    ['of text', { key: 'clock-format', equals: '12h' }, 1, /“12h”/],
    ['of number', { key: 'sidebar-width', equals: 198, tolerance: 2 }, 1, /is 200/],
    ['that nobody set', { key: 'location-mode', equals: 'path-bar' }, 1, /“path-bar”/],
    ['without such a key', { key: 'none', equals: 1 }, 0, /No such key/],
    ['without such a schema', { schema: 'org.none', key: 'none', equals: 1 }, 0, /No such schema/],
  ])('%s', async (_name, check, score, why) => {
    expect(await look(check, homeWith())).toMatchObject({ score, why: expect.stringMatching(why), screen: false });
  });

  const shown = { key: 'show-hidden', equals: true };
  test.each<[string, (file: string) => void, RegExp]>([
    ['a link to another file', (file) => symlinkSync(join(homeWith(), '.config/glib-2.0/settings/keyfile'), file), /./],
    ['a pipe that nobody writes to', (file) => void execFileSync('mkfifo', [file]), /./],
    ['a folder', (file) => mkdirSync(file), /./],
    ['5 MB', (file) => writeFileSync(file, Buffer.alloc(5_000_000, SET)), /larger than/],
    ['no such file', (file) => writeFileSync(file, Buffer.alloc(1000, 0xff)), /is false/],
  ])('where its file is %s never passes, and is said', async (_name, put, why) => {
    expect(await look(shown, homeWith(put))).toMatchObject({ score: 0, why: expect.stringMatching(why) });
  });

  test('is read as a program on a stage set it', async () => {
    const set = `gsettings set ${CHOOSER} show-hidden true; touch ~/done; sleep 300`;
    const recipe = recipeSchema.parse({
      schema: 'trajectory-studio/recipe',
      version: 1,
      screen: { width: 640, height: 480 },
      programs: [{ command: 'sh', args: ['-c', set] }],
    });
    const layout = { layout: 'us', variant: '' };
    const none = { fileOf: () => null, task: null, workspace: null };
    const stage = await setStage({ recipe, width: 640, height: 480, layout, ...none });
    try {
      while (!existsSync(join(stage.home, 'done'))) await new Promise((done) => setTimeout(done, 20));
      expect(await look(shown, stage.home, stage.env)).toMatchObject({ score: 1 });
    } finally {
      await stage.end();
    }
  });

  test('looking changes nothing in the home', async () => {
    const home = homeWith();
    const all = (): unknown => readdirSync(home, { recursive: true }).sort();
    const before = all();
    await look(shown, home);
    expect(all()).toEqual(before);
  });

  test('where gsettings is not installed says what to install', async () => {
    const none = await look(shown, homeWith(), { PATH: folders.make() });
    expect(none).toMatchObject({ score: 0, able: false, why: expect.stringContaining('apt install libglib2.0-bin') });
  });
});

test('a setting after its stage has gone cannot be tried', async () => {
  const gone = await look({ key: 'show-hidden', equals: true }, homeWith(), null);
  expect(gone).toMatchObject({ score: 0, able: false, why: expect.stringContaining('not kept') });
});

test.each([
  ['an option as the schema', { schema: '--schemadir', key: 'a' }],
  ['an option as the key', { schema: CHOOSER, key: '--help' }],
  ['two words', { schema: `${CHOOSER} a`, key: 'b' }],
  ['a path without an end', { schema: 'a.b:/../etc', key: 'b' }],
  ['a line more', { schema: CHOOSER, key: 'a\nb' }],
])('%s is refused', (_name, check) => {
  const one = { id: 'a', kind: 'setting', equals: 1, ...check };
  expect(checksSchema.safeParse({ schema: 'trajectory-studio/checks', version: 2, checks: [one] }).success).toBe(false);
});

test('checks of version 1 are read as they are', () => {
  const old = { schema: 'trajectory-studio/checks', version: 1, checks: [{ id: 'a', kind: 'file', path: 'a' }] };
  expect(checksSchema.parse(old)).toMatchObject({ version: 1, checks: [{ is: 'there' }] });
});
