import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { axeViolations, heard, still } from '../../support/studio-browser.ts';
import { makeDataset, type SmallDataset } from '../../support/studio-dataset.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { makeRecording } from '../../support/studio-recording.ts';
import { act, addPeople, annotateAndHandIn, chooseByKeys } from '../../support/studio-review.ts';
import { until } from '../../support/until.ts';

/** Nobody gets lost: addresses hold what is shown, the palette leads anywhere, a recording leads to its review. */

const studio = studioFixture();
const { home } = studio;
let set: SmallDataset;
let [ana, ben] = ['', ''];
beforeAll(async () => {
  set = await makeDataset(studio.server, home.dir('small set'));
  [ana = '', ben = ''] = await addPeople(studio.server, set.ws, 'Ana', 'Ben');
  await studio.api.dataset.freeze({ ws: set.ws, name: 'spring', changelog: '', filter: {} });
  await studio.api.dataset.freeze({ ws: set.ws, name: 'summer', changelog: '', filter: {}, again: true });
  await until('the versions', async () => (await studio.api.dataset.versions({ ws: set.ws })).versions.length === 2);
}, 240_000);

const search = (page: Page): Promise<string> => page.evaluate(() => location.search);
/** What one looks at now is there again after a reload, after back, and in another window at the same address. */
async function isKept(page: Page, check: (page: Page) => Promise<unknown>): Promise<void> {
  await check(page);
  const address = page.url();
  await page.reload();
  await check(page);
  expect(page.url()).toBe(address);
  await page.goto(`${studio.origin}/settings`);
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.goBack();
  await check(page);
  await studio.inWindow(address.slice(studio.origin.length), async (other) => void (await check(other)));
}

it('a page opened by its address asks for no code but what the studio named with it', {
  timeout: 120_000,
}, async () => {
  const [{ id } = { id: '' }] = await studio.api.recordings.list({ ws: set.ws });
  const addresses = ['', '/dataset/statistics', `/recordings/${id}`, `/recordings/${id}/review`];
  for (const address of addresses.map((one) => `/w/${set.ws}${one}`)) {
    await studio.inWindow(address, async (page) => {
      await still(page);
      const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      const html = await (await studio.server.ask(address, { headers: { accept: 'text/html' } })).text();
      const code = asked.filter((name) => /\.(?:js|css)$/.test(name)).map((name) => new URL(name).pathname);
      expect(code.length).toBeGreaterThan(5);
      expect(code.filter((path) => !html.includes(`"${path}"`))).toEqual([]);
    });
  }
});

it('the library’s words, choices and order are in its address', { timeout: 120_000 }, async () => {
  await studio.inWindow(`/w/${set.ws}`, async (page) => {
    await page.getByText('6 tasks').waitFor();
    expect(await search(page)).toBe('');
    await page.getByLabel('Search tasks').fill('the');
    await page.getByRole('button', { name: /^PowerPoint/ }).click();
    await page.getByRole('columnheader', { name: 'Goal' }).getByRole('button').click();
    await soon(() => search(page)).toBe('?q=the&software=powerpoint&sort=goal');
    await isKept(page, async (at) => {
      await at.getByText('3 of 6 tasks').waitFor();
      expect(await at.getByLabel('Search tasks').inputValue()).toBe('the');
      const first = at.getByRole('grid', { name: 'Tasks' }).locator('[role=row][aria-selected]').first();
      await soon(() => first.textContent()).toContain('Align the three pictures');
    });
    // Without a filter nothing is left behind, and a plain link to the page keeps what was chosen.
    await page.getByRole('link', { name: 'Library' }).click();
    await soon(() => search(page)).toBe('?q=the&software=powerpoint&sort=goal');
    await page.keyboard.press('Escape');
    await soon(() => search(page)).toBe('?sort=goal');
  });
});

it('so are those of the recordings, the data set and the export', { timeout: 180_000 }, async () => {
  await studio.inWindow(`/w/${set.ws}/recordings`, async (page) => {
    await page.getByLabel('Search recordings').fill('portrait');
    await soon(() => search(page)).toBe('?q=portrait');
    await isKept(page, (at) => at.getByText('2 of 6 recordings').waitFor());
  });
  await studio.inWindow(`/w/${set.ws}/dataset?software=gimp&steps=5..`, async (page) => {
    const rows = page.getByRole('grid', { name: 'Rows of the data set' }).getByRole('row');
    await soon(async () => (await rows.count()) - 1).toBe(2);
    await page.getByRole('link', { name: /^Statistics/ }).click();
    await soon(() => search(page)).toBe('?software=gimp&steps=5..');
    await page
      .getByRole('link', { name: /^Export/ })
      .first()
      .click();
    await page.getByText('Software: GIMP; Steps: at least 5 steps').waitFor();
    await page.getByRole('checkbox', { name: /Include unapproved/ }).check();
    await page.getByRole('radio', { name: /version/i }).check();
    await soon(() => search(page)).toMatch(/^\?software=gimp&steps=5\.\.&version=summer&unapproved=yes/);
    await isKept(page, async (at) => {
      await soon(() => at.getByRole('checkbox', { name: /Include unapproved/ }).isChecked()).toBe(true);
      await soon(() => at.getByRole('radio', { name: /version/i }).isChecked()).toBe(true);
    });
  });
});

