import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDisplay, type VirtualDisplay } from '../../support/display.ts';
import { still } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';

/** The page to record on a machine with one display and without a session bus. */

let display: VirtualDisplay;
beforeAll(async () => {
  display = await startDisplay({ width: 1280, height: 800 });
});
// Hooks that come first end last: the display is there as long as the studio.
afterAll(() => display?.stop());
const studio = studioFixture({ env: () => ({ ...display.env, DBUS_SESSION_BUS_ADDRESS: undefined }) });
let ws: string;
let task: string;
beforeAll(async () => {
  ws = await studio.newWorkspace();
  task = (await studio.api.tasks.create({ ws, software: 'gimp', goal: 'Write a note' })).id;
});

it('D4: without a session bus what brings one is said, once, and not to install what may be there', async () => {
  await studio.inWindow(`/w/${ws}/tasks/${task}/record`, async (page) => {
    const machine = page.getByRole('region', { name: 'This machine' });
    await machine.getByText('no accessibility bus answers').waitFor();
    await still(page);
    const shown = await page.locator('body').innerText();
    expect(shown.match(/dbus-run-session -- npm start/g)).toHaveLength(1);
    expect(shown.match(/no accessibility bus answers/g)).toHaveLength(1);
    expect(shown).not.toContain('at-spi2-core');
    // A single line needs no line above that says to look at it.
    const lines = await machine.getByRole('listitem').count();
    expect(await machine.getByText(/look at the yellow lines/).count()).toBe(lines > 1 ? 1 : 0);
  });
});
