import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { fillLibrary, goalOf } from '../../support/studio-library.ts';

/** From nothing to a library of thousands, by keyboard and by role and name. */

const studio = studioFixture();
const { home } = studio;
beforeAll(async () => {});

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

describe('welcome', () => {
  it('opens the sample by one key: a task with a recording of a dozen steps in three subtasks', async () => {
    await studio.inWindow('/', async (page) => {
      await page.getByRole('button', { name: /Open the sample/ }).waitFor();
      await page.keyboard.press('o');
      await heading(page, 'Library').waitFor();
      await page.getByRole('row', { name: /GIMP_1/ }).waitFor();
    });
    const [sample] = await studio.api.workspaces.recent();
    const [recording] = await studio.api.recordings.list({ ws: sample!.id });
    const opened = await studio.api.recordings.open({ ws: sample!.id, recording: recording!.id });
    expect(opened.steps).toHaveLength(12);
    expect(opened.marks).toHaveLength(2);
    expect(opened.playback).toBe(true);
    const { records } = await studio.api.annotation.get({ ws: sample!.id, recording: recording!.id });
    expect(records.filter(({ kind }) => kind === 'subtask')).toHaveLength(3);
  });

  it('makes a new data set in a folder of one’s choice, with the paper’s eleven software ready', async () => {
    await studio.inWindow('/', async (page) => {
      await page.keyboard.press('n');
      const dialog = page.getByRole('dialog', { name: 'New workspace' });
      await dialog.getByLabel('Folder on this machine').fill(home.dir('first data set'));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'No tasks yet' }).waitFor();
      for (const name of ['PowerPoint', 'Stable Diffusion WebUI', 'Runway', 'Photoshop', 'After Effects']) {
        await page.getByRole('complementary', { name: 'Software' }).getByRole('button', { name }).waitFor();
      }
    });
    const software = await studio.api.software.list({ ws: (await studio.api.workspaces.recent())[0]!.id });
    const names = software.map(({ name }) => name.replace(' player', ''));
    for (const name of ['Premiere Pro', 'CapCut', 'DaVinci Resolve', 'YouTube', 'Web Stock', 'VLC']) {
      expect(names).toContain(name);
    }
  });

  it('says what is wrong with a folder that is no workspace, and with one that is not there', async () => {
    fs.mkdirSync(home.dir('photos'));
    fs.writeFileSync(path.join(home.dir('photos'), 'a.jpg'), 'x');
    await studio.inWindow('/', async (page) => {
      for (const dir of [home.dir('photos'), home.dir('nowhere'), 'relative/path']) {
        await page.keyboard.press('f');
        const dialog = page.getByRole('dialog', { name: 'Open a folder' });
        await dialog.getByLabel('Folder on this machine').fill(dir);
        await page.keyboard.press('Enter');
        await dialog
          .getByRole('alert')
          .filter({ hasText: path.basename(dir) })
          .waitFor();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
      }
    });
  });
});

