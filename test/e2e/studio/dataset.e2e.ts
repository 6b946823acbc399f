import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { interceptRequests } from '../../support/intercept.ts';
import { axeViolations, heard, still } from '../../support/studio-browser.ts';
import { makeDataset, type SmallDataset } from '../../support/studio-dataset.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { arrowTo, tabTo } from '../../support/studio-keys.ts';

/** A data set from its rows to checked files, by keys alone; only the last tests click, on the bar and on a filter. */

const studio = studioFixture();
const { home } = studio;
let set: SmallDataset;
beforeAll(async () => {
  set = await makeDataset(studio.server, home.dir('small set'));
}, 240_000);

const rowsOf = (page: Page) => page.getByRole('grid', { name: 'Rows of the data set' }).getByRole('row');
const shown = (page: Page) => soon(async () => (await rowsOf(page).count()) - 1);
const rows = async () => (await studio.api.dataset.rows({ ws: set.ws })).rows;
const idsOf = async (fits: (row: Awaited<ReturnType<typeof rows>>[number]) => boolean) =>
  (await rows())
    .filter(fits)
    .map(({ recording }) => recording)
    .sort();

it('rows are filtered by words and by field, tagged and split', { timeout: 240_000 }, async () => {
  await studio.inWindow(`/w/${set.ws}/dataset`, async (page) => {
    await shown(page).toBe(6);
    await page.keyboard.press('/');
    await page.keyboard.type('portrait copy');
    await shown(page).toBe(2);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+a');
    await page.getByText('2 recordings selected').waitFor();

    await page.keyboard.press('t');
    const tags = page.getByRole('dialog', { name: 'Tag 2 recordings' });
    await tags.waitFor();
    await page.keyboard.type('pilot');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two of a kind');
    await page.keyboard.press('Control+Enter');
    await tags.waitFor({ state: 'hidden' });
    expect(await idsOf((row) => row.tags.includes('pilot') && row.tags.includes('two of a kind'))).toEqual([
      'made-1',
      'made-2',
    ]);

    await page.keyboard.press('s');
    const split = page.getByRole('dialog', { name: 'Assign split' });
    await split.waitFor();
    await page.keyboard.type('Train');
    await split.getByText(/small letters/).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('train');
    await page.keyboard.press('Enter');
    await split.waitFor({ state: 'hidden' });
    expect(await idsOf((row) => row.split === 'train')).toEqual(['made-1', 'made-2']);

    // First unselects, then shows everything again.
    await page.keyboard.press('Escape');
    await page.getByText('No selection').waitFor();
    await shown(page).toBe(2);
    await page.keyboard.press('Escape');
    await shown(page).toBe(6);

    const field = page.getByRole('button', { name: /^Split/ }).first();
    await tabTo(page, field);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('checkbox', { name: /^train/ }));
    await page.keyboard.press('Space');
    await shown(page).toBe(2);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await shown(page).toBe(6);
  });
});

it('a rule shows what it would do, splits the rest, and says what leaks', { timeout: 240_000 }, async () => {
  await studio.inWindow(`/w/${set.ws}/dataset`, async (page) => {
    await shown(page).toBe(6);
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Split automatically' });
    await dialog.getByText(/4 tasks would change/).waitFor();
    expect(await idsOf((row) => row.split === null)).toHaveLength(4);
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('4 tasks put into splits.').waitFor();
    await dialog.getByText(/No leakage found/).waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    // Those that had a split keep it.
    expect(await idsOf((row) => row.split === null)).toEqual([]);
    expect(await idsOf((row) => row.split === 'train')).toEqual(expect.arrayContaining(['made-1', 'made-2']));
  });
  // Two tasks that ask for nearly the same, torn apart by hand.
  const task = set.recordings[1]?.task ?? '';
  await studio.api.dataset.split({ ws: set.ws, tasks: [task], split: 'test' });
  await studio.inWindow(`/w/${set.ws}/dataset`, async (page) => {
    await shown(page).toBe(6);
    await page.keyboard.press('l');
    const dialog = page.getByRole('dialog', { name: 'Leakage between splits' });
    await dialog.getByText(task, { exact: true }).waitFor();
  });
});

