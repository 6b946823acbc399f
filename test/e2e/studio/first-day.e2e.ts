import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { squareVideo } from '../../../studio/import/videos-for-tests.ts';
import { studioMust } from '../../support/cli.ts';
import { heard, still } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { makeRecording } from '../../support/studio-recording.ts';
import { handInTwo } from '../../support/studio-replicas.ts';
import { act, addPeople } from '../../support/studio-review.ts';

/** What new users stumbled over in their first hours. The letters are those of the list in which it was written down. */

const studio = studioFixture();
const POLICY = { replicaShare: 1, checkShare: 0, seed: 1, reviewAdjudicated: false, demonstratorMayReview: false };
const GOAL = 'Arrange the three charts of the quarterly report beside each other and give all of them the same height';
let ws: string;
let [ana, ben, cem] = ['', '', ''];
/** A task that nobody has recorded. */
let unrecorded: string;

beforeAll(async () => {
  ws = await studio.newWorkspace();
  await studio.api.review.setPolicy({ ws, policy: { ...POLICY, replicas: 2 } });
  [ana = '', ben = '', cem = ''] = await addPeople(studio.server, ws, 'Ana Ferreira', 'Ben Okafor', 'Cem Yıldız');
  const compared = await makeRecording(studio.recordings, { id: 'compared', steps: 12, marks: [4] });
  await handInTwo({ server: studio.server, ws, recording: 'compared' }, compared, [ana, ben]);
  for (const [n, id] of ['blind', 'to-plan'].entries())
    await makeRecording(studio.recordings, {
      id,
      steps: 2,
      width: 640,
      height: 360,
      task: { id: `GIMP_${n + 2}`, goal: GOAL },
    });
  await studio.api.recordings.list({ ws });
  unrecorded = (await studio.api.tasks.create({ ws, software: 'ppt', goal: GOAL })).id;
}, 240_000);

/** Works as somebody in this window from the next page on. */
const become = (page: Page, person: string) =>
  page.evaluate(([ws, person]) => localStorage.setItem(`person:${ws}`, person ?? ''), [ws, person]);

async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(`${studio.origin}${address}`);
  await heard(page);
}

/** In how many lines each stands. */
const linesOf = (places: Locator) =>
  places.evaluateAll((all) =>
    all.map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    }),
  );

