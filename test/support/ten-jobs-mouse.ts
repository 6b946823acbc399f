import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { soon } from './studio-expect.ts';
import type { Mouse } from './ten-jobs.ts';
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
  place,
  proposed,
  recorded,
  SAMPLE,
  stepsDone,
  submitted,
  unknownProgram,
  video,
} from './ten-jobs-made.ts';

const elementField = (page: Page) => page.getByLabel('Element', { exact: true }).and(page.locator('input'));

/** The jobs, walked by mouse alone; texts are typed. */
export const WITH_MOUSE: Record<JobId, Plan<Mouse>> = {
  sample: async (studio) => ({
    at: '/',
    async walk({ page, click, write }) {
      await click(button(page, /^Open the sample/));
      await click(page.getByRole('link', { name: 'GIMP_1' }));
      await click(page.getByRole('link', { name: /annotate the recording/ }));
      for (const [n, words] of SAMPLE.entries()) {
        await onStep(page, n + 1);
        const fields = { 'Start position': 'start', 'End position': 'end', Element: 'element', Purpose: 'purpose' };
        for (const [name, key] of Object.entries(fields)) {
          const text = (words as Record<string, string>)[key];
          if (text === undefined) continue;
          await click(page.getByLabel(name, { exact: true }).and(page.locator('input, textarea')));
          await write(text);
        }
        await click(button(page, /^Confirm/));
      }
      await onStep(page, 6);
    },
    end: async () => soon(async () => stepsDone(studio, await newest(studio))).toBe(5),
  }),
  make: async (studio) => ({
    at: '/',
    async walk({ page, click, write, at }) {
      const dir = studio.home.dir('made by mouse');
      await click(button(page, /^New workspace/));
      await proposed(page, 'Folder on this machine');
      await write(dir);
      await click(dialog(page).getByRole('button', { name: /^Create workspace/ }));
      await page.getByRole('heading', { name: 'No tasks yet' }).waitFor();
      await click(button(page, /^New task/).first());
      await focused(dialog(page, 'New task').getByLabel('Software'));
      await write('GIMP');
      await click(page.getByRole('option', { name: 'GIMP' }));
      await focused(dialog(page, 'New task').getByLabel('Goal'));
      await write('Use every button');
      await click(dialog(page).getByRole('button', { name: /^Create task/ }));
      await page.getByRole('heading', { level: 1, name: 'GIMP_1' }).waitFor();
      await click(page.getByRole('link', { name: 'Record', exact: true }).first());
      await page.getByRole('heading', { name: 'What to record' }).waitFor();
      await at(await recorded(studio, dir));
      await onStep(page, 1);
      await click(page.getByRole('textbox', { name: 'Subtask 1' }));
      await write('Use the buttons');
      for (let n = 1; n <= 4; n++) {
        await onStep(page, n);
        await click(elementField(page));
        await write(`Button ${n}`);
        await click(button(page, /^Confirm/));
      }
    },
    end: async () => soon(async () => stepsDone(studio, await newest(studio))).toBe(4),
  }),
  review: async (studio) => {
    const { ws, ben, review } = await submitted(studio, 'reviewed by mouse');
    return {
      at: `/w/${ws}`,
      async walk({ page, click, write }) {
        const become = async (name: string) => {
          await click(button(page, /^(?:Who are you\?|You are )/).first());
          await click(dialog(page).getByRole('button', { name }));
          await dialog(page).waitFor({ state: 'detached' });
        };
        const accept = async (next: RegExp) => {
          await click(button(page, /^Accept/));
          await inHand(page, next);
        };
        await become('Ben');
        await click(place(page, 'My work'));
        await click(page.getByRole('link', { name: /^Review/ }));
        await click(button(page, /^Start review/).first());
        await claimedBy(review, ben);
        await accept(/^Subtask 1/);
        await accept(/^Step 1:/);
        await accept(/^Step 2:/);
        await click(button(page, /^Reject/));
        await click(dialog(page, /^Why reject/).getByRole('button', { name: /^Wrong element/ }));
        await inHand(page, /^Step 3:/);
        await accept(/^Step 4:/);
        await accept(/accepted$/);
        await click(button(page, /^Send back/));
        await page.getByText(/^Sent back to be repaired/).waitFor();

        await become('Ana');
        await click(button(page, /^Next work item/));
        await onStep(page, 2);
        await click(elementField(page));
        await write(', the second');
        await click(button(page, /^Submit/));
        await page.getByText(/^Submitted\./).waitFor();

        await become('Ben');
        await click(button(page, /^Start review/));
        await inHand(page, /^Step 2:/);
        await accept(/accepted$/);
        await click(button(page, /^Approve/));
        await page.getByText('Approved.', { exact: true }).waitFor();
      },
      end: async () => expect((await review()).state).toBe('approved'),
    };
  },
  freeze: async (studio) => {
    const ws = await dataset(studio);
    return {
      at: `/w/${ws}`,
      async walk({ page, click }) {
        await click(place(page, 'Data set'));
        await click(page.getByRole('search').getByRole('button', { name: 'Software' }));
        await click(dialog(page, 'Software').getByRole('checkbox', { name: /GIMP/ }));
        await click(page.getByRole('checkbox', { name: 'Select every row shown' }));
        await click(button(page, /^Assign split/));
        await click(dialog(page, 'Assign split').getByRole('button', { name: 'train', exact: true }));
        await click(button(page, /^Freeze a version/));
        await proposed(page, 'Name');
        await click(dialog(page).getByRole('button', { name: /^Freeze/ }));
        await page.getByText('Version v1.0 is frozen.').waitFor();
      },
      end: frozenWithSplit(studio, ws, 3),
    };
  },
  export: async (studio) => ({
    at: `/w/${await dataset(studio)}`,
    async walk({ page, click }) {
      await click(place(page, 'Export'));
      await click(page.getByRole('checkbox', { name: /^Include unapproved/ }));
      await click(page.getByRole('region', { name: 'Where' }).getByRole('button', { name: /^Export/ }));
      await page.getByText('Written to').waitFor();
    },
  }),
  evaluate: async (studio) => {
    const { ws, dir } = await submitted(studio, 'evaluated by mouse');
    return {
      at: `/w/${ws}`,
      async walk({ page, click, write }) {
        await click(place(page, 'Evaluate'));
        await click(button(page, /^Make the questions/));
        await page.getByRole('heading', { name: 'No predictions yet' }).waitFor();
        const file = await answers(studio, ws, dir);
        await click(button(page, /^Load predictions/).first());
        await focused(dialog(page).getByRole('textbox', { name: 'Predictions' }));
        await write(file);
        await click(dialog(page).getByRole('button', { name: /^Score/ }));
        await click(page.getByRole('link', { name: 'knows-everything' }).first());
        await page.getByTestId('case-picture').waitFor();
      },
    };
  },
  video: async (studio) => {
    const { at, file, end } = await video(studio);
    return {
      at,
      end,
      async walk({ page, click, write }) {
        await click(button(page, /^Import/).first());
        await dialog(page, 'Import a recording').waitFor();
        await write(file);
        await click(dialog(page).getByRole('button', { name: /^Import/ }));
        await click(button(page, 'Open the recording'));
        await page.getByRole('treeitem', { name: /^Step 1:/ }).waitFor();
      },
    };
  },
  settings: async (studio) => ({
    at: `/w/${await emptyWorkspace(studio, 'settings')}`,
    end: keysBack(studio),
    async walk({ page, click, write, enterKeys }) {
      await click(button(page, /^Commands/));
      await write('dark');
      await click(page.getByTitle('Change the key of “Switch between light and dark” (F2)'));
      await enterKeys('Alt+g');
      await keyGiven(studio)();
      await click(page.getByRole('option', { name: /^Switch between light and dark/ }));
      await dark(page);
    },
  }),
  unknown: async (studio, display) => {
    const { at, title, end } = await unknownProgram(studio, display);
    return {
      at,
      end,
      async walk({ page, click, write }) {
        await click(button(page, /^New task/).first());
        await focused(dialog(page, 'New task').getByLabel('Software'));
        await write(title);
        await click(page.getByRole('option', { name: `Add “${title}”` }));
        await focused(dialog(page, 'New task').getByLabel('Goal'));
        await write('Write a note');
        await click(dialog(page).getByRole('button', { name: /^Create task/ }));
        await page.getByRole('heading', { level: 1, name: 'LP_1' }).waitFor();
        await click(page.getByRole('link', { name: 'Record', exact: true }).first());
        await click(page.getByRole('radiogroup', { name: 'What to record' }).getByText('Window'));
        await page.getByRole('radio', { name: title, checked: true }).waitFor();
        await click(button(page, /^Start recording/));
        await page.getByRole('region', { name: 'Recording' }).getByText('Recording', { exact: true }).waitFor();
      },
    };
  },
  share: async (studio) => ({
    at: `/w/${await dataset(studio)}`,
    async walk({ page, click }) {
      await click(place(page, 'Export'));
      await click(button(page, /^Share as archive/));
      await click(dialog(page).getByRole('button', { name: /^Create/ }));
      await dialog(page)
        .getByText(/6 recordings/)
        .waitFor();
    },
  }),
};
