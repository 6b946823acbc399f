import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { soon } from '../support/studio-expect.ts';
import { makeRecording } from '../support/studio-recording.ts';
import { withTask } from './asks.ts';
import { desktopFixture } from './fixture.ts';
import type { DoubleDriver } from './with-double.ts';

/** An export's folder is shown by the system's file manager from the page, and no other folder is. */

const desktop = desktopFixture();

/** The app with one recording in a workspace, on the page of exports. */
async function onExports(): Promise<{ app: DoubleDriver; page: Page; dir: string; out: string }> {
  const app = await desktop.start();
  const page = await app.main();
  const goal = 'Crop the picture';
  const { ws, dir, task } = await withTask(app, goal);
  await makeRecording(path.join(dir, 'recordings'), {
    id: 'made-1',
    steps: 3,
    pictures: 'plain',
    width: 640,
    height: 360,
    task: { id: task, goal },
    app: { id: 'gimp', name: 'GIMP' },
  });
  // Folders that came from outside are looked for every few seconds.
  await soon(async () => ((await app.ask(`/api/workspaces/${ws}/recordings`)) as unknown[]).length).toBe(1);
  await page.goto(new URL(`/w/${ws}/export`, page.url()).href);
  await page.getByRole('heading', { level: 1, name: 'Export' }).waitFor();
  return { app, page, dir, out: app.home.dir('for others') };
}

/** As a person does it: every state, into this folder. */
async function makeExport(page: Page, out: string): Promise<void> {
  await page.getByRole('checkbox', { name: /Include unapproved/ }).check();
  await page.getByText(/^1 task, /).waitFor();
  await page.getByLabel('Folder on this machine').fill(out);
  await page.getByRole('button', { name: /^Export/ }).click();
  await page.getByText('Written to').waitFor({ timeout: 120_000 });
}

it('Open shows the folder of an export, also in the list of past ones; one that is gone is said', {
  timeout: 240_000,
}, async () => {
  const { app, page, out } = await onExports();
  await makeExport(page, out);
  const { openedPaths } = app.double;
  const open = page.getByRole('button', { name: `Open the folder ${out}` });
  const past = page.getByRole('table', { name: /Past exports/ });
  await past.getByText(out).waitFor();
  await soon(() => open.count()).toBe(2);
  expect(openedPaths).toEqual([]);
  await open.first().click();
  await soon(() => openedPaths).toEqual([out]);
  await past.getByRole('button', { name: `Open the folder ${out}` }).click();
  await soon(() => openedPaths).toEqual([out, out]);
  expect(await page.getByRole('alert').count()).toBe(0);

  // Removed behind the page's back: it still has the button.
  fs.rmSync(out, { recursive: true });
  await open.first().click();
  await page.getByRole('alert').getByText('It could not be opened: is it still there?').waitFor();
  expect(openedPaths).toEqual([out, out]);
});

it('a page gets no other folder opened: its workspace, one without a manifest, a link to an export, a file of it', {
  timeout: 240_000,
}, async () => {
  const { app, page, dir, out } = await onExports();
  await makeExport(page, out);
  const link = path.join(app.home.dir('links'), 'link');
  fs.mkdirSync(path.dirname(link), { recursive: true });
  fs.symlinkSync(out, link, 'junction');
  const ask = (folder: string): Promise<string> =>
    page.evaluate(
      (at) =>
        globalThis.window.desktop?.openFolder(at).then(
          () => 'opened',
          (error: Error) => error.message,
        ) ?? Promise.resolve('there is no host'),
      folder,
    );
  const wrong = [dir, path.join(dir, 'recordings'), '/etc', link, path.join(out, 'manifest.json'), `${out}/..`];
  for (const folder of wrong) expect([folder, await ask(folder)]).toEqual([folder, expect.stringContaining('cannot')]);
  expect(app.double.openedPaths).toEqual([]);
  // The same call is answered for the export itself.
  expect(await ask(out)).toBe('opened');
  expect(app.double.openedPaths).toEqual([out]);
});
