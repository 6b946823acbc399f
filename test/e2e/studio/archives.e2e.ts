import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { interceptRequests } from '../../support/intercept.ts';
import { axeViolations, type Look } from '../../support/studio-browser.ts';
import { makeDataset, type SmallDataset } from '../../support/studio-dataset.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { until } from '../../support/until.ts';

/** A workspace and a frozen version go to another workspace as one file, by keys alone. */

/** Of a made-up video, bytes. */
const LONG = 1_500_000_000;
const studio = studioFixture();
const { home } = studio;
let set: SmallDataset;
beforeAll(async () => {
  set = await makeDataset(studio.server, home.dir('from here'));
  await freeze(set.ws, 'v1', 'gimp');
}, 240_000);

async function freeze(ws: string, name: string, software: string): Promise<void> {
  await studio.api.dataset.freeze({ ws, name, changelog: '', filter: { software: [software] } });
  await until(`${name} to be frozen`, async () => (await studio.api.dataset.versions({ ws })).versions.length === 1, {
    timeoutMs: 60_000,
  });
}

const onExportPage = (ws: string, work: (page: Page) => Promise<void>, look?: Look): Promise<void> =>
  studio.inWindow(
    `/w/${ws}/export`,
    async (page) => {
      await page.getByRole('heading', { level: 2, name: 'Archives' }).waitFor();
      await work(page);
    },
    look,
  );

const opened = (name: string, page: Page) => page.getByRole('dialog', { name });

async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

it('a version is made into an archive, which another workspace takes, and takes once', {
  timeout: 240_000,
}, async () => {
  const file = path.join(home.dir('from here'), 'exports', 'v1.tar');
  await onExportPage(set.ws, async (page) => {
    await page.keyboard.press('a');
    const dialog = opened('Share as archive', page);
    // The versions are asked for when the dialog opens; without one the choice cannot be made.
    await soon(() => dialog.getByRole('radio', { name: /A frozen version/ }).isEnabled()).toBe(true);
    await dialog.getByRole('radio', { name: /The whole workspace/ }).focus();
    await page.keyboard.press('ArrowDown');
    await until(
      'the file to be proposed',
      async () => (await dialog.getByLabel('File on this machine').inputValue()) === file,
    );
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByLabel('File on this machine').focus();
    await page.keyboard.press('Enter');
    await dialog.getByText(/^\s*3 recordings and the version v1, /).waitFor({ timeout: 60_000 });
    await page.keyboard.press('Escape');
    const row = page.getByRole('table', { name: /Archives/ }).getByRole('row', { name: /^Created/ });
    await row.getByText(/3 recordings and the version v1/).waitFor();
  });
  expect(fs.existsSync(file)).toBe(true);

  const { id: away } = await studio.api.workspaces.open({ dir: home.dir('elsewhere'), create: true });
  await onExportPage(away, async (page) => {
    await page.keyboard.press('i');
    const dialog = opened('Import an archive', page);
    await dialog.waitFor();
    await type(page, 'Archive on this machine', file);
    await page.keyboard.press('Enter');
    await dialog.getByText('Came: 3 recordings and the version v1').waitFor({ timeout: 60_000 });
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByLabel('Archive on this machine').focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('Skipped: 3 recordings that were here already').waitFor({ timeout: 60_000 });
    await dialog.getByText('Skipped: the version v1, which was here already').waitFor();
    await page.keyboard.press('Escape');
    expect(
      await page
        .getByRole('table', { name: /Archives/ })
        .getByRole('row')
        .count(),
    ).toBe(3);
  });
  const [here, there] = await Promise.all([set.ws, away].map((ws) => studio.api.dataset.versions({ ws })));
  expect(there).toEqual(here);
  expect((await studio.api.recordings.list({ ws: away })).map(({ id }) => id).sort()).toEqual([
    'made-1',
    'made-2',
    'made-3',
  ]);
});

it('Share on a version and in the workspace’s menu leads there, and says what goes along', {
  timeout: 120_000,
}, async () => {
  await studio.api.people.add({ ws: set.ws, name: 'Ana', email: null });
  await studio.inWindow(`/w/${set.ws}/dataset/versions`, async (page) => {
    await page.getByRole('link', { name: 'Share v1' }).click();
    const dialog = opened('Share as archive', page);
    await soon(() => dialog.getByRole('radio', { name: /A frozen version/ }).isChecked()).toBe(true);
    await dialog.getByText(/private content too.*Ana.*Your colleague opens Export/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /^Workspace .*: switch$/ }).click();
    await page.getByRole('menuitem', { name: /^Share this workspace/ }).click();
    await soon(() => dialog.getByRole('radio', { name: /The whole workspace/ }).isChecked()).toBe(true);
    await dialog.getByText(/These names go along: Ana/).waitFor();
  });
});

