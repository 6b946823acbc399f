import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { drawnEvents, timeText } from '../../../core/compositions/day.ts';
import { newComposition } from '../../../core/compositions/edit.ts';
import { addEvent, changeEvent } from '../../../core/compositions/edit-events.ts';
import type { Composition, ScenarioEvent } from '../../../schemas/composition.ts';
import { recipeSchema } from '../../../schemas/play.ts';
import { RECIPE_VERSION } from '../../../schemas/recipe-version.ts';
import { axeViolations } from '../../support/studio-browser.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { tabToNamed, writeIn } from '../../support/studio-keys.ts';

/** A day's events are written, moved, taken out and mended by keyboard alone, beside the tasks. */

const studio = studioFixture();
let ws: string;
beforeAll(async () => {
  ws = await studio.newWorkspace();
});

const MAIL = {
  kind: 'mail',
  folder: 'Mail/mara',
  from: 'Jon <jon@lab.example>',
  to: 'Mara <mara@lab.example>',
  subject: 'Labels',
  text: 'We have no labels left. Please order two packs.',
} as const;
const EVENTS: ScenarioEvent[] = [
  { id: 'labels', at: { day: 1, from: '09:20', to: '09:40' }, happens: [MAIL] },
  {
    id: 'agenda',
    at: { day: 1, from: '10:50' },
    happens: [
      { kind: 'file', to: 'Downloads/agenda.txt', text: 'Agenda: results, labels.' },
      { kind: 'notification', title: 'Jon', text: 'I am in the room.' },
      { kind: 'window', title: 'Calendar' },
    ],
  },
  { id: 'sold_out', at: { after: 'order' }, happens: [{ kind: 'service', service: 'shop', change: 'sold-out' }] },
];
const KINDS = ['file', 'mail', 'notification', 'service', 'window'];
const FIELDS = {
  file: [
    ['Where it comes', 'to'],
    ['What is in it', 'text'],
  ],
  mail: [
    ['Sender', 'from'],
    ['Recipient', 'to'],
    ['Mailbox', 'folder'],
    ['Subject', 'subject'],
    ['What the mail says', 'text'],
  ],
  notification: [
    ['Title', 'title'],
    ['What it says', 'text'],
  ],
  service: [
    ['Service', 'service'],
    ['Change', 'change'],
  ],
  window: [['A part of its title', 'title']],
} as const;

/** By Tab to a choice, and in it by the arrows; it begins at `from`. */
async function choose(page: Page, all: readonly string[], from: string, to: string): Promise<void> {
  const by = all.indexOf(to) - all.indexOf(from);
  for (let n = 0; n < Math.abs(by); n++) await page.keyboard.press(by > 0 ? 'ArrowRight' : 'ArrowLeft');
}

async function write(page: Page, field: string, text: string): Promise<void> {
  await tabToNamed(page, field);
  await page.keyboard.press('Control+A');
  await writeIn(page, text);
}

/** With its form open and the focus in its name, which is marked. */
async function enterEvent(page: Page, { id, at, happens }: ScenarioEvent): Promise<void> {
  await writeIn(page, id);
  if (!('after' in at)) {
    await write(page, 'From', at.from);
    if (at.to) await write(page, 'Until', at.to);
  }
  for (const [n, one] of happens.entries()) {
    if (n > 0) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('h');
    } else {
      // The button before them; the choice of the kind is the next stop.
      await tabToNamed(page, 'Add another that may happen');
      await page.keyboard.press('Tab');
    }
    await choose(page, KINDS, 'notification', one.kind);
    for (const [label, key] of FIELDS[one.kind]) {
      const text: string = Reflect.get(one, key);
      await write(page, label, text);
    }
  }
  await page.keyboard.press('Escape');
}

const content = async (): Promise<Composition> =>
  (await studio.api.compositions.edit({ ws, composition: 'day' })).composition;
const save = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+S');
  await page
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor();
};

