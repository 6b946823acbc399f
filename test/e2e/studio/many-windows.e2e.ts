import { beforeAll, expect, it } from 'vitest';
import { openTab } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';

/** Windows side by side: a browser has six connections for all of them, and each of them follows what changes. */

const studio = studioFixture();
let ws: string;
beforeAll(async () => {
  ws = await studio.newWorkspace();
});

it('eight windows at once are answered, and each shows what changes', async () => {
  const first = await studio.open({}, `/w/${ws}`);
  const pages = [first.page];
  for (let n = 1; n < 8; n++) pages.push((await openTab(first.context, `${studio.origin}/w/${ws}`)).page);
  for (const page of pages) await page.getByRole('heading', { level: 1 }).waitFor();
  await studio.api.tasks.create({ ws, software: 'gimp', goal: 'Crop the rose' });
  for (const page of pages) await page.getByText('Crop the rose').first().waitFor({ timeout: 120_000 });
  // A page that is opened beside them is, too.
  await pages[3]!.reload();
  await pages[3]!.getByText('Crop the rose').first().waitFor({ timeout: 120_000 });
  expect(first.faults).toEqual([]);
  await first.context.close();
}, 400_000);
