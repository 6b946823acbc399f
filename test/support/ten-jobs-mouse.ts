import { soon } from './studio-expect.ts';
import type { Mouse } from './ten-jobs.ts';
import {
  button,
  dark,
  dataset,
  dialog,
  emptyWorkspace,
  frozenWithSplit,
  type JobId,
  keyGiven,
  newest,
  onStep,
  type Plan,
  place,
  SAMPLE,
  stepsDone,
  video,
} from './ten-jobs-made.ts';

/** The jobs that are walked by mouse alone. */
export const WITH_MOUSE: Partial<Record<JobId, Plan<Mouse>>> = {
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
  freeze: async (studio) => {
    const ws = await dataset(studio);
    return {
      at: `/w/${ws}`,
      async walk({ page, click, write }) {
        await click(place(page, 'Data set'));
        await click(page.getByRole('search').getByRole('button', { name: 'Software' }));
        await click(dialog(page, 'Software').getByRole('checkbox', { name: /GIMP/ }));
        await click(page.getByRole('checkbox', { name: 'Select every row shown' }));
        await click(button(page, /^Assign split/));
        await click(page.getByRole('option', { name: 'train' }));
        await click(dialog(page, 'Assign split').getByRole('button', { name: /^Assign split/ }));
        await click(button(page, /^Freeze a version/));
        await dialog(page, 'Freeze a version').waitFor();
        await write('v1');
        await click(dialog(page).getByRole('button', { name: /^Freeze/ }));
        await page.getByText('Version v1 is frozen.').waitFor();
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
        await page.getByRole('heading', { name: 'No steps' }).waitFor();
      },
    };
  },
  settings: async (studio) => ({
    at: `/w/${await emptyWorkspace(studio, 'settings')}`,
    async walk({ page, click, write, enterKeys }) {
      await click(button(page, /^Settings/));
      await click(page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark'));
      await dark(page);
      await click(page.getByRole('textbox', { name: 'Find a command' }));
      await write('new task');
      await click(button(page, /^Change the key of New task/));
      await enterKeys('Alt+g');
      await keyGiven(studio)();
      await click(button(page, /^Commands/));
      await write('workspaces');
      await click(page.getByRole('option', { name: /^Workspaces/ }));
      await button(page, /^Open the sample/).waitFor();
    },
  }),
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
