import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PackagedFile, stageStudio } from '../../scripts/package-files.mjs';
import { startApp } from '../support/apps.ts';
import { click, handsFor, perform, type } from '../support/person.ts';
import { run } from '../support/process.ts';
import { recorderIs, recorderState, startRecording, stopRecording, withTask } from './asks.ts';
import { desktopFixture } from './fixture.ts';

/** What a package holds is enough: laid out far from the project, it serves the studio, records and makes keyframes. */

const ROOT = path.join(import.meta.dirname, '..', '..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trajectory-studio-package-'));
const main = path.join(folder, 'studio', 'cli', 'main.js');
let files: PackagedFile[];
const desktop = desktopFixture();
/** Built by an earlier set-up. */
const EARLIER = 'build/packages/0123456789abcdef';
beforeAll(async () => {
  fs.mkdirSync(path.join(ROOT, EARLIER), { recursive: true });
  fs.writeFileSync(path.join(ROOT, EARLIER, 'kysely.mjs'), '');
  await run(process.execPath, [path.join(ROOT, 'studio', 'api', 'build-main.ts')], { cwd: ROOT });
  files = stageStudio(ROOT, folder);
});
afterAll(() => {
  for (const made of [folder, path.join(ROOT, EARLIER)]) fs.rmSync(made, { recursive: true, force: true });
});

it('holds what runs and nothing else: no sources, no tests, no packages of development', () => {
  const paths = files.map((file) => file.path);
  const own = paths.filter((file) => !file.startsWith('node_modules/'));
  expect(own).toEqual(
    expect.arrayContaining(['studio/cli/main.js', 'studio/capture/capture-main.js', 'renderer/dist/index.html']),
  );
  expect(own).toContain('build/packages/packages.json');
  expect(own.filter((file) => file.startsWith(EARLIER))).toEqual([]);
  expect(own).toEqual(expect.arrayContaining(['native/macos/patch.jxa.js', 'LICENSE']));
  expect(paths.filter((file) => /\.tsx?$|\.test\.|for-tests/.test(file))).toEqual([]);
  for (const name of ['vite', 'vitest', 'electron', 'playwright-core', 'react', 'typescript']) {
    expect(paths.filter((file) => file.startsWith(`node_modules/${name}/`))).toEqual([]);
  }
  // An import of TypeScript would be an import of what is not there.
  const scripts = own.filter((file) => file.endsWith('.js') && !file.startsWith('renderer/'));
  const dangling = scripts.filter((file) =>
    /from\s*'\.[^']*\.ts'/.test(fs.readFileSync(path.join(folder, file), 'utf8')),
  );
  expect(dangling).toEqual([]);
});

it('finds every native module and the display on its own', async () => {
  const { stdout } = await run(process.execPath, [main, 'doctor', '--json'], { env: desktop.display.env, cwd: folder });
  const { checks } = JSON.parse(stdout) as { checks: { id: string; status: string; what: string }[] };
  expect(checks.filter(({ status }) => status === 'fail')).toEqual([]);
  expect(checks.filter(({ id }) => id.startsWith('module:')).length).toBeGreaterThan(3);
});

it('serves the studio to the host, records, and has the keyframes', { timeout: 240_000 }, async () => {
  const app = await desktop.start({
    program: { command: process.execPath, args: [main], flags: ['--no-build'] },
  });
  const page = await app.main();
  await page.getByRole('heading', { name: 'Trajectory Studio' }).waitFor();
  const sample = (await app.ask('/api/workspaces/sample', {})) as { id: string };
  expect(await app.ask(`/api/workspaces/${sample.id}/recordings`)).toHaveLength(1);
  const made = await withTask(app);
  const editor = await startApp(desktop.display, 'mousepad', { x: 100, y: 80, width: 800, height: 500 });
  const { x, y } = await editor.bounds();
  await startRecording(app, made);
  await recorderIs(app, 'recording');
  await perform(desktop.display, await handsFor(desktop.display, 'human'), [click(x + 300, y + 200), type('Tea')]);
  await stopRecording(app);
  const recording = (await recorderState(app))?.recording ?? '';
  const { steps } = (await app.ask(`/api/workspaces/${made.ws}/recordings/${recording}`)) as {
    steps: { kind: string; text: string | null; before: number }[];
  };
  expect(steps.map(({ kind, text }) => text ?? kind)).toEqual(['click', 'Tea']);
  expect(steps.every(({ before }) => before >= 0)).toBe(true);
});