it('an address that says nonsense shows the page as it is without one', async () => {
  const nonsense = '?sort=-nothing&state=x&progress=y&steps=a..b&problems=7&case=-3&tags=&version=none&view=z';
  for (const [at, words] of [
    ['', '6 tasks'],
    ['/recordings', '6 recordings'],
    ['/dataset', '6 recordings of 6 tasks'],
  ]) {
    await studio.inWindow(`/w/${set.ws}${at}${nonsense}`, async (page) => {
      await page
        .getByText(words ?? '', { exact: true })
        .first()
        .waitFor();
    });
  }
});

it('the palette finds tasks, recordings, people and versions beside commands', { timeout: 120_000 }, async () => {
  await studio.inWindow(`/w/${set.ws}/insights`, async (page) => {
    await page.getByRole('heading', { level: 1, name: 'Insights' }).waitFor();
    await heard(page);
    const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    const ask = async (words: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByLabel('Search commands').waitFor();
      await page.keyboard.type(words);
    };
    await ask('mountains');
    await soon(() => options.count()).toBe(2);
    expect(await axeViolations(page)).toEqual([]);
    await soon(() => options.allTextContents()).toEqual([
      expect.stringMatching(/date below the mountains.*Task$/),
      expect.stringMatching(/date below the mountains.*Recording$/),
    ]);
    await page.keyboard.press('Enter');
    await page.getByText('Write the date below the mountains').first().waitFor();
    expect(page.url()).toContain('/tasks/');
    await ask('ben');
    await options.filter({ hasText: 'Person' }).waitFor();
    await page.keyboard.press('Escape');
    await ask('summer version');
    await options.filter({ hasText: 'Version' }).waitFor();
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: /summer/ });
    await soon(() => row.first().getAttribute('aria-current')).toBe('true');
    expect(page.url()).toMatch(/\/dataset\/versions\?version=summer$/);
  });
});

it('a recording that waits for my review says so on its own page, and the bar counts my work', {
  timeout: 120_000,
}, async () => {
  const made = await makeRecording(path.join(home.dir('small set'), 'recordings'), {
    id: 'to-review',
    steps: 3,
    marks: [1],
    width: 640,
    height: 360,
    task: { id: set.recordings[0]!.task, goal: 'Crop' },
    app: { id: 'gimp', name: 'GIMP' },
  });
  await soon(async () => (await studio.api.recordings.list({ ws: set.ws })).length).toBe(7);
  await annotateAndHandIn({ server: studio.server, ws: set.ws, recording: made.id }, ana, made);
  await studio.inWindow(`/w/${set.ws}/recordings/${made.id}`, async (page) => {
    await page.getByRole('tree', { name: 'Subtasks and steps' }).waitFor();
    expect(await page.getByText('Waiting for your review').count()).toBe(0);
    await chooseByKeys(page, 'Ben');
    await page.getByText('Waiting for your review').waitFor();
    const waiting = (await studio.api.review.queue({ ws: set.ws, person: ben })).length;
    await page.goto(`${studio.origin}/w/${set.ws}/recordings`);
    const link = page.getByRole('link', { name: /^My work/ });
    await soon(() => link.textContent()).toContain(`${waiting} to do`);
    await page.goBack();
    await page.getByRole('button', { name: 'Start review', exact: true }).click();
    await soon(() => page.url()).toMatch(/\/to-review\/review/);
    const place = { ws: set.ws, recording: made.id, person: ben };
    expect((await studio.api.review.get(place)).claim?.person).toBe(ben);
  });
});

it('at a wide window a preview shows the highlighted recording; several are shown in the data set at once', {
  timeout: 120_000,
}, async () => {
  const { page, context, faults } = await studio.open();
  await page.setViewportSize({ width: 2560, height: 1440 });
  await page.goto(`${studio.origin}/w/${set.ws}/recordings?q=made`);
  const preview = page.getByRole('complementary', { name: 'Preview' });
  const picture = preview.getByRole('img');
  await soon(() => picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth)).toBe(640);
  // Rows have small ones, each in a place of its own before it is there.
  const thumbs = page.getByRole('grid', { name: 'Recordings' }).locator('img');
  const loaded = () =>
    thumbs.evaluateAll((all) => all.map((img) => img instanceof HTMLImageElement && img.naturalWidth));
  await soon(loaded).toContain(200);
  const boxes = await thumbs.evaluateAll((all) => all.map((img) => [img.clientWidth, img.clientHeight].join('x')));
  expect([...new Set(boxes)]).toEqual(['48x30']);
  expect(await axeViolations(page)).toEqual([]);
  const before = await picture.getAttribute('src');
  await heard(page);
  await page.keyboard.press('ArrowDown');
  await soon(() => picture.getAttribute('src')).not.toBe(before);
  await page.keyboard.press('x');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('x');
  await page.getByText('2 recordings selected').waitFor();
  await page.keyboard.press('d');
  await page.getByText('2 of 7 recordings').waitFor();
  await soon(() => search(page)).toMatch(/^\?recordings=made/);
  // The data set shows its rows in the same way.
  await soon(() => picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth)).toBe(640);
  expect(await page.getByRole('grid').locator('img').count()).toBe(2);
  expect(await axeViolations(page)).toEqual([]);
  await page.goBack();
  await page.getByText('2 recordings selected').waitFor();
  await page.setViewportSize({ width: 1366, height: 768 });
  await preview.waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);
  await context.close();
});

