import { expect } from 'vitest';
import { soon } from './studio-expect.ts';
import { chooseByKeys } from './studio-review.ts';
import type { Keyboard } from './ten-jobs.ts';
import {
  answers,
  button,
  claimedBy,
  dark,
  dataset,
  dialog,
  emptyWorkspace,
  focused,
  frozenWithSplit,
  inHand,
  type JobId,
  keyGiven,
  keysBack,
  newest,
  onStep,
  type Plan,
  proposed,
  recorded,
  SAMPLE,
  stepsDone,
  submitted,
  unknownProgram,
  video,
} from './ten-jobs-made.ts';

/** The jobs, walked by keyboard alone. */
export const WITH_KEYBOARD: Record<JobId, Plan<Keyboard>> = {
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
        await press(texts.length > 0 ? 'Control+Enter' : 'Enter');
      }
      await onStep(page, 6);
    },
    end: async () => soon(async () => stepsDone(studio, await newest(studio))).toBe(5),
  }),
  make: async (studio) => ({
    at: '/',
    async walk({ page, press, write, at }) {
      const dir = studio.home.dir('made by keyboard');
      await press('n');
      await proposed(page, 'Folder on this machine');
      await write(dir);
      await press('Enter');
      await page.getByRole('heading', { name: 'No tasks yet' }).waitFor();
      await press('n');
      await focused(dialog(page, 'New task').getByLabel('Software'));
      await write('GIMP');
      await page.getByRole('option', { name: 'GIMP' }).waitFor();
      await press('Enter');
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
        await press('Control+Enter');
      }
      await press('t');
      await write('Use the buttons');
      await press('Enter');
    },
    end: async () => soon(async () => stepsDone(studio, await newest(studio))).toBe(4),
  }),
  review: async (studio) => {
    const { ws, ben, review } = await submitted(studio, 'reviewed by keyboard');
    return {
      at: `/w/${ws}`,
      async walk({ page, press, write }) {
        await chooseByKeys(page, 'Ben');
        await press('Alt+n');
        await button(page, /^Start review/)
          .first()
          .waitFor();
        await press('Enter');
        await claimedBy(review, ben);
        await inHand(page, /^The goal/);
        await press('Enter', 'Enter', 'Enter');
        await inHand(page, /^Step 2:/);
        await press('d');
        await dialog(page, /^Why reject/).waitFor();
        await press('e');
        await inHand(page, /^Step 3:/);
        await press('Enter', 'Enter', 'Control+Enter');
        await page.getByText(/^Sent back to be repaired/).waitFor();

        await chooseByKeys(page, 'Ana');
        await press('Alt+n');
        await onStep(page, 2);
        await press('e');
        await write('The second button');
        await press('Enter', 'Shift+H');
        await page.getByText(/^Submitted\./).waitFor();

        await chooseByKeys(page, 'Ben');
        await page.getByText('Waiting for your review').waitFor();
        await press('Shift+V');
        await inHand(page, /^Step 2:/);
        await press('Enter', 'Control+Enter');
        await page.getByText('Approved.', { exact: true }).waitFor();
      },
      end: async () => expect((await review()).state).toBe('approved'),
    };
  },
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
        await press('1');
        await dialog(page).waitFor({ state: 'detached' });
        await press('f');
        await proposed(page, 'Name');
        await press('Enter');
        await page.getByText('Version v1.0 is frozen.').waitFor();
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
  evaluate: async (studio) => {
    const { ws, dir } = await submitted(studio, 'evaluated by keyboard');
    return {
      at: `/w/${ws}`,
      async walk({ page, press, write }) {
        await press('Alt+7');
        await soon(() => button(page, /^Make the questions/).isEnabled()).toBe(true);
        await press('m');
        await page.getByRole('heading', { name: 'No predictions yet' }).waitFor();
        const file = await answers(studio, ws, dir);
        await press('l');
        await focused(dialog(page).getByRole('textbox', { name: 'Predictions' }));
        await write(file);
        await press('Enter');
        await page.getByRole('link', { name: 'knows-everything' }).first().waitFor();
        await dialog(page).waitFor({ state: 'detached' });
        await press('Enter');
        await page.getByTestId('case-picture').waitFor();
      },
    };
  },
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
        await page.getByRole('treeitem', { name: /^Step 1:/ }).waitFor();
      },
    };
  },
  settings: async (studio) => ({
    at: `/w/${await emptyWorkspace(studio, 'settings')}`,
    end: keysBack(studio),
    async walk({ page, press, write }) {
      await press('Control+k');
      await page.getByRole('combobox', { name: 'Search commands' }).waitFor();
      await write('dark');
      await page.getByRole('option', { name: /^Switch between light and dark/ }).waitFor();
      await press('F2', 'Alt+g');
      await keyGiven(studio)();
      await press('Enter');
      await dark(page);
    },
  }),
  unknown: async (studio, display) => {
    const { at, title, end } = await unknownProgram(studio, display);
    return {
      at,
      end,
      async walk({ page, press, write }) {
        await press('n');
        await focused(dialog(page, 'New task').getByLabel('Software'));
        await write(title);
        await page.getByRole('option', { name: `Add “${title}”` }).waitFor();
        await press('Enter');
        await focused(dialog(page, 'New task').getByLabel('Goal'));
        await write('Write a note');
        await press('Control+Enter');
        await page.getByRole('heading', { level: 1, name: 'LP_1' }).waitFor();
        await press('r');
        await page.getByRole('heading', { name: 'What to record' }).waitFor();
        await press('w');
        await page.getByRole('radio', { name: title, checked: true }).waitFor();
        await press('Control+Enter');
        await page.getByRole('region', { name: 'Recording' }).getByText('Recording', { exact: true }).waitFor();
      },
    };
  },
  share: async (studio) => ({
    at: `/w/${await dataset(studio)}`,
    async walk({ page, press }) {
      await press('Alt+s');
      await proposed(page, 'File on this machine');
      await press('Enter');
      await dialog(page)
        .getByText(/6 recordings/)
        .waitFor();
    },
  }),
};