it.each([1024, 1366])(
  'D10: the preview of an export of %i px breaks no word, counts recordings in plain words, and names tasks of this workspace alone',
  async (width) => {
    const work = async (page: Page): Promise<void> => {
      await page.getByText(/^\d recordings: in state "/).waitFor();
      await page.getByRole('button', { name: 'Include unapproved' }).click();
      const skipped = page.getByRole('table').filter({ hasText: 'Skipped' }).locator('tbody td:nth-child(3)');
      await skipped.first().waitFor();
      await still(page);
      for (const lines of await linesOf(skipped)) expect(lines).toBe(1);
      const shown = await page.evaluate(() => {
        const fields = [...document.querySelectorAll('input, textarea')];
        return [document.body.innerText, ...fields.map((field) => field.getAttribute('placeholder') ?? '')].join('\n');
      });
      const tasks = (await studio.api.tasks.list({ ws })).map(({ id }) => id);
      const named = shown.match(/\b[A-Z]+_\d+\b/g) ?? [];
      expect(named.filter((id) => !tasks.includes(id))).toEqual([]);
    };
    await studio.inWindow(`/w/${ws}/export`, work, { width });
  },
);

it('D16: a page has one banner also under a dialog, and its regions are told apart by their names', async () => {
  await studio.inWindow(`/w/${ws}`, async (page) => {
    const [banner, regions] = [page.getByRole('banner'), page.getByRole('region')];
    const places = [
      { at: `/w/${ws}`, key: 'n' },
      { at: `/w/${ws}/dataset`, key: 'f' },
      // The skipped recordings are told for all formats together and for each by itself.
      { at: `/w/${ws}/export?unapproved=yes`, key: 'Alt+p', first: page.getByRole('region', { name: /^Skipped in/ }) },
    ];
    for (const { at, key, first } of places) {
      await goTo(page, at);
      await first?.first().waitFor();
      await still(page);
      expect(await banner.count(), at).toBe(1);
      const names = await regions.evaluateAll((all) =>
        all.map((one) => {
          const by = one.getAttribute('aria-labelledby');
          return one.getAttribute('aria-label') ?? document.getElementById(by ?? '')?.textContent ?? '';
        }),
      );
      expect(names, at).toEqual([...new Set(names)]);
      expect(names, at).not.toContain('');
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      expect(await banner.count(), `${at} ${key}`).toBe(1);
    }
  });
});

/** Words of English that a mouse button or a direction was called by. */
const ENGLISH = /\b(?:left|right|middle|button|up|down|click|drag)\b/i;

it.each(['de-DE', 'zh-CN'])('D17: in %s no button and no direction is called in English', async (language) => {
  const video = path.join(studio.home.home, `lesson-${language}.mp4`);
  squareVideo(video, 1, [{ t: 0, x: 40, y: 40 }]);
  const words = ['--app', 'gimp', '--goal', `Watch it in ${language}`, '--rule', 'K6'];
  const before = new Set((await studio.api.recordings.list({ ws })).map(({ id }) => id));
  await studioMust(['import', video, '--workspace', studio.home.dir('workspace'), ...words]);
  const film = async () => (await studio.api.recordings.list({ ws })).find(({ id }) => !before.has(id))?.id;
  await soon(film).toBeDefined();
  const { page, context, faults } = await studio.open({ language }, `/w/${ws}/recordings/to-plan`);
  const items = page.locator('[role=treeitem][aria-level="2"]');
  await items.first().waitFor();
  await heard(page);
  await still(page);
  expect(await page.locator('form dl, dl').allInnerTexts()).not.toContainEqual(expect.stringMatching(ENGLISH));
  await goTo(page, `/w/${ws}/recordings/${await film()}`);
  await page.locator('canvas[data-testid=picture][data-state=ready]').waitFor();
  await page.keyboard.press('Insert');
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=radio][value=scroll]').check();
  await dialog.getByRole('combobox').click();
  const options = page.getByRole('listbox').getByRole('option');
  await options.first().waitFor();
  const names = await options.allInnerTexts();
  expect(names).toHaveLength(4);
  expect(names.filter((name) => ENGLISH.test(name))).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

/** The parts of the bar that are not whole in sight, or lie under something else. */
const cutIn = (bar: Locator) =>
  bar.evaluate((element) =>
    [...element.querySelectorAll<HTMLElement>('button, a, input, h1')].flatMap((one) => {
      const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
      // Taken out of this size, or said alone.
      if (width < 2 || height < 2 || !one.checkVisibility()) return [];
      const name = one.getAttribute('aria-label') ?? one.textContent ?? '';
      const outside = left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
      const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const covered = over !== null && !one.contains(over) && !over.contains(one) ? over.outerHTML.slice(0, 80) : null;
      return outside || covered ? [`${name}: ${Math.round(left)} to ${Math.round(right)}, ${covered}`] : [];
    }),
  );

it.each([
  { what: 'to annotate', at: 'recordings/to-plan' },
  { what: 'to compare', at: 'recordings/compared/compare' },
  { what: 'of the library', at: '' },
])('D18: at 200 % of 1366 px the bar of the page $what has everything in sight', async ({ at }) => {
  const { page, context, faults } = await studio.open({ width: 683, height: 384 });
  await become(page, cem);
  await goTo(page, `/w/${ws}/${at}`);
  await still(page);
  const bar = page.getByRole('banner');
  expect(await cutIn(bar)).toEqual([]);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  expect(faults).toEqual([]);
  await context.close();
});

it('D20: a task that nobody recorded has no grey box for a picture, and the goal has the widest column', async () => {
  await studio.inWindow(`/w/${ws}`, async (page) => {
    const goal = (task: string) =>
      page.getByRole('row', { name: task }).getByRole('gridcell').filter({ hasText: GOAL });
    await goal(unrecorded).waitFor();
    expect(await goal(unrecorded).locator('[aria-hidden]').count()).toBe(0);
    await goal('GIMP_2').locator('img').waitFor();
    const widths = await page
      .getByRole('columnheader')
      .evaluateAll((all) =>
        all.map((head) => ({ name: head.textContent?.trim() ?? '', width: head.getBoundingClientRect().width })),
      );
    const widest = widths.toSorted((a, b) => b.width - a.width)[0];
    expect(widest?.name).toMatch(/^Goal/);
  });
});

it('D21: the name that one worked under is proposed in the next workspace, which counts no program that has no task', async () => {
  const next = (await studio.api.workspaces.open({ dir: studio.home.dir('next'), create: true })).id;
  await studio.inWindow(`/w/${ws}`, async (page) => {
    const dialog = page.getByRole('dialog', { name: 'Who are you?' });
    await page.keyboard.press('Alt+p');
    await dialog.getByRole('textbox').fill('Dora Maar');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await goTo(page, `/w/${next}`);
    const software = page.getByRole('complementary', { name: 'Software' });
    await software.getByRole('button', { name: 'GIMP' }).waitFor();
    expect(await software.getByText(/^0$/).count()).toBe(0);
    await page.keyboard.press('Alt+p');
    await soon(() => dialog.getByRole('textbox').inputValue()).toBe('Dora Maar');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Dora Maar/ }).waitFor();
  });
  expect((await studio.api.people.list({ ws: next })).map(({ name }) => name)).toEqual(['Dora Maar']);
});

