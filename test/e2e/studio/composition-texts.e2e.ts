import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { compositionSchema } from '../../../schemas/composition.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { tabTo } from '../../support/studio-keys.ts';

/** Long instructions on the page of a composition: they are folded, and unfolded by whoever wants to read them. */

const studio = studioFixture();
let ws: string;

const LONG = Array.from({ length: 60 }, (_, n) => `Step ${n + 1} is told here.`).join(' ');
/** As long as a text may be that is not folded. */
const JUST_SHORT = `${'So long. '.repeat(64)}The very last words.`;

beforeAll(async () => {
  ws = await studio.newWorkspace();
  const folder = path.join(path.dirname(studio.recordings), 'compositions');
  fs.mkdirSync(folder, { recursive: true });
  const day = compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 1,
    id: 'long-words',
    kind: 'scenario',
    title: 'Long words',
    context: { given: [{ name: 'room', value: 'Lab 305' }] },
    members: [
      { id: 'first', window: { from: '08:00' }, instructions: { base: JUST_SHORT } },
      {
        id: 'second',
        window: { from: '09:00' },
        instructions: { base: `Go to {{given.room}}. ${LONG}`, L0: 'Go to {{given.room}}.', L1: LONG },
      },
    ],
  });
  fs.writeFileSync(path.join(folder, 'long-words.json'), JSON.stringify(day));
});

it('a very long level shows its beginning, and all of it by a button, each for itself', async () => {
  expect(JUST_SHORT.length).toBeLessThanOrEqual(600);
  await studio.inWindow(`/w/${ws}/compositions/long-words`, async (page) => {
    const rows = page.getByRole('region', { name: 'Tasks' }).locator('tbody tr');
    const [first, second] = [rows.nth(0), rows.nth(1)];
    const [base, L0, L1] = [0, 1, 2].map((n) => second.locator('td:not([aria-hidden])').nth(n + 1)) as [
      ReturnType<typeof second.locator>,
      ReturnType<typeof second.locator>,
      ReturnType<typeof second.locator>,
    ];
    const end = 'Step 60 is told here.';
    await base.getByText('Step 1 is told here.').waitFor();
    const folded = (await second.boundingBox())?.height ?? 0;

    // The beginning with its slot, cut by a mark; the short ones whole, without a button.
    expect(await base.textContent()).toMatch(/^Go to given\.room Lab 305\. Step 1 is told here\. .*…Show all of it/);
    expect(await base.textContent()).not.toContain(end);
    expect(await L1.textContent()).not.toContain(end);
    expect(await first.textContent()).toContain('The very last words.');
    expect(await first.getByRole('button').count()).toBe(0);
    expect(await L0.getByRole('button').count()).toBe(0);

    // By a click: only this level, and the chosen row stays.
    const button = base.getByRole('button', { name: 'Show all of it second, base' });
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await button.click();
    await base.getByText(end).waitFor();
    expect(await L1.textContent()).not.toContain(end);
    expect(await first.getAttribute('aria-current')).toBe('true');
    expect((await second.boundingBox())?.height ?? 0).toBeGreaterThan(folded);
    const less = base.getByRole('button', { name: 'Show its beginning second, base' });
    expect(await less.getAttribute('aria-expanded')).toBe('true');
    expect(await axeViolations(page)).toEqual([]);
    await less.click();
    await base.getByText(end).waitFor({ state: 'detached' });
    expect((await second.boundingBox())?.height).toBe(folded);

    // By the keyboard, the other one.
    await tabTo(page, L1.getByRole('button', { name: 'Show all of it second, L1' }));
    await page.keyboard.press('Enter');
    await L1.getByText(end).waitFor();
    expect(await base.textContent()).not.toContain(end);
    await page.keyboard.press(' ');
    await L1.getByText(end).waitFor({ state: 'detached' });
  });
});