describe('tasks', () => {
  it('makes a task by keyboard alone and shows it', async () => {
    const { id: ws } = await studio.api.workspaces.open({ dir: home.dir('tasks'), create: true });
    await studio.inWindow(`/w/${ws}`, async (page) => {
      await page.getByRole('heading', { name: 'No tasks yet' }).waitFor();
      await page.keyboard.press('n');
      const dialog = page.getByRole('dialog', { name: 'New task' });
      await dialog.getByLabel('Goal').waitFor();
      await page.keyboard.press('Control+Enter');
      await dialog.getByText('Say what is to be done.').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      // The software is asked first: it is found by its first letters, and Enter goes on to the goal.
      await page.keyboard.type('PowerP');
      await page.getByRole('option', { name: 'PowerPoint' }).waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.type('Make the title blue');
      await page.keyboard.press('Control+Enter');
      // The goal stands in the form, too, until the task is there.
      await dialog.waitFor({ state: 'hidden' });
      await page.getByText('Make the title blue').first().waitFor();
    });
    const tasks = await studio.api.tasks.list({ ws });
    expect(tasks.map(({ goal, software, id }) => ({ goal, software, id }))).toEqual([
      { goal: 'Make the title blue', software: 'powerpoint', id: 'PPT_1' },
    ]);
  });

  it('an unknown program is added from the field where it is typed', async () => {
    const { id: ws } = await studio.api.workspaces.open({ dir: home.dir('unknown'), create: true });
    await studio.inWindow(`/w/${ws}`, async (page) => {
      await page.getByRole('heading', { name: 'No tasks yet' }).waitFor();
      await page.keyboard.press('n');
      const dialog = page.getByRole('dialog', { name: 'New task' });
      await dialog.getByLabel('Goal').fill('Write a note');
      await page.keyboard.press('Control+Enter');
      // None is filed wrongly because it stood there first.
      await dialog.getByText('Choose the software.').waitFor();
      const field = dialog.getByLabel('Software');
      await field.fill('Leaf Pad');
      await page.getByRole('option', { name: 'Add “Leaf Pad”' }).click();
      await soon(() => field.inputValue()).toBe('Leaf Pad');
      await soon(() => field.isEnabled()).toBe(true);
      expect(await axeViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: /^Create task/ }).click();
      // The dialog itself holds the goal's words.
      await dialog.waitFor({ state: 'hidden' });
      await page.getByText('Write a note').first().waitFor();
    });
    const tasks = await studio.api.tasks.list({ ws });
    expect(tasks.map(({ software, id }) => ({ software, id }))).toEqual([{ software: 'leaf-pad', id: 'LP_1' }]);
  });

  it('a goal of 10,000 letters and one of a single word without spaces keep the page in its bounds', async () => {
    const { id: ws } = await studio.api.workspaces.open({ dir: home.dir('long'), create: true });
    await studio.api.tasks.create({ ws, software: 'powerpoint', goal: 'Ä'.repeat(10_000) });
    const { id } = await studio.api.tasks.create({ ws, software: 'powerpoint', goal: 'many words '.repeat(900) });
    for (const place of [`/w/${ws}`, `/w/${ws}/tasks/${id}`, `/w/${ws}/tasks/PPT_1`]) {
      await studio.inWindow(place, async (page) => {
        await heading(page, /./).waitFor();
        const wider = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect([place, wider]).toEqual([place, 0]);
      });
    }
  });

  it('tasks are made of a pasted table, after a preview that names its faults', async () => {
    const { id: ws } = await studio.api.workspaces.open({ dir: home.dir('table'), create: true });
    await studio.inWindow(`/w/${ws}`, async (page) => {
      await heading(page, 'Library').waitFor();
      await page.keyboard.press('t');
      const dialog = page.getByRole('dialog', { name: 'Tasks from a table' });
      const rows = ['Goal\tApp\tTags', 'Sharpen the table’s portrait\tGIMP\tphoto', '\tGIMP\t'].join('\n');
      await dialog.getByLabel('Or paste rows, as a spreadsheet copies them').fill(rows);
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByText('Goal: There is no goal.').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      const go = dialog.getByRole('button', { name: /^Import 1 task/ });
      expect(await go.isDisabled()).toBe(true);
      await dialog.getByLabel('Leave out the row with faults').check();
      await dialog.getByText('1 new').waitFor();
      // The count was there before; what is imported is previewed anew.
      await go.and(page.locator(':enabled')).waitFor();
      await page.keyboard.press('Control+Enter');
      await page.getByRole('row', { name: /Sharpen the table’s portrait/ }).waitFor();
    });
  });

  it('a task made elsewhere appears without a reload', async () => {
    const { id: ws } = await studio.api.workspaces.open({ dir: home.dir('watched'), create: true });
    await studio.api.tasks.create({ ws, software: 'vlc', goal: 'First' });
    await studio.inWindow(`/w/${ws}`, async (page) => {
      await page.getByRole('row', { name: /First/ }).waitFor();
      await studio.api.tasks.create({ ws, software: 'vlc', goal: 'Made by a script meanwhile' });
      await page.getByRole('row', { name: /Made by a script meanwhile/ }).waitFor();
    });
  });
});