it('a day’s events of every kind are written by keyboard alone, and come as they were written', {
  timeout: 240_000,
}, async () => {
  await studio.inWindow(`/w/${ws}/compositions`, async (page) => {
    const { keyboard } = page;
    const rows = page.getByRole('region', { name: 'What happens by itself' }).getByRole('button');
    await page.getByRole('button', { name: 'New composition' }).waitFor();
    await keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await writeIn(page, 'Day');
    await keyboard.press('Tab');
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The composition itself' }).waitFor();
    for (const [id, from] of [
      ['read', '09:00'],
      ['order', '11:00'],
    ] as const) {
      await keyboard.press('n');
      await writeIn(page, id);
      await write(page, 'From', from);
      await write(page, 'base', 'Do it.');
      await keyboard.press('Escape');
    }
    // With a task chosen an event comes after it.
    const [labels, agenda, soldOut] = EVENTS as [ScenarioEvent, ScenarioEvent, ScenarioEvent];
    await keyboard.press('e');
    await page.getByRole('heading', { name: 'event', exact: true }).waitFor();
    await enterEvent(page, soldOut);

    // With an event chosen the next one comes at a time. Without a day it cannot: the law says so at its row, and the day is asked for.
    await keyboard.press('e');
    await page.getByText('CP23').waitFor();
    await rows.filter({ hasText: '1 broken' }).waitFor();
    await write(page, 'First day of the scenario', '2026-03-02');
    await page.getByText('CP23').waitFor({ state: 'detached' });
    await keyboard.press('Escape');
    await keyboard.press('Enter');
    await keyboard.press('Control+A');
    await enterEvent(page, labels);
    await keyboard.press('e');
    await enterEvent(page, agenda);

    // Written last, and what happens first: it is moved there. What is taken out comes back by undo.
    expect(await rows.allInnerTexts()).toHaveLength(3);
    for (const _ of [1, 2]) await keyboard.press('k');
    await keyboard.press('Shift+J');
    await keyboard.press('Shift+J');
    await keyboard.press('x');
    await rows.filter({ hasText: 'sold_out' }).waitFor({ state: 'detached' });
    await keyboard.press('Control+Z');
    await rows.filter({ hasText: 'sold_out' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await save(page);
    const made = await content();
    expect([made.version, made.context.begins, made.events]).toEqual([2, '2026-03-02', EVENTS]);

    // On its own page, and on a day that a seed draws.
    await keyboard.press('Escape');
    const shown = page.getByRole('region', { name: 'What happens by itself' });
    await shown.getByText('a mail comes').waitFor();
    const { laws } = await studio.api.compositions.get({ ws, composition: 'day' });
    expect(laws.filter(({ kind }) => kind === 'broken')).toEqual([]);
    const drawn = drawnEvents(made, 7);
    const times = drawn.map(({ id, at, after }) => [id, at === null ? after : timeText(at).slice(0, 13)]);
    expect(times.toSorted()).toEqual([
      ['agenda', '2026-03-02T10'],
      ['labels', '2026-03-02T09'],
      ['sold_out', 'order'],
    ]);
  });
});

it('what does not fit is said at its field, the row with it is opened, and a renamed task keeps its event', {
  timeout: 240_000,
}, async () => {
  await studio.inWindow(`/w/${ws}/compositions/day/edit`, async (page) => {
    const { keyboard } = page;
    await page.getByRole('heading', { name: 'read' }).waitFor();
    const rows = page.getByRole('region', { name: 'What happens by itself' }).getByRole('button');
    const focusRow = async (): Promise<void> => {
      await keyboard.press('Escape');
    };
    await keyboard.press('e');
    await page.getByRole('heading', { name: 'event', exact: true }).waitFor();
    await focusRow();
    await keyboard.press('Control+S');
    await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor();
    await page.getByText('Write something here.', { exact: true }).first().waitFor();
    await keyboard.press('x');
    expect(await rows.allInnerTexts()).toHaveLength(3);

    // A time that ends before it begins, at the row of that event.
    await page.getByRole('button', { name: 'labels' }).waitFor();
    await keyboard.press('k');
    await keyboard.press('k');
    await page.getByRole('heading', { name: 'labels' }).waitFor();
    await keyboard.press('Enter');
    await write(page, 'Until', '09:10');
    await page.getByText('ends (09:10) before it begins (09:20)').waitFor();
    await keyboard.press('Control+Z');
    await page.getByText('ends (09:10) before it begins (09:20)').waitFor({ state: 'detached' });

    await focusRow();
    await keyboard.press('k');
    await page.getByRole('heading', { name: 'order' }).waitFor();
    await keyboard.press('Enter');
    await keyboard.press('Control+A');
    await writeIn(page, 'buy');
    await rows.filter({ hasText: 'after buy' }).waitFor();
    await save(page);
    expect((await content()).events?.at(-1)).toEqual({ ...EVENTS[2], at: { after: 'buy' } });
  });
});

it('the text of a file of one’s own is taken; one that no event can bring is refused with why', async () => {
  await studio.inWindow(`/w/${ws}/compositions/day/edit`, async (page) => {
    await page.getByRole('button', { name: 'agenda' }).click();
    await page.getByRole('heading', { name: 'agenda' }).waitFor();
    const take = async (name: string, bytes: Uint8Array): Promise<void> => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Take a file of yours' }).click();
      await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(bytes) });
    };
    const text = page.getByRole('textbox', { name: 'What is in it' });
    for (const [bytes, why] of [
      [Buffer.from([0x50, 0x4b, 0xff, 0xfe]), 'is no text in UTF-8'],
      [Buffer.from('a\0b'), 'is no text in UTF-8'],
      [Buffer.alloc(60_001, 'x'), 'is too long'],
      [Buffer.alloc(300_000, 'x'), 'is too long'],
    ] as const) {
      await take('a.bin', bytes);
      await page.getByRole('alert').filter({ hasText: why }).waitFor();
      expect(await text.inputValue()).toBe('Agenda: results, labels.');
    }
    await take('liste.txt', Buffer.from('Größe: 名\n'));
    await expect.poll(() => text.inputValue()).toBe('Größe: 名\n');
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Control+Z');
    await expect.poll(() => text.inputValue()).toBe('Agenda: results, labels.');
  });
});