it('a version is frozen, exported in two formats and read back', { timeout: 240_000 }, async () => {
  await studio.inWindow(`/w/${set.ws}/dataset`, async (page) => {
    await shown(page).toBe(6);
    await page.keyboard.press('f');
    const dialog = page.getByRole('dialog', { name: 'Freeze a version' });
    await dialog.getByText('6 recordings of 6 tasks', { exact: false }).waitFor();
    await page.keyboard.type('v1.0');
    await page.keyboard.press('Tab');
    await page.keyboard.type('The first six.');
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'hidden', timeout: 60_000 });
    const after = page.getByRole('status').filter({ hasText: 'Version v1.0 is frozen.' });
    expect(await after.getByRole('link').allTextContents()).toEqual(['View', 'Export it', 'Share …']);
    const { versions } = await studio.api.dataset.versions({ ws: set.ws });
    expect(versions.map(({ name, changelog, counts }) => ({ name, changelog, recordings: counts.recordings }))).toEqual(
      [{ name: 'v1.0', changelog: 'The first six.', recordings: 6 }],
    );

    // A name is taken once.
    await page.keyboard.press('f');
    await dialog.waitFor();
    // The next one is proposed, to be typed over.
    await soon(() => dialog.getByLabel('Name').inputValue()).toBe('v1.1');
    await page.keyboard.type('v1.0');
    await dialog.getByText(/There is a version of this name/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await page.keyboard.press('e');
    await page.getByRole('heading', { level: 1, name: 'Export' }).waitFor();
    await page.getByText('Nothing would be exported.').waitFor();
    await tabTo(page, page.getByRole('radio', { name: 'The data set as it is now' }));
    await page.keyboard.press('ArrowDown');
    await page.getByRole('combobox', { name: 'Version' }).waitFor();
    await tabTo(page, page.getByRole('checkbox', { name: /Include unapproved/ }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('checkbox', { name: 'AgentNet JSON Lines' }));
    await page.keyboard.press('Space');
    await page.getByText(/^6 tasks, /).waitFor();
    const folder = page.getByLabel('Folder on this machine');
    await tabTo(page, folder);
    await page.keyboard.press('Control+a');
    const out = home.dir('for others');
    await page.keyboard.type(out);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Written to').waitFor({ timeout: 120_000 });
    for (const format of ['videogui', 'agentnet'])
      expect(JSON.parse(fs.readFileSync(path.join(out, format, 'manifest.json'), 'utf8'))).toMatchObject({ format });

    const past = page.getByRole('table', { name: /Past exports/ });
    for (const title of ['VideoGUI', 'AgentNet JSON Lines']) {
      const row = past.getByRole('row', { name: new RegExp(`^${title}`) });
      // What was just written is checked by itself; it can be checked again.
      await row.getByText(/^\s*valid,/).waitFor({ timeout: 60_000 });
      await tabTo(page, row.getByRole('button', { name: new RegExp(`^Validate ${title}`) }));
      await page.keyboard.press('Enter');
      await row.getByText(/^\s*valid,/).waitFor({ timeout: 60_000 });
    }
  });
  const made = await studio.api.exports.list({ ws: set.ws });
  expect(made.map(({ format, version, validation }) => [format, version, validation?.ok]).sort()).toEqual([
    ['agentnet', 'v1.0', true],
    ['videogui', 'v1.0', true],
  ]);
});

it('a damaged export is told by its file, and one whose folder is gone says so', { timeout: 240_000 }, async () => {
  const out = home.dir('for others');
  fs.appendFileSync(path.join(out, 'agentnet', 'agentnet.jsonl'), 'no json\n');
  fs.rmSync(path.join(out, 'videogui'), { recursive: true });
  await studio.inWindow(`/w/${set.ws}/export`, async (page) => {
    const past = page.getByRole('table', { name: /Past exports/ });
    await past
      .getByRole('row', { name: /^VideoGUI/ })
      .getByText('The folder is gone.')
      .waitFor();
    const row = past.getByRole('row', { name: /^AgentNet/ });
    await tabTo(page, row.getByRole('button', { name: /^Validate/ }));
    await page.keyboard.press('Enter');
    await row.getByText(/^\s*\d+ problems?,/).waitFor({ timeout: 60_000 });
    await tabTo(page, row.locator('summary'));
    await page.keyboard.press('Enter');
    await row
      .getByText(/agentnet\.jsonl/)
      .first()
      .waitFor();
  });
});

it.each(['light', 'dark'] as const)(
  'axe finds nothing serious on these pages, %s',
  { timeout: 240_000 },
  async (scheme) => {
    const { page, context, faults } = await studio.open({ scheme });
    const found: Record<string, unknown> = {};
    for (const at of ['dataset', 'dataset/statistics', 'dataset/duplicates', 'dataset/versions', 'export']) {
      await page.goto(`${studio.origin}/w/${set.ws}/${at}`);
      await heard(page);
      const violations = await axeViolations(page);
      if (violations.length > 0) found[at] = violations;
    }
    expect(found).toEqual({});
    expect(faults).toEqual([]);
    await context.close();
  },
);