it('D26: in a window of 2560 x 1440 letters are larger than in one of 1366, and a list goes down to its end', async () => {
  const full = (await studio.api.workspaces.open({ dir: studio.home.dir('full'), create: true })).id;
  for (let n = 0; n < 60; n++)
    await studio.api.tasks.create({ ws: full, software: 'ppt', goal: `Make slide ${n} as wide as it was` });
  const look = async (width: number, height: number) => {
    const { page, context, faults } = await studio.open({ width, height }, `/w/${full}`);
    const rows = page.getByRole('row', { name: /Make slide/ });
    await rows.first().waitFor();
    await still(page);
    const size = await rows.first().evaluate((row) => Number.parseFloat(getComputedStyle(row).fontSize));
    const ends = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
    expect(faults).toEqual([]);
    await context.close();
    return { size, shown: ends.filter((end) => end <= height).length, last: Math.max(...ends) };
  };
  const [small, large] = [await look(1366, 768), await look(2560, 1440)];
  expect(large.size / small.size).toBeCloseTo(1.15, 2);
  expect(large.last).toBeGreaterThan(1440 - 60);
  expect(large.shown).toBeGreaterThan(1.5 * small.shown);
});

it('the pages bring their font along, and ask for it with the first file', async () => {
  await studio.inWindow(`/w/${ws}`, async (page) => {
    await page.evaluate(() => document.fonts.ready);
    const shown = await page.evaluate(() => {
      const lines = (family: string): number => {
        const context = document.createElement('canvas').getContext('2d');
        if (context === null) return 0;
        context.font = `16px ${family}`;
        return context.measureText('The width makes half of the cuts').width;
      };
      return {
        family: getComputedStyle(document.body).fontFamily.split(',')[0],
        loaded: [...document.fonts].some((one) => one.family.includes('Inter') && one.status === 'loaded'),
        // Without its file the next name of the list would be drawn.
        isOwn: lines('"Inter Variable", monospace') !== lines('monospace'),
        early: document.querySelectorAll('link[rel=preload][as=font]').length,
      };
    });
    expect(shown).toEqual({ family: '"Inter Variable"', loaded: true, isOwn: true, early: 1 });
  });
});

/** In the place of each key that was typed in the first steps one line that says that so many were withheld, and why. */
function withhold(folder: string, whys: readonly string[]): void {
  const [events, about] = [path.join(folder, 'events.jsonl'), path.join(folder, 'recording.json')];
  const lines = fs.readFileSync(events, 'utf8').trim().split('\n');
  const kept: object[] = [];
  const runs: { type: 'withheld'; from: number; t: number; keys: number; why: string | undefined }[] = [];
  for (const line of lines) {
    const event: { type: string; t: number } = JSON.parse(line);
    if (!event.type.startsWith('key')) {
      kept.push(event);
      continue;
    }
    const last = runs.at(-1);
    if (last && kept.at(-1) === last)
      Object.assign(last, { t: event.t, keys: last.keys + Number(event.type === 'keydown') });
    else {
      const run = { type: 'withheld', from: event.t, t: event.t, keys: 1, why: whys[runs.length] } as const;
      runs.push({ ...run });
      kept.push(runs.at(-1)!);
    }
  }
  fs.writeFileSync(events, kept.map((event) => `${JSON.stringify(event)}\n`).join(''));
  fs.writeFileSync(about, JSON.stringify({ ...JSON.parse(fs.readFileSync(about, 'utf8')), version: 3 }));
}

