import fs from 'node:fs';
import path from 'node:path';
import { type InputEvent, isInput } from '../../schemas/events.ts';
import type { VirtualDisplay } from './display.ts';
import type { Sent } from './fast-hands.ts';
import type { Started } from './process.ts';
import { readEvents } from './recordings.ts';
import { until } from './until.ts';

/** Runs fast-hands.ts on a display and compares what it sent with what a recording holds. */

export type SteadyHands = { started: Started; sent(): Sent[]; stop(): Promise<void> };

/** `rate` events a second for `seconds`; resolves when the first was sent. */
export async function startHands(display: VirtualDisplay, rate: number, seconds: number): Promise<SteadyHands> {
  const log = path.join(display.home, `sent-${performance.now().toFixed(0)}.jsonl`);
  const program = path.join(import.meta.dirname, 'fast-hands.ts');
  const started = await display.launch(process.execPath, [program, log, String(rate), String(seconds)]);
  const lines = () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').split('\n').slice(1, -1) : []);
  const sent = () =>
    lines()
      .map((line) => JSON.parse(line) as Sent | { done: true })
      .filter((line) => 'n' in line);
  await until('the hands to begin', () => lines().length > 0, { seen: started.stderr });
  return {
    started,
    sent,
    async stop() {
      await started.stop();
    },
  };
}

/**
 * The steps of `sent` (in order, up to CLOCK_MONOTONIC `untilUs`) that are not in the recording, in words; empty when all
 * is. Everything sent after the recorder was ready must stand in events.jsonl in the same order without anything between.
 */
export function missingFrom(folder: string, sent: readonly Sent[], untilUs: number): string[] {
  const wanted = sent.filter((event) => event.t < untilUs);
  const events = readEvents(folder).filter(isInput);
  const first = wanted[0];
  if (!first) return [];
  const from = events.findIndex((event) => same(event, first));
  if (from < 0) return [`none of ${wanted.length} events: the first, ${JSON.stringify(first)}, is not there`];
  const differs = wanted.findIndex((event, i) => !same(events[from + i], event));
  if (differs < 0) return [];
  const found = events[from + differs];
  const ago = Math.round((untilUs - (wanted[differs]?.t ?? 0)) / 1000);
  return [
    `event ${differs} of ${wanted.length}, sent ${ago} ms before the limit: ` +
      `wanted ${JSON.stringify(wanted[differs])}, found ${JSON.stringify(found ?? null)}`,
  ];
}

function same(event: InputEvent | undefined, sent: Sent): boolean {
  if (!event || event.type !== sent.type) return false;
  return !('x' in event) || (event.x === sent.x && event.y === sent.y);
}