it('a right click on a row opens its menu, my work has pictures, and the window says how far the work is', {
  timeout: 120_000,
}, async () => {
  const row = set.recordings[0]!;
  await studio.inWindow(`/w/${set.ws}/recordings`, async (page) => {
    const rows = page.getByRole('grid', { name: 'Recordings' }).getByRole('row');
    await rows.nth(2).getByRole('gridcell').last().waitFor();
    // Beside the links of a row, which keep the browser's own menu.
    await rows.nth(2).click({ button: 'right', position: { x: 4, y: 4 } });
    await page.getByRole('menuitem', { name: 'Who annotates …' }).waitFor();
    expect(await rows.nth(2).getAttribute('data-chosen')).toBe('true');
    await page.keyboard.press('Escape');

    await page.goto(`${studio.origin}/w/${set.ws}/recordings/${row.id}`);
    await page.getByRole('tree', { name: 'Subtasks and steps' }).waitFor();
    await soon(() => page.title()).toMatch(new RegExp(`^\\d+/\\d+ · ${row.task} · `));

    await chooseByKeys(page, 'Ben');
    await page.goto(`${studio.origin}/w/${set.ws}/work`);
    const picture = page.getByRole('list', { name: 'Work, the next first' }).locator('img').first();
    await soon(() => picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth)).toBe(200);
  });
});

it('the step in hand and a comment are in the address of the annotation page; a jump can be gone back from', {
  timeout: 180_000,
}, async () => {
  const made = await makeRecording(path.join(home.dir('small set'), 'recordings'), {
    id: 'by-address',
    steps: 8,
    marks: [4],
    width: 640,
    height: 360,
    task: { id: set.recordings[0]!.task, goal: 'Crop' },
    app: { id: 'gimp', name: 'GIMP' },
  });
  const at = `/w/${set.ws}/recordings/${made.id}`;
  await soon(async () => (await studio.api.recordings.list({ ws: set.ws })).some(({ id }) => id === made.id)).toBe(
    true,
  );
  const { steps } = await studio.api.recordings.open({ ws: set.ws, recording: made.id });
  const pin = { action: steps[5]!.id, role: null, place: null, t: null };
  const said = { type: 'comment', thread: null, pin, text: 'Which button?' } as const;
  await act({ server: studio.server, ws: set.ws, recording: made.id }, ben, said);
  await studio.inWindow(at, async (page) => {
    await chooseByKeys(page, 'Ana');
    const current = page.getByRole('tree', { name: 'Subtasks and steps' }).locator('[aria-current=step]');
    const step = (n: number) => soon(() => current.getAttribute('aria-label')).toMatch(new RegExp(`^Step ${n}:`));
    await step(1);
    await soon(() => search(page)).toBe('?step=1');
    const length = () => page.evaluate(() => history.length);
    const before = await length();
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowDown');
    await soon(() => search(page)).toBe('?step=4');
    expect(await length()).toBe(before);

    // To the last step and to the comment are jumps.
    await page.keyboard.press('End');
    await soon(() => search(page)).toBe('?step=8');
    await page.keyboard.press('Shift+U');
    await soon(() => search(page)).toMatch(/^\?step=6&comment=/);
    const card = page.getByRole('article', { name: 'Comment 1' });
    await soon(() => card.getAttribute('aria-current')).toBe('true');
    await page.goBack();
    await step(8);
    await page.goBack();
    await step(4);
    await page.goForward();
    await step(8);
    expect(await search(page)).toBe('?step=8');
    await page.goForward();
    await step(6);
    await soon(() => card.getAttribute('aria-current')).toBe('true');
    await isKept(page, async (one) => {
      const now = one.getByRole('tree', { name: 'Subtasks and steps' }).locator('[aria-current=step]');
      await soon(() => now.getAttribute('aria-label')).toMatch(/^Step 6:/);
    });
    await soon(() => card.getAttribute('aria-current')).toBe('true');
    // A step that is not there, and a comment that is not: as without them.
    await page.goto(`${studio.origin}${at}?step=99&comment=none`);
    await step(6);
    await page.keyboard.press('ArrowUp');
    await soon(() => search(page)).toBe('?step=5');
  });
});