it('E3: a step whose keys were withheld says why, and takes the text that was typed', async () => {
  const type = { kind: 'type', cell: 0, text: 'monday' } as const;
  const steps = [type, { kind: 'click', cell: 2 } as const, { ...type, cell: 1 }];
  const made = await makeRecording(studio.recordings, { id: 'withheld', steps });
  withhold(made.folder, ['unanswered', 'field']);
  await studio.api.recordings.list({ ws });
  const { page, context, faults } = await studio.open();
  await become(page, ana);
  await goTo(page, `/w/${ws}/recordings/withheld`);
  const names = page.getByRole('region', { name: 'Names' });
  await names.getByText('6 keys withheld: the program did not answer, so it could have been a password.').waitFor();
  const text = names.getByRole('textbox', { name: 'Corrected text' });
  await text.fill('monday');
  await text.press('Enter');
  const first = page.getByRole('treeitem', { name: /^Step 1: Type 'monday'/ });
  await first.waitFor();
  await page.keyboard.press('Escape');
  await heard(page);
  await page.reload();
  await first.waitFor();
  await page.getByRole('treeitem', { name: /^Step 3:/ }).click();
  await names.getByText('Typed into a password field. The keys were not recorded.').waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it('C5: at 1366 px every figure of the list of differences is whole, and those of agreement are one row', async () => {
  const { page, context } = await studio.open();
  await become(page, cem);
  await goTo(page, `/w/${ws}/recordings/compared/compare`);
  const figures = page.getByRole('tree', { name: 'Differences' }).getByTitle('How near they are, 0 to 1');
  await figures.first().waitFor();
  await still(page);
  const told = await figures.evaluateAll((all) =>
    all.map((one) => {
      const row = one.closest('[role=treeitem]')?.getBoundingClientRect();
      const { right } = one.getBoundingClientRect();
      return {
        text: one.textContent ?? '',
        whole: one.scrollWidth <= one.clientWidth + 1 && right <= (row?.right ?? 0),
      };
    }),
  );
  expect(told.length).toBeGreaterThan(4);
  // The agreement of each kind stands in one row, and leaves the height to the picture.
  const strip = page.getByRole('list', { name: 'Agreement by kind' });
  const tops = await strip
    .getByRole('listitem')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(tops.length).toBeGreaterThan(8);
  expect(new Set(tops).size).toBe(1);
  expect((await strip.boundingBox())?.height).toBeLessThan(80);
  for (const { text, whole } of told) {
    expect(text).toMatch(/^(?:\d\.\d\d|–)$/);
    expect(whole, text).toBe(true);
  }
  await context.close();
});

it('C6: in the plan of a recording the focus is on what is chosen', async () => {
  const { page, context } = await studio.open();
  await become(page, cem);
  await goTo(page, `/w/${ws}/recordings`);
  await page.getByRole('row', { name: /GIMP_3/ }).click();
  await page.keyboard.press('p');
  const dialog = page.getByRole('dialog', { name: 'Who annotates this recording' });
  await dialog.getByRole('radio', { name: 'Two annotate blind' }).waitFor();
  for (const [key, name] of [
    ['3', 'Three annotate blind'],
    ['1', 'One annotates, another reviews'],
    ['2', 'Two annotate blind'],
  ] as const) {
    await page.keyboard.press(key);
    await dialog
      .locator('input:focus')
      .and(dialog.getByRole('radio', { name, checked: true }))
      .waitFor();
  }
  await context.close();
});

it('C7: a blind annotator who submits is told that it is compared, and a third person that as many as are planned are at it', async () => {
  const where = { server: studio.server, ws, recording: 'blind' };
  await act(where, ana, { type: 'begin' });
  await act(where, ben, { type: 'begin' });
  const third = await studio.api.review.get({ ws, recording: 'blind', person: cem });
  expect(third.may.begin).toBe('2 people annotate it already, as many as are planned.');
  const { page, context, faults } = await studio.open();
  await become(page, ana);
  await annotatePage(page, studio.server, ws, 'blind');
  for (const key of ['d', 'ArrowDown', 'd', 'Shift+H']) await page.keyboard.press(key);
  await page.getByRole('complementary', { name: 'What is missing' }).waitFor();
  await page.keyboard.press('Shift+H');
  await page.getByText('Submitted. It is compared with what others make of it.').waitFor();
  expect(await page.getByText('Someone else will review it').count()).toBe(0);
  // Its own state stands in the bar, not that of those who are still at it.
  await soon(() => page.getByText('State of the work:').locator('..').innerText()).toMatch(/Annotated/);
  expect(faults).toEqual([]);
  await context.close();
});