describe('a library of 5,000 tasks', () => {
  let ws: string;
  let counts: Map<string, number>;
  beforeAll(async () => {
    counts = await fillLibrary(home.dir('large'), 5000);
    ws = (await studio.api.workspaces.open({ dir: home.dir('large'), create: false })).id;
  });
  const rows = (page: Page) => page.getByRole('grid', { name: 'Tasks' }).locator('[role=row][aria-selected]');

  it('finds one by words in any order and any case, opens it with Enter, and has the words still when one comes back', async () => {
    await studio.inWindow(`/w/${ws}`, async (page) => {
      await page.getByText('5,000 tasks').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('4711 NUMBER');
      await page.getByText('1 of 5,000 tasks').waitFor();
      await soon(() => rows(page).count()).toBe(1);
      expect(await rows(page).first().textContent()).toContain(goalOf(4710));
      await page.keyboard.press('Enter');
      await page.getByText(goalOf(4710)).first().waitFor();
      expect(page.url()).toContain('/tasks/');
      await page.goBack();
      await page.getByText('1 of 5,000 tasks').waitFor();
      expect(await page.getByLabel('Search tasks').inputValue()).toBe('4711 NUMBER');
      await page.keyboard.press('Escape');
      await page.getByText('5,000 tasks', { exact: true }).waitFor();
    });
  });

  it('filters by software and state, counts right, and shows all again by Escape', async () => {
    await studio.inWindow(`/w/${ws}`, async (page) => {
      await page.getByText('5,000 tasks').waitFor();
      await page.getByRole('button', { name: /^PowerPoint/ }).click();
      await page.getByText(`${counts.get('powerpoint')} of 5,000 tasks`).waitFor();
      await page.getByRole('combobox', { name: 'Open or closed' }).click();
      await page.getByRole('option', { name: 'Only closed', exact: true }).click();
      const all = await studio.api.tasks.list({ ws });
      const closed = all.filter(({ software, state }) => software === 'powerpoint' && state === 'closed').length;
      await page.getByText(`${closed} of 5,000 tasks`).waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('5,000 tasks', { exact: true }).waitFor();
    });
  });

  it('says that nothing fits, in words, instead of an empty table', async () => {
    await studio.inWindow(`/w/${ws}`, async (page) => {
      await page.getByLabel('Search tasks').fill('nothing has these words');
      await page.getByRole('heading', { name: 'No matching tasks' }).waitFor();
    });
  });

  it('sorts by a column, numbers as numbers, and again the other way', async () => {
    await studio.inWindow(`/w/${ws}`, async (page) => {
      await page.getByRole('button', { name: /^PowerPoint/ }).click();
      const first = (n: number) => rows(page).nth(n).locator('[role=gridcell]').nth(1).textContent();
      await soon(() => first(0)).toBe('PPT_1');
      expect([await first(1), await first(9)]).toEqual(['PPT_2', 'PPT_10']);
      // A chosen row does not pull the list along when it is sorted.
      await page.keyboard.press('ArrowDown');
      await page.locator('[role=row][aria-selected=true]').getByText('PPT_2', { exact: true }).waitFor();
      await page.getByRole('columnheader', { name: 'Task' }).getByRole('button').click();
      await soon(() => first(0)).toBe(`PPT_${counts.get('powerpoint')}`);
      const sorted = await page.getByRole('columnheader', { name: 'Task' }).getAttribute('aria-sort');
      expect(sorted).toBe('descending');
    });
  });

  it('walks to the last row and back by keys; only rows in sight are in the page', async () => {
    await studio.inWindow(`/w/${ws}`, async (page) => {
      await page.getByText('5,000 tasks').waitFor();
      await rows(page).first().waitFor();
      await page.keyboard.press('End');
      const chosen = page.locator('[role=row][aria-selected=true]');
      await soon(() => chosen.getAttribute('aria-rowindex')).toBe('5001');
      expect(await rows(page).count()).toBeLessThan(150);
      await page.keyboard.press('ArrowUp');
      await soon(() => chosen.getAttribute('aria-rowindex')).toBe('5000');
      await page.keyboard.press('Home');
      await soon(() => chosen.getAttribute('aria-rowindex')).toBe('2');
    });
  });

  it('a click highlights, a double click opens; several are closed and reopened at once', async () => {
    await studio.inWindow(`/w/${ws}?q=number+47&software=powerpoint`, async (page) => {
      const second = rows(page).nth(1);
      await rows(page).first().click();
      await second.click();
      await soon(() => second.getAttribute('data-chosen')).toBe('true');
      await second.click();
      expect(page.url()).not.toContain('/tasks/');
      // The last is none that was highlighted: its row was drawn before the others were ticked.
      const three = [0, 1, 3].map((n) => rows(page).nth(n));
      const ids = await Promise.all(three.map((row) => row.getByRole('link').textContent()));
      for (const id of ids) await page.getByRole('checkbox', { name: `Select ${id}`, exact: true }).click();
      const bar = page.getByRole('toolbar', { name: 'With the selected rows' });
      await bar.getByText('3 tasks selected').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      const stateOf = async (id: string | null) => (await studio.api.tasks.get({ ws, task: id ?? '' })).state;
      for (const id of ids) await studio.api.tasks.update({ ws, task: id ?? '', state: 'open' });
      // What the page takes for closed it does not close again.
      for (const row of three) await soon(() => row.getAttribute('data-closed')).toBe('false');
      await bar.getByRole('button', { name: /^Close/ }).click();
      for (const id of ids) await soon(() => stateOf(id)).toBe('closed');
      await bar.getByRole('button', { name: /^Reopen/ }).click();
      for (const id of ids) await soon(() => stateOf(id)).toBe('open');
      await page.keyboard.press('Escape');
      await bar.waitFor({ state: 'hidden' });
      await second.dblclick();
      await soon(() => page.url()).toContain('/tasks/');
    });
  });
});

it('software without tasks is folded away until it is asked for', async () => {
  const { id: ws } = await studio.api.workspaces.open({ dir: home.dir('folded'), create: true });
  await studio.api.tasks.create({ ws, software: 'vlc', goal: 'The only one' });
  await studio.inWindow(`/w/${ws}`, async (page) => {
    const side = page.getByRole('complementary', { name: 'Software' });
    const fold = side.getByRole('button', { name: /more without tasks/ });
    await fold.waitFor();
    const few = await side.getByRole('listitem').count();
    await fold.click();
    await soon(() => side.getByRole('listitem').count()).toBeGreaterThan(few + 3);
    const names = await side.getByRole('listitem').allTextContents();
    const words = names.slice(1).map((name) => name.replace(/[\d,]+$/, ''));
    expect(words).toEqual(words.toSorted((a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' })));
  });
});
