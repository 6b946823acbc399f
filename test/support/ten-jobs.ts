import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { countInPage, readCount } from './count-inputs.ts';
import { heard } from './studio-browser.ts';
import { settled } from './studio-tour.ts';

/** A person's hands on the pages, one kind at a time, and how many steps a job took them. */

export type Way = 'mouse' | 'keyboard';

/** What both hands can do. A text is one step, however long: it is put in at once, as from the clipboard. */
type Hand = {
  page: Page;
  write(text: string): Promise<void>;
  /** Opens an address that a person would not have to ask for; nothing is counted. */
  at(path: string): Promise<void>;
};
export type Mouse = Hand & {
  click(what: Locator): Promise<void>;
  /** Keys that are themselves what is entered: a shortcut that is given to a command. */
  enterKeys(keys: string): Promise<void>;
};
export type Keyboard = Hand & {
  press(...keys: string[]): Promise<void>;
};

export type Steps = { inputs: number; texts: number };

class Counter {
  readonly counted: Steps = { inputs: 0, texts: 0 };
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }
  async begin(): Promise<void> {
    await this.page.evaluate(countInPage);
  }
  async take(): Promise<void> {
    this.counted.inputs += await this.page.evaluate(readCount);
  }
}

function handOn(page: Page, origin: string): { hand: Hand; counter: Counter } {
  const counter = new Counter(page);
  const hand: Hand = {
    page,
    async write(text) {
      await page.keyboard.insertText(text);
      counter.counted.texts++;
    },
    async at(path) {
      await counter.take();
      await page.goto(`${origin}${path}`);
      await settled(page);
      await counter.begin();
    },
  };
  return { hand, counter };
}

/** Does a job with the mouse. Gives the steps it took. */
export async function byMouse(page: Page, origin: string, job: (mouse: Mouse) => Promise<void>): Promise<Steps> {
  const { hand, counter } = handOn(page, origin);
  await heard(page);
  await counter.begin();
  await job({
    ...hand,
    click: (what) => what.click(),
    enterKeys: (keys) => page.keyboard.press(keys),
  });
  await counter.take();
  return counter.counted;
}

/** Does a job with the keyboard. Gives the steps it took. */
export async function byKeyboard(page: Page, origin: string, job: (keys: Keyboard) => Promise<void>): Promise<Steps> {
  const { hand, counter } = handOn(page, origin);
  await heard(page);
  await counter.begin();
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await job({ ...hand, press });
  await counter.take();
  return counter.counted;
}

/**
 * The steps a job may take (clicks or keys, and texts), and what a first walk through it noted, long ago: in its own words,
 * and as presses alone, for it counted no texts. Null: what it did is no other way of the same. `fewer`: with these hands it
 * takes fewer presses than then.
 */
export type Job = {
  name: string;
  prepared: string;
  mouse: number;
  keyboard: number;
  first: { words: string; presses: number | null };
  fewer: readonly Way[];
};

/** A line a job: what was counted beside what it may be. */
export function stepTable(jobs: readonly Job[], way: Way, counts: ReadonlyMap<string, Steps>): string {
  const rows = jobs.map((job) => {
    const steps = counts.get(job.name);
    const unit = way === 'mouse' ? 'presses of the pointer' : 'keys';
    const took = steps ? `${steps.inputs + steps.texts} (${steps.inputs} ${unit}, ${steps.texts} texts)` : 'not walked';
    return [
      job.name,
      took,
      `at most ${job[way]}`,
      `at first: ${job.first.words}`,
      job.fewer.includes(way) ? 'fewer now' : '',
      job.prepared && `made before: ${job.prepared}`,
    ];
  });
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [`By ${way} alone:`, ...lines].join('\n');
}

export function expectNoMoreSteps(job: Job, way: Way, { inputs, texts }: Steps): void {
  expect(inputs, `${job.name}: nothing was counted`).toBeGreaterThan(0);
  expect(inputs + texts, `${job.name} by ${way}: steps`).toBeLessThanOrEqual(job[way]);
  const { presses } = job.first;
  if (job.fewer.includes(way))
    expect(inputs, `${job.name} by ${way}: presses, beside those at first`).toBeLessThan(presses ?? 0);
}
