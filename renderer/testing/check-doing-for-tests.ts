import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './check-pages-for-tests.ts';
import { type MemoryApi, startMemoryApi } from './memory-api.ts';

/**
 * What one does on the pages, by keyboard where that is the point, over the in-memory API in a real Chromium. `node
 * renderer/testing/check-doing-for-tests.ts [--dist DIR]`; ends with 1 when one of them fails.
 */
const at = process.argv.indexOf('--dist');
const dist = at < 0 ? undefined : process.argv[at + 1];
const only = process.argv.indexOf('--only') < 0 ? undefined : process.argv[process.argv.indexOf('--only') + 1];

type Check = { name: string; tasks?: number; run: (page: Page, api: MemoryApi) => Promise<void> };

const CHECKS: Check[] = [
  {
    name: 'the library is searched, walked and opened by keyboard alone',
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1`);
      await page.getByRole('row', { name: /AE_1/ }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('powerpoint');
      await page.getByText('4 of 40 tasks').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'PPT_1' }).waitFor();
      await page.goBack();
      assert.equal(await page.getByLabel('Search tasks').inputValue(), 'powerpoint', 'the search is as it was left');
      await page.keyboard.press('Escape');
      await page.getByText('40 tasks', { exact: true }).waitFor();
    },
  },
  {
    name: '5,000 tasks filter within 100 ms of a key',
    tasks: 5000,
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1`);
      await page.getByText('5,000 tasks').waitFor();
      await page.keyboard.press('/');
      const times: number[] = [];
      for (const letter of 'rocket moves') {
        times.push(
          await page.evaluate(async (key) => {
            const field = document.activeElement as HTMLInputElement; // "/" has put the focus there
            const start = performance.now();
            const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
            set?.call(field, field.value + key);
            field.dispatchEvent(new Event('input', { bubbles: true }));
            await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 0)));
            return performance.now() - start;
          }, letter),
        );
      }
      await page.getByText(/of 5,000 tasks/).waitFor();
      const worst = Math.max(...times);
      process.stdout.write(`     key to paint: worst ${worst.toFixed(0)} ms of ${times.length}\n`);
      assert.ok(worst < 100, `${worst} ms`);
      assert.ok((await page.getByRole('row').count()) < 80, 'only the rows in sight are there');
    },
  },
  {
    name: 'a task is made in a dialog, with what is missing said in words',
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1`);
      await page.getByRole('row', { name: /AE_1/ }).waitFor();
      await page.keyboard.press('n');
      const dialog = page.getByRole('dialog', { name: 'New task' });
      await dialog.waitFor();
      await page.keyboard.press('Control+Enter');
      await dialog.getByText('Say what is to be done.').waitFor();
      await page.keyboard.type('<b>Insert</b> the picture');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('heading', { level: 1, name: 'PPT_5' }).waitFor();
      assert.equal(await page.getByLabel('Goal').inputValue(), '<b>Insert</b> the picture');
      await page.keyboard.press('Alt+1');
      await page.getByText('<b>Insert</b> the picture').waitFor();
    },
  },
  {
    name: 'a text is stored by itself, and Escape puts it back',
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1/tasks/PPT_1`);
      await page.getByLabel('Notes').fill('one');
      await until(() => api.data.tasks.get('PPT_1')?.notes === 'one', 'stored a moment later');
      await page.getByLabel('Notes').fill('two');
      await page.keyboard.press('Escape');
      await until(
        () => api.data.tasks.get('PPT_1')?.notes === 'Use the sample deck.\nThe picture is in the material.',
        'put back',
      );
      await page.getByLabel('Platform').fill('BeOS');
      await page.keyboard.press('Alt+1');
      await until(() => api.data.tasks.get('PPT_1')?.platform === 'BeOS', 'stored when the page is left');
    },
  },
  {
    name: 'files are attached, shown and removed',
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1/tasks/PPT_1`);
      const file = {
        name: 'talk.vtt',
        mimeType: 'text/vtt',
        buffer: Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\n<b>Insert</b> it'),
      };
      await page.getByLabel('File: Transcript').setInputFiles({ ...file, name: 'talk.txt' });
      await page.getByRole('list', { name: 'Transcript' }).getByText('Insert it').waitFor();
      await page.getByRole('button', { name: 'Remove talk.txt' }).click();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByRole('button', { name: 'Remove talk.txt' }).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'a key is changed, a taken one is refused in words, and both are shown everywhere',
    run: async (page, api) => {
      await page.goto(`${api.url}/settings`);
      await page.getByRole('button', { name: 'Change the key of New task' }).click();
      await page.keyboard.press('p');
      await page.getByText('P is already “People”').waitFor();
      await page.keyboard.press('F8');
      await until(() => JSON.stringify(api.data.settings.keys) === '{"library.new":["F8"]}', 'stored');
      await page.goto(`${api.url}/w/w1`);
      await page.getByRole('row', { name: /AE_1/ }).waitFor();
      await page.locator('button[aria-keyshortcuts="F8"]', { hasText: 'New task' }).waitFor();
      await page.keyboard.press('n');
      assert.equal(await page.getByRole('dialog').count(), 0, 'the old key does nothing');
      await page.keyboard.press('F8');
      await page.getByRole('dialog', { name: 'New task' }).waitFor();
    },
  },
  {
    name: 'one says who one is by a digit, is given work, and changes the rules of the data set',
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1/work`);
      await page.getByText('Work is given to people').waitFor();
      await page.keyboard.press('Alt+p');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Ana Lind/ })
        .waitFor();
      await page.keyboard.press('1');
      await page.getByText('4 pieces of work, 2 begun').waitFor();
      await page.keyboard.press('r');
      const replicas = page.getByLabel('People who annotate the same recording');
      await replicas.waitFor();
      await page.keyboard.press('2');
      await page.keyboard.press('Control+Enter');
      await until(() => api.data.policy.replicas === 2, 'the rules are stored');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/w/w1/recordings/rec-0001/review');
    },
  },
  {
    name: 'the palette and the list of keys open, find and close by keyboard',
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1`);
      await page.getByRole('row', { name: /AE_1/ }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('recordings');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Recordings' }).waitFor();
      await page.keyboard.press('?');
      const keys = page.getByRole('dialog', { name: 'Keys' });
      await keys.getByText('Search recordings').waitFor();
      await keys.getByText('Stop recording').waitFor();
      await page.keyboard.press('Escape');
      await keys.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'a lost connection is shown and heals by itself, with what changed meanwhile',
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1/tasks/PPT_1`);
      await page.getByLabel('Notes').waitFor();
      const port = Number(new URL(api.url).port);
      await api.close();
      await page.getByText('The connection to the studio is lost').waitFor();
      await page.getByLabel('Notes').fill('written while it was away');
      await page.getByText(/^Not stored/).waitFor();
      const again = await startMemoryApi({ tasks: 40, port, ...(dist ? { dist } : {}) });
      try {
        await page.getByText('Connected again').waitFor();
        assert.equal(
          await page.getByLabel('Notes').inputValue(),
          'written while it was away',
          'nothing written is lost',
        );
        await until(
          () => again.data.tasks.get('PPT_1')?.notes === 'written while it was away',
          'stored after it healed',
        );
      } finally {
        await again.close();
      }
    },
  },
  {
    name: 'an import shows its progress and is stopped',
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1/recordings`);
      await page.getByRole('row').nth(1).waitFor();
      await page.keyboard.press('i');
      await page.getByLabel('Folder, archive or video on this machine').fill('/tmp/x');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Stop: Import /tmp/x' }).click();
      await page.getByRole('dialog').getByText('stopped').waitFor();
      assert.equal(api.data.jobs[0]?.state, 'cancelled');
    },
  },
  {
    name: 'a display is chosen by arrows, a recording runs, is paused, marked and stopped, and opens the annotation',
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1/tasks/PPT_1/record`);
      await page.getByRole('radio', { name: /eDP-1/ }).focus();
      await page.keyboard.press('ArrowRight');
      assert.equal(await page.getByRole('radio', { name: /HDMI-1/ }).getAttribute('aria-checked'), 'true');
      await page.getByLabel('Countdown, seconds').fill('1');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('timer', { name: 'Recorded time' }).waitFor();
      await page.getByRole('button', { name: 'Mark' }).click();
      await until(() => api.data.recorder?.marks === 1, 'marked');
      await page.getByRole('button', { name: 'Privacy pause' }).click();
      await page.getByText('Privacy pause: nothing is kept').waitFor();
      await page.getByRole('button', { name: 'End the privacy pause' }).click();
      await until(() => api.data.recorder?.paused === null, 'goes on');
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.waitForURL('**/w/w1/recordings/rec-new');
    },
  },
  {
    name: 'a region outside the displays is refused in words, one drawn on the map is taken',
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1/tasks/PPT_1/record`);
      await page.getByRole('button', { name: 'Start recording' }).waitFor();
      await page.keyboard.press('g');
      await page.getByLabel('Left, px').fill('-9000');
      await page.getByText('The region lies outside every display').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Start recording' }).isDisabled());
      const map = await page.getByRole('group', { name: 'Displays' }).boundingBox();
      assert.ok(map);
      await page.mouse.move(map.x + map.width - 20, map.y + 20);
      await page.mouse.down();
      await page.mouse.move(map.x + map.width - 120, map.y + 90, { steps: 4 });
      await page.mouse.up();
      await page.getByText('The region lies outside every display').waitFor({ state: 'detached' });
      assert.ok(await page.getByRole('button', { name: 'Start recording' }).isEnabled());
    },
  },
  {
    name: 'the theme is switched, stored and there again after a reload',
    run: async (page, api) => {
      await page.goto(`${api.url}/w/w1`);
      await page.getByRole('row', { name: /AE_1/ }).waitFor();
      await page.keyboard.press('Alt+t');
      await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
      await until(() => api.data.settings.theme === 'dark', 'stored');
      await page.reload();
      await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
    },
  },
];

async function until(holds: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (holds()) return;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  assert.fail(`not within 10 s: ${what}`);
}

async function check(browser: Browser, { name, tasks, run }: Check): Promise<boolean> {
  const api = await startMemoryApi({ tasks: tasks ?? 40, ...(dist ? { dist } : {}) });
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  try {
    await run(page, api);
    process.stdout.write(`ok   ${name}\n`);
    return true;
  } catch (error) {
    process.stdout.write(`FAIL ${name}\n     ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  } finally {
    await context.close();
    await api.close().catch(() => undefined);
  }
}

const browser = await openBrowser();
try {
  for (const one of CHECKS.filter(({ name }) => only === undefined || name.includes(only)))
    if (!(await check(browser, one))) process.exitCode = 1;
} finally {
  await browser.close();
}