it('a version whose name stands for another content is refused, and comes under another', {
  timeout: 240_000,
}, async () => {
  const file = path.join(home.dir('from here'), 'exports', 'v1.tar');
  const other = await makeDataset(studio.server, home.dir('other'));
  await freeze(other.ws, 'v1', 'powerpoint');
  await onExportPage(
    other.ws,
    async (page) => {
      await page.keyboard.press('i');
      const dialog = opened('Import an archive', page);
      await dialog.waitFor();
      await type(page, 'Archive on this machine', file);
      await page.keyboard.press('Enter');
      await dialog.getByText(/There is a version v1 here already with other content/).waitFor({ timeout: 60_000 });
      expect(await axeViolations(page)).toEqual([]);
      await type(page, 'Call its version', 'v1-lab');
      await page.keyboard.press('Enter');
      await dialog.getByText('Came: the version v1-lab').waitFor({ timeout: 60_000 });
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await page
        .getByRole('table', { name: /Archives/ })
        .getByText(/^\s*Refused: There is a version v1/)
        .waitFor();
      expect(await axeViolations(page)).toEqual([]);
    },
    { scheme: 'dark' },
  );
  const { versions } = await studio.api.dataset.versions({ ws: other.ws });
  expect(versions.map(({ name }) => name).sort()).toEqual(['v1', 'v1-lab']);
});

it('a file that is proposed late is replaced by what is typed, not lengthened', async () => {
  await onExportPage(set.ws, async (page) => {
    let asked = 0;
    let goOn = (): void => undefined;
    const held = new Promise<void>((done) => {
      goOn = done;
    });
    await interceptRequests(page, /archives\/suggest/, async (route) => {
      asked++;
      await held;
      await route.continue();
    });
    await page.keyboard.press('a');
    const field = opened('Share as archive', page).getByLabel('File on this machine');
    await field.focus();
    await page.keyboard.press('Control+a');
    await soon(() => asked).toBe(1);
    goOn();
    await soon(() => field.inputValue()).toContain('workspace.tar');
    await page.keyboard.type('/elsewhere.tar');
    expect(await field.inputValue()).toBe('/elsewhere.tar');
  });
});

it('an archive of the whole workspace is stopped and goes on; a file that is none is refused', {
  timeout: 240_000,
}, async () => {
  // Long enough to be stopped while it is written; it takes no room on the disk until it is read.
  const long = path.join(home.dir('from here'), 'recordings', 'made-6', 'screen-7.mkv');
  fs.writeFileSync(long, '');
  fs.truncateSync(long, LONG);
  const file = path.join(home.dir('from here'), 'all.tar');
  await onExportPage(set.ws, async (page) => {
    await page.keyboard.press('a');
    const dialog = opened('Share as archive', page);
    await dialog.waitFor();
    await type(page, 'File on this machine', file);
    // Looked for before it begins: a fast disk writes the whole of it within a second or two.
    const stop = dialog.getByRole('button', { name: /^Stop/ }).focus();
    await page.keyboard.press('Enter');
    await stop;
    await page.keyboard.press('Enter');
    await dialog.getByText(/^Stopped. What is written is kept/).waitFor({ timeout: 60_000 });
    expect(fs.existsSync(file)).toBe(false);
    await dialog.getByRole('button', { name: /^Resume/ }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByText(/^\s*6 recordings, /).waitFor({ timeout: 120_000 });
    await page.keyboard.press('Escape');
    await page
      .getByRole('table', { name: /Archives/ })
      .getByText(/^\s*Stopped: /)
      .waitFor();
  });
  expect(fs.statSync(file).size).toBeGreaterThan(LONG);
  fs.rmSync(file);
  fs.rmSync(long);
  const none = path.join(home.dir('from here'), 'none.tar');
  fs.writeFileSync(none, 'no archive at all');
  await onExportPage(set.ws, async (page) => {
    await page.keyboard.press('i');
    const dialog = opened('Import an archive', page);
    await dialog.waitFor();
    await type(page, 'Archive on this machine', none);
    await page.keyboard.press('Enter');
    await dialog.getByText(/is no workspace archive/).waitFor({ timeout: 60_000 });
  });
});
