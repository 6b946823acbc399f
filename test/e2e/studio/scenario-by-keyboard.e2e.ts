import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { brokenLaws } from '../../../core/compositions/laws.ts';
import { SCENARIO_A } from '../../../core/compositions/papers-for-tests.ts';
import { catalogueTable, levelsTable } from '../../../core/compositions/tables.ts';
import type { Member } from '../../../schemas/composition.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { expectTable } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { tabToNamed, writeIn } from '../../support/studio-keys.ts';

/** ScenDroid's scenario A (B.1, B.2) is entered by keyboard alone: eleven tasks, each in four levels, and what joins them. */

const studio = studioFixture();
let ws: string;
beforeAll(async () => {
  ws = await studio.newWorkspace();
});

/** One field after the other, as they stand. */
async function enterMember(page: Page, { id, window, place, narration, instructions }: Member): Promise<void> {
  await page.keyboard.press('n');
  await writeIn(page, id);
  for (const [field, text] of [
    ['From', window?.from],
    ['Place', place],
    ['What happens', narration],
    ['base', instructions.base],
    ['L0', instructions.L0],
    ['L1', instructions.L1],
    ['L2', instructions.L2],
  ] as const) {
    await tabToNamed(page, field);
    await writeIn(page, text ?? '');
  }
  await page.keyboard.press('Escape');
}

it('a day of eleven tasks is entered by keyboard alone, and the page tells the mismatches that were printed with it', {
  timeout: 240_000,
}, async () => {
  const { id, title, members, edges } = SCENARIO_A;
  await studio.inWindow(`/w/${ws}/compositions`, async (page) => {
    const { keyboard } = page;
    await page.getByRole('button', { name: 'New composition' }).waitFor();
    await keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await writeIn(page, title);
    await keyboard.press('Tab');
    await keyboard.press('ArrowRight');
    await keyboard.press('Tab');
    await keyboard.press('Control+A');
    await writeIn(page, id);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The composition itself' }).waitFor();
    for (const member of members) {
      await enterMember(page, member);
      for (const { from } of edges.filter(({ to }) => to === member.id)) {
        await keyboard.press('l');
        await page.getByRole('combobox', { name: 'By' }).waitFor();
        await writeIn(page, `only after ${from}`);
        await keyboard.press('Enter');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.getByText(`only after ${from} succeeded`).waitFor();
      }
    }
    expect(await axeViolations(page)).toEqual([]);
    await keyboard.press('Control+S');
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved$/ })
      .waitFor();
    const { composition } = await studio.api.compositions.edit({ ws, composition: id });
    const sorted = (all: typeof edges) => all.map((edge) => JSON.stringify(edge)).sort();
    expect({ ...composition, edges: sorted(composition.edges) }).toEqual({ ...SCENARIO_A, edges: sorted(edges) });

    // Its own page: every mismatch at its task, and both tables of the paper.
    await keyboard.press('Escape');
    await page.getByRole('region', { name: 'Tasks' }).waitFor();
    const found = brokenLaws(SCENARIO_A).filter(({ kind }) => kind === 'broken');
    const atFault = [...new Set(found.flatMap(({ member }) => member ?? []))];
    expect(found.filter(({ law }) => law === 'CP10').length).toBeGreaterThanOrEqual(5);
    const rows = page.getByRole('region', { name: 'Tasks' }).locator('tbody tr');
    const marked = await rows.evaluateAll((all) =>
      all.flatMap((row) =>
        row.querySelector('[data-kind="broken"]') === null ? [] : [row.querySelector('th span')?.textContent ?? ''],
      ),
    );
    expect(marked.toSorted()).toEqual(atFault.toSorted());
    await tabToNamed(page, 'As the papers print it');
    await keyboard.press('Enter');
    for (const table of [catalogueTable(SCENARIO_A), levelsTable(SCENARIO_A)])
      await expectTable(page, table.title, table.rows);
  });
});