it('services of the recipes are offered with their changes; another change is told by the law at its event', async () => {
  const { api } = studio;
  await api.software.add({ ws, name: 'Shop', prefix: 'SHOP' });
  const { id: task } = await api.tasks.create({ ws, software: 'shop', goal: 'Order two packs', answer: '' });
  const service = { name: 'shop', command: 'true', port: 8100, changes: [{ name: 'sold-out', command: 'true' }] };
  const recipe = recipeSchema.parse({
    schema: 'trajectory-studio/recipe',
    version: RECIPE_VERSION,
    services: [service],
  });
  await api.setup.saveRecipe({ ws, task, recipe });
  const members = await api.compositions.members({ ws, tasks: [task] });
  const happens = [{ kind: 'service' as const, service: 'shop', change: 'closed' }];
  const made = addEvent(
    { ...newComposition({ id: 'offers', kind: 'scenario', title: 'Offers' }), members },
    0,
    'shop_1',
  );
  const content = changeEvent(made, 'event', { happens });
  await api.compositions.save({ ws, composition: 'offers', content, version: null });
  await studio.inWindow(`/w/${ws}/compositions/offers/edit`, async (page) => {
    const { keyboard } = page;
    await page.getByRole('heading', { name: 'shop_1' }).waitFor();
    await keyboard.press('j');
    await page.getByText('which no recipe of its tasks names').waitFor();
    await keyboard.press('Enter');
    await write(page, 'Change', 'sold');
    await page.getByRole('option', { name: 'sold-out' }).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.getByText('which no recipe of its tasks names').waitFor({ state: 'detached' });
    expect(await page.getByRole('combobox', { name: 'Change' }).inputValue()).toBe('sold-out');
    await save(page);
  });
  const { composition } = await api.compositions.edit({ ws, composition: 'offers' });
  expect(composition.events?.[0]?.happens).toEqual([{ kind: 'service', service: 'shop', change: 'sold-out' }]);
});