it('statistics are drawn with their words and tables, and a plot is saved as it is seen', {
  timeout: 240_000,
}, async () => {
  await studio.inWindow(`/w/${set.ws}/dataset/statistics`, async (page) => {
    const figure = page.getByRole('figure', { name: 'Tasks by software' });
    await figure.getByText(/6 tasks in 2 software/).waitFor();
    await tabTo(page, figure.locator('summary'));
    await page.keyboard.press('Enter');
    await figure.getByRole('row', { name: /^GIMP 3/ }).waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Download: Kinds of actions' }));
    await page.keyboard.press('Enter');
    // The menu opens at its first item.
    await page.locator('[role=menuitem]:focus', { hasText: 'Plot as SVG' }).waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    const file = await saved.path();
    const svg = fs.readFileSync(file, 'utf8');
    expect(svg).toMatch(/^<\?xml [^>]+>\n<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).toContain('LeftClick');
  });
});

it('a link of the bar gives the keys to its page: Enter opens the marked row, also after a second click', async () => {
  await studio.inWindow('/', async (page) => {
    for (const again of [false, true]) {
      await page.goto(`${studio.origin}/w/${set.ws}`);
      await heard(page);
      const link = page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Data set' });
      await link.click();
      await page.getByRole('heading', { level: 1, name: 'Data set' }).waitFor();
      await page.getByRole('grid').locator('[data-chosen=true]').waitFor();
      if (again) await link.click();
      await page.keyboard.press('Enter');
      await page.getByRole('tree', { name: 'Subtasks and steps' }).waitFor();
    }
  });
});

it('Escape closes an open menu and leaves the filter as it was chosen there', async () => {
  await studio.inWindow(`/w/${set.ws}/dataset`, async (page) => {
    await page.getByRole('search').getByRole('button', { name: 'Software' }).click();
    const menu = page.getByRole('dialog', { name: 'Software' });
    await menu.getByRole('checkbox', { name: /GIMP/ }).click();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    const shown = page.getByRole('button', { name: 'Software: GIMP' });
    await shown.waitFor();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
  });
});

