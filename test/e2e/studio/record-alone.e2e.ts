import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDisplay, type VirtualDisplay } from '../../support/display.ts';
import { descendants, must } from '../../support/process.ts';
import { still } from '../../support/studio-browser.ts';
import { soon } from '../../support/studio-expect.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { until } from '../../support/until.ts';

/** The page to record on a machine with one display and without a session bus, on which pictures are dropped. */

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

it('D19: dropped pictures come with what they mean and what helps, and nobody is sent to a display that is not there', async () => {
  const target = { kind: 'display', display: null } as const;
  await studio.api.recorder.start({ ws, task, target, fps: 15, countdown: 0 });
  await studio.inWindow(`/w/${ws}/tasks/${task}/record`, async (page) => {
    const live = page.getByRole('region', { name: 'Recording' });
    await live.getByText('Recording', { exact: true }).waitFor();
    expect(await page.evaluate(() => Reflect.get(screen, 'isExtended'))).toBe(false);
    expect(await live.getByText(/to another display/).count()).toBe(0);
    // Whatever writes the pictures stands still, as on a machine that is too busy, until one was dropped.
    const encoders = descendants(studio.server.process.pid, 'screen.mkv');
    expect(encoders.length).toBeGreaterThan(0);
    for (const { pid } of encoders) process.kill(pid, 'SIGSTOP');
    try {
      let n = 0;
      await until('a dropped picture', async () => {
        await must('xsetroot', ['-solid', n++ % 2 === 0 ? '#204060' : '#602040'], { env: display.env });
        return ((await studio.api.recorder.state())?.dropped ?? 0) > 0;
      });
    } finally {
      for (const { pid } of encoders) process.kill(pid, 'SIGCONT');
    }
    await live
      .getByText(/dropped because the machine was busy\. No step is lost.*Fewer frames per second help/)
      .waitFor();
    await live.getByRole('button', { name: /^Stop/ }).click();
    await soon(async () => (await studio.api.recorder.state())?.phase).toBe('done');
  });
});

it('D3: at 1366 x 768 the button that starts is whole in sight, whatever is said of the machine', async () => {
  await studio.inWindow(`/w/${ws}/tasks/${task}/record`, async (page) => {
    // Something is to be said here: that is what pushed the button below the fold.
    await page.getByRole('region', { name: 'This machine' }).getByText('no accessibility bus answers').waitFor();
    await still(page);
    const starts = page.getByRole('button', { name: /^Start recording/ });
    expect(await starts.count()).toBe(1);
    const [top, bottom] = await starts.evaluate((button) => {
      const { top, bottom } = button.getBoundingClientRect();
      return [top, bottom];
    });
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(768);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await starts.isEnabled()).toBe(true);
  });
});
