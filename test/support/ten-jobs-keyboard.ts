import { soon } from './studio-expect.ts';
import type { Keyboard } from './ten-jobs.ts';
import {
  button,
  dark,
  dataset,
  dialog,
  emptyWorkspace,
  fileProposed,
  frozenWithSplit,
  type JobId,
  keyGiven,
  newest,
  onStep,
  type Plan,
  recorded,
  SAMPLE,
  stepsDone,
  video,
} from './ten-jobs-made.ts';

/** The jobs that are walked by keyboard alone. */
export const WITH_KEYBOARD: Partial<Record<JobId, Plan<Keyboard>>> = {
  sample: async (studio) => ({
    at: '/',
    async walk({ page, press, write }) {
      await press('o');
      await page.getByRole('row', { name: /GIMP_1/ }).waitFor();
      await press('Enter');
      await page.getByRole('link', { name: /annotate the recording/ }).waitFor();
      await press('Enter');
      for (const [n, words] of SAMPLE.entries()) {
        await onStep(page, n + 1);
        const texts = Object.values(words);
        if (texts.length > 0) await press(texts.length > 1 ? 'q' : 'e');
        for (const [i, text] of texts.entries()) {
          if (i > 0) await press('Tab');
          await write(text);
        }
        if (texts.length > 0) await press('Enter');
        await press('Enter');
      }
      await onStep(page, 6);
    },
    end: async () => soon(async () => stepsDone(studio, await newest(studio))).toBe(5),
  }),
  make: async (studio) => ({
    at: '/',
    async walk({ page, press, write, tabTo, at }) {
      const dir = studio.home.dir('made by keyboard');
      await press('n');
      await tabTo(dialog(page).getByLabel('Folder on this machine'));
      await press('Control+a');
      await write(dir);
      await press('Enter');
      await page.getByRole('heading', { name: 'No tasks yet' }).waitFor();
      await press('n');
      await tabTo(dialog(page, 'New task').getByLabel('Software'));
      await write('GIMP');
      await press('ArrowDown', 'Enter');
      await tabTo(dialog(page, 'New task').getByLabel('Goal'));
      await write('Use every button');
      await press('Control+Enter');
      await page.getByRole('heading', { level: 1, name: 'GIMP_1' }).waitFor();
      await dialog(page).waitFor({ state: 'detached' });
      await press('r');
      await page.getByRole('heading', { name: 'What to record' }).waitFor();
      await at(await recorded(studio, dir));
      for (let n = 1; n <= 4; n++) {
        await onStep(page, n);
        await press('e');
        await write(`Button ${n}`);
        await press('Enter', 'Enter');
      }
      await press('t');
      await write('Use the buttons');
      await press('Enter');
    },
    end: async () => soon(async () => stepsDone(studio, await newest(studio))).toBe(4),
  }),
  freeze: async (studio) => {
    const ws = await dataset(studio);
    return {
      at: `/w/${ws}`,
      async walk({ page, press, write }) {
        await press('Alt+5');
        await page.getByRole('grid', { name: 'Rows of the data set' }).waitFor();
        await press('/');
        await write('portrait copy');
        await page.getByText('2 of 6 recordings').waitFor();
        await press('Enter', 'Control+a');
        await page.getByText('2 recordings selected').waitFor();
        await press('s');
        await dialog(page, 'Assign split').waitFor();
        await write('train');
        await press('Enter');
        await dialog(page).waitFor({ state: 'detached' });
        await press('f');
        await dialog(page, 'Freeze a version').waitFor();
        await write('v1');
        await press('Control+Enter');
        await page.getByText('Version v1 is frozen.').waitFor();
      },
      end: frozenWithSplit(studio, ws, 2),
    };
  },
  export: async (studio) => ({
    at: `/w/${await dataset(studio)}`,
    async walk({ page, press }) {
      await press('Alt+6');
      await page.getByRole('heading', { level: 1, name: 'Export' }).waitFor();
      await press('u');
      await page.getByText(/^6 tasks, /).waitFor();
      await press('Control+Enter');
      await page.getByText('Written to').waitFor();
    },
  }),
  video: async (studio) => {
    const { at, file, end } = await video(studio);
    return {
      at,
      end,
      async walk({ page, press, write }) {
        await press('i');
        await dialog(page, 'Import a recording').waitFor();
        await write(file);
        await press('Enter');
        await button(page, 'Open the recording').waitFor();
        await press('Enter');
        await page.getByRole('heading', { name: 'No steps' }).waitFor();
      },
    };
  },
  settings: async (studio) => ({
    at: `/w/${await emptyWorkspace(studio, 'settings')}`,
    async walk({ page, press, write }) {
      await press('Control+,');
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      await press('Alt+t');
      await dark(page);
      await press('/');
      await write('new task');
      await press('Enter', 'Alt+g');
      await keyGiven(studio)();
      await press('Control+k');
      await page.getByRole('combobox', { name: 'Search commands' }).waitFor();
      await write('workspaces');
      await page.getByRole('option', { name: /^Workspaces/ }).waitFor();
      await press('Enter');
      await button(page, /^Open the sample/).waitFor();
    },
  }),
  share: async (studio) => ({
    at: `/w/${await dataset(studio)}`,
    async walk({ page, press }) {
      await press('Alt+6');
      await page.getByRole('heading', { level: 1, name: 'Export' }).waitFor();
      await press('a');
      await fileProposed(page);
      await press('Enter');
      await dialog(page)
        .getByText(/6 recordings/)
        .waitFor();
    },
  }),
};
