import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { compositionSchema } from '../../../schemas/composition.ts';
import { compositionRunSchema } from '../../../schemas/composition-run.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';

/** The page of a scenario tells what happens by itself on its day, and of a run when it came. */

const studio = studioFixture();
let ws: string;

const DAY = compositionSchema.parse({
  schema: 'trajectory-studio/composition',
  version: 2,
  id: 'a-day',
  kind: 'scenario',
  title: 'A day',
  context: { begins: '2026-03-02' },
  members: ['ask', 'tell'].map((id, n) => ({
    id,
    window: { from: n === 0 ? '09:00' : '10:00' },
    instructions: { base: 'Do it.' },
  })),
  events: [
    { id: 'paper', at: { from: '09:05', to: '09:30' }, happens: [{ kind: 'file', to: 'a.txt', text: 'a' }] },
    {
      id: 'call',
      at: { after: 'ask' },
      happens: [
        { kind: 'notification', title: 'Ana', text: 'Call me' },
        { kind: 'window', title: 'Alarm' },
      ],
    },
    { id: 'late', at: { day: 2, from: '08:00' }, happens: [{ kind: 'service', service: 'shop', change: 'sold-out' }] },
  ],
});
const RUN = compositionRunSchema.parse({
  schema: 'trajectory-studio/composition-run',
  version: 1,
  id: 'abcdef012345',
  at: '2026-11-20T10:00:00.000Z',
  composition: DAY,
  actor: { kind: 'player' },
  level: 'base',
  context: 'none',
  order: ['ask', 'tell'],
  kept: [],
  resumes: null,
  results: [],
  events: [
    { id: 'call', kind: 'window', at: '2026-03-02T09:02:00', before: null, after: 'ask', failed: 'no window “Alarm”' },
    { id: 'paper', kind: 'file', at: '2026-03-02T09:11:00', before: 'tell', after: null, failed: null },
  ],
  begun: null,
  ended: { how: 'stopped', why: '' },
});

const HALF = { ask: '20261129-101010-aaaaaaaa', tell: '20261129-101111-bbbbbbbb' };

beforeAll(async () => {
  ws = await studio.newWorkspace();
  const write = (folder: string, { id, ...rest }: { id: string }): void => {
    const to = path.join(path.dirname(studio.recordings), folder);
    fs.mkdirSync(to, { recursive: true });
    fs.writeFileSync(path.join(to, `${id}.json`), JSON.stringify({ id, ...rest }));
  };
  write('compositions', DAY);
  write('composition-runs', RUN);
  // Killed while its second task was recorded; the first one's stage gave out.
  const rest = { cost: null, answer: null, copy: null, values: [], tookMs: 9000 };
  const lost = { why: '', level: 'base', instruction: 'Do it.', score: 0, steps: 0, questions: 0, ...rest };
  const broken = {
    ...RUN,
    id: 'bbbbbb012345',
    at: '2026-11-19T10:00:00.000Z',
    results: [{ ...lost, member: 'ask', outcome: 'failed', recording: HALF.ask, stage: 'desktop', stageGone: true }],
    begun: 'tell',
    half: { member: 'tell', recording: HALF.tell },
    ended: null,
  };
  write('composition-runs', broken);
});

it('lists events with when they come and what they bring; of a run, when each came, or why it did not', async () => {
  await studio.inWindow(`/w/${ws}/compositions/a-day`, async (page) => {
    const table = page.getByRole('region', { name: 'What happens by itself' });
    const rows = (): Promise<string[][]> =>
      table
        .locator('tbody tr')
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
    await table.waitFor();
    await page.getByText('The first day is 2026-03-02.').waitFor();
    const drawn = 'one of them, drawn by the seed';
    const told = [
      ['paper', 'a minute of 09:05–09:30', 'a file comes: a.txt'],
      ['call', 'after ask', `a notification: Ana: Call mea window comes to the front: Alarm${drawn}`],
      [
        // A law that an event is about stands at it.
        'lateCP23 The event “late” comes when the last task has begun, so that it never happens.',
        'Day 2, 08:00',
        'a service changes: shop: sold-out',
      ],
    ];
    expect(await rows()).toEqual(told);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('r');
    await table.getByText('It did not come.').waitFor();
    expect((await rows()).map((row) => row.at(-1))).toEqual([
      '09:11, before tell',
      '09:02, after askIt could not happen: no window “Alarm”',
      'It did not come.',
    ]);
    expect(await axeViolations(page)).toEqual([]);
  });
});

it('the recording of a task that was broken off is said to be half, by a kill and by its stage, and opens', async () => {
  await studio.inWindow(`/w/${ws}/compositions/a-day?run=bbbbbb012345`, async (page) => {
    const links = page.getByRole('link', { name: /^recording up to where it broke off/ });
    await links.nth(1).waitFor();
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual(
      [HALF.ask, HALF.tell].map((id) => expect.stringContaining(id)),
    );
    await page.getByText('Begun, no result').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // The second task is chosen; Enter opens the recording of it.
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(HALF.tell));
  });
});
