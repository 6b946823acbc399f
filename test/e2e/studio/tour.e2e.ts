import { expect, it } from 'vitest';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { settled } from '../../support/studio-tour.ts';

/** One walk from nothing over every page, with the sample: each is there, whole, and throws nothing. */

const studio = studioFixture();

it('opens the sample, shows every page, and keeps what is annotated', async () => {
  const { page, context, faults } = await studio.open();
  await page.getByRole('button', { name: /Open the sample/ }).click();
  await page.getByRole('row', { name: /GIMP_1/ }).waitFor();
  const [{ id: ws } = { id: '' }] = await studio.api.workspaces.recent();
  const [recording] = await studio.api.recordings.list({ ws });
  if (!recording) throw new Error('the sample has no recording');

  const [workspace, task] = [`/w/${ws}`, `/w/${ws}/tasks/${recording.task}`];
  const pages = [
    ...['', '/recordings', '/work', '/insights', '/dataset', '/dataset/statistics'].map((at) => workspace + at),
    ...['/dataset/duplicates', '/dataset/versions', '/export', '/evaluate'].map((at) => workspace + at),
    ...['/runs', '/arena', '/compositions', '/verification'].map((at) => workspace + at),
    ...[task, `${task}/record`, `${workspace}/recordings/${recording.id}/review`, '/settings', '/no/such/page'],
  ];
  const seen: { at: string; mains: number; headings: number; title: string }[] = [];
  // The bar says where one is.
  const unplaced: string[] = [];
  const places = page.getByRole('navigation', { name: 'Workspace' });
  for (const at of pages) {
    await page.goto(`${studio.origin}${at}`);
    await settled(page);
    const [mains, headings] = [await page.locator('main').count(), await page.locator('h1').count()];
    if (at.startsWith(workspace) && (await places.locator('a[aria-current=page]').count()) !== 1) unplaced.push(at);
    seen.push({ at, mains, headings, title: await page.title() });
  }
  expect(seen.map(({ at, mains, headings }) => ({ at, mains, headings }))).toEqual(
    pages.map((at) => ({ at, mains: 1, headings: 1 })),
  );
  expect(unplaced).toEqual([]);
  expect(new Set(seen.map(({ title }) => title)).size).toBeGreaterThan(6);

  const annotate = await annotatePage(page, studio.server, ws, recording.id);
  expect(annotate.opened.steps).toHaveLength(12);
  await page.locator('canvas[data-testid=picture][data-state=ready]').waitFor();
  await annotate.name('Crop tool');
  await soon(() => annotate.label(0)).toContain('Crop tool');
  await page.reload();
  await soon(() => annotate.label(0)).toContain('Crop tool');
  expect(faults).toEqual([]);
  await context.close();
});