it('rarer filters are in one menu: chosen by arrows, counted, and in sight while they filter', async () => {
  await studio.inWindow(
    `/w/${set.ws}/dataset`,
    async (page) => {
      const bar = page.getByRole('search', { name: 'Data set' });
      await bar.getByRole('button', { name: 'Proof' }).waitFor();
      await page.keyboard.press('m');
      const menu = page.getByRole('dialog', { name: 'More filters' });
      await menu.getByRole('tab', { name: 'Tags', exact: true }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await menu.getByRole('tabpanel', { name: 'Actions' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      await bar.getByRole('button', { name: 'More filters (1)' }).waitFor();
      await bar.getByRole('button', { name: /^Actions: / }).waitFor();
      await soon(() => new URL(page.url()).searchParams.get('kinds')).not.toBeNull();

      // By mouse too, and nothing of the menu is cut by the small window.
      await bar.getByRole('button', { name: /^More filters/ }).click();
      await menu.getByRole('tab', { name: 'Length' }).click();
      await menu.getByLabel('At least').fill('1');
      const box = await menu.boundingBox();
      expect([box!.x >= 0, box!.y >= 0, box!.x + box!.width <= 1024, box!.y + box!.height <= 700]).toEqual(
        Array(4).fill(true),
      );
      await page.keyboard.press('Escape');
      await bar.getByRole('button', { name: 'More filters (2)' }).waitFor();
    },
    { width: 1024, height: 700 },
  );
});

const storedViews = async () => Object.keys(await studio.api.settings.get()).filter((key) => key.startsWith('views:'));

it('filters are saved as a view, found again after a reload and in the palette, renamed and removed', async () => {
  await studio.inWindow(`/w/${set.ws}/dataset?software=gimp&sort=-steps`, async (page) => {
    const searched = () => page.evaluate(() => location.search);
    const wanted = '?software=gimp&sort=-steps';
    await page.getByRole('button', { name: 'Software: GIMP' }).waitFor();
    // By keys alone.
    await page.keyboard.press('Shift+V');
    await arrowTo(page, page.getByRole('menuitem', { name: /^Save filters/ }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Save as a view' }).waitFor();
    await page.keyboard.type('GIMP by length');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'View: GIMP by length' }).waitFor();

    // Another page, loaded anew: the palette leads to it.
    await page.goto(`${new URL(page.url()).origin}/w/${set.ws}/recordings`);
    await page.getByRole('heading', { level: 1, name: 'Recordings' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('by length');
    await page.getByRole('option', { name: /GIMP by length \(Data set\)/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'View: GIMP by length' }).waitFor();
    expect(await searched()).toBe(wanted);

    // By mouse alone: other filters, and the view again; then it is renamed and removed.
    await page.getByRole('button', { name: /^Clear filters/ }).click();
    await soon(searched).not.toContain('software');
    const views = page.getByRole('button', { name: /^View/ });
    await views.click();
    await page.getByRole('menuitem', { name: 'GIMP by length' }).click();
    await soon(searched).toContain('software=gimp');
    await views.click();
    await page.getByRole('menuitem', { name: /^Rename/ }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByRole('button', { name: 'View: Mine' }).waitFor();
    await views.click();
    await page.getByRole('menuitem', { name: /^Remove/ }).click();
    await page.getByRole('button', { name: 'View: Mine' }).waitFor({ state: 'detached' });
    await soon(storedViews).toEqual([]);
  });
});

it('a small window shows everything that can be done, on the bar and over a recording', async () => {
  await studio.inWindow(
    `/w/${set.ws}/recordings/${set.recordings[0]!.id}`,
    async (page) => {
      await page.getByRole('tree', { name: 'Subtasks and steps' }).waitFor();
      await still(page);
      const cut = await page.locator('header button, header a, header h1').evaluateAll((controls) =>
        controls
          .map((control) => ({ said: control.textContent, ...control.getBoundingClientRect().toJSON() }))
          .filter(({ left, right }) => left < 0 || right > innerWidth)
          .map(({ said }) => said),
      );
      expect(cut).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1024);

      // The list of a task's recordings has its last column, the menu of each, in sight.
      await page.goto(`${new URL(page.url()).origin}/w/${set.ws}/tasks/${set.recordings[0]!.task}`);
      const menu = page.getByRole('button', { name: /^Actions for / }).first();
      await menu.waitFor();
      const list = await page.getByRole('grid', { name: 'Recordings' }).boundingBox();
      const last = await menu.boundingBox();
      expect(last!.x + last!.width).toBeLessThanOrEqual(list!.x + list!.width);
    },
    { width: 1024, height: 700 },
  );
});

it('the same content is frozen a second time only when that is asked for; the button is busy from the first moment', {
  timeout: 240_000,
}, async () => {
  await studio.api.dataset.freeze({ ws: set.ws, name: 'v8.0', changelog: '', filter: {}, again: true });
  const versions = async () => (await studio.api.dataset.versions({ ws: set.ws })).versions;
  const named = async (name: string) => (await versions()).find((version) => version.name === name);
  await soon(() => named('v8.0')).toBeDefined();
  const before = (await versions()).length;
  await studio.inWindow(`/w/${set.ws}/dataset`, async (page) => {
    await shown(page).toBe(6);
    let asked = 0;
    let letGo = (): void => undefined;
    const held = new Promise<void>((done) => {
      letGo = done;
    });
    await interceptRequests(page, '**/rpc/dataset/freeze*', async (route) => {
      asked++;
      await held;
      await route.continue();
    });
    await page.keyboard.press('f');
    const dialog = page.getByRole('dialog', { name: 'Freeze a version' });
    await soon(() => dialog.getByLabel('Name').inputValue()).toBe('v8.1');
    await page.keyboard.press('Control+Enter');
    // The studio has not answered: the button says that it works, and a second time is not sent.
    await dialog.locator('button[type=submit][data-loading]').waitFor();
    await page.keyboard.press('Control+Enter');
    letGo();
    await dialog.getByText(/Nothing changed since version v8\.0: it has the same content/).waitFor();
    expect(asked).toBe(1);
    expect(await versions()).toHaveLength(before);

    await dialog.getByRole('checkbox', { name: /^Freeze it again under another name/ }).check();
    await dialog.getByRole('textbox', { name: 'Name' }).press('Control+Enter');
    await dialog.waitFor({ state: 'hidden', timeout: 60_000 });
  });
  expect((await named('v8.1'))?.hash).toBe((await named('v8.0'))?.hash);
});
