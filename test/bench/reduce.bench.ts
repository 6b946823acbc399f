/**
 * How fast raw events become actions (A15): a made-up session of 1,000,000 events, nine moves in ten, beside JSON.parse
 * of the same lines. Prints the machine, the seconds (best and median of five), the ratio, and how the memory grows when
 * the same actions come with ten times the moves.
 * Run: node --expose-gc test/bench/reduce.bench.ts [events]
 */
import os from 'node:os';
import { reduce } from '../../core/actions/reduce.ts';
import { createReducer } from '../../core/actions/reducer.ts';
import { CONTEXT, stream } from '../../core/actions/stream-for-tests.ts';
import { randomFrom } from '../../core/evaluate/random.ts';
import type { RawEvent } from '../../schemas/events.ts';

const ROUNDS = 5;
const count = Number(process.argv[2] ?? 1_000_000);

/** A person at work: travel to a place, then a click, a double-click, a drag, a scroll, text or a shortcut. */
function session(events: number, movesAnAction: number): RawEvent[] {
  const random = randomFrom(7);
  const upTo = (n: number) => Math.floor(random() * n);
  const work = stream();
  let x = 500;
  let y = 500;
  let second = 0;
  while (work.events.length < events) {
    const toX = upTo(1920);
    const toY = upTo(1080);
    const steps = Math.ceil(movesAnAction * (0.5 + random()));
    for (let i = 1; i <= steps; i++) {
      work.move(Math.round(x + ((toX - x) * i) / steps), Math.round(y + ((toY - y) * i) / steps));
      if (work.now() > second * 1e6) {
        work.anchor();
        second = Math.ceil(work.now() / 1e6) + 1;
      }
    }
    x = toX;
    y = toY;
    const what = random();
    if (what < 0.6) work.click(x, y);
    else if (what < 0.65) work.click(x, y).wait(80).click(x, y);
    else if (what < 0.72) work.drag([x, y], [upTo(1920), upTo(1080)]);
    else if (what < 0.8) for (let i = 0; i < 8; i++) work.wheel(1);
    else if (what < 0.9) work.type('Cost is $5, total 6');
    else work.chord('ControlLeft', 'KeyC');
    work.wait(300);
  }
  work.events.length = events;
  return work.events;
}

function seconds(task: () => void): { best: number; median: number } {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.();
    const start = performance.now();
    task();
    times.push((performance.now() - start) / 1000);
  }
  times.sort((a, b) => a - b);
  return { best: times[0] ?? 0, median: times[ROUNDS >> 1] ?? 0 };
}

/** Heap at its highest above what it was before, MB: looked at every 50,000 events after a collection. */
function growth(events: readonly RawEvent[]): { mb: number; actions: number } {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const reducer = createReducer(CONTEXT);
  let peak = before;
  const look = () => {
    globalThis.gc?.();
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  };
  events.forEach((event, i) => {
    reducer.push(event);
    if (i % 50_000 === 0) look();
  });
  const { actions } = reducer.finish();
  look();
  return { mb: (peak - before) / 2 ** 20, actions: actions.length };
}

const show = ({ best, median }: { best: number; median: number }) =>
  `${best.toFixed(3)} s (median ${median.toFixed(3)} s)`;

console.log(
  `${os.cpus()[0]?.model ?? 'unknown CPU'}, ${os.cpus().length} cores, Node ${process.version}, ${os.platform()}`,
);
const events = session(count, 60);
const lines = events.map((event) => JSON.stringify(event));
const moves = events.filter((event) => event.type === 'move').length;
console.log(`${events.length} events, ${((100 * moves) / events.length).toFixed(1)} % moves`);

let parsed: RawEvent[] = [];
const parse = seconds(() => {
  // Our own lines, written above.
  parsed = lines.map((line) => JSON.parse(line) as RawEvent);
});
let actions = 0;
const reducing = seconds(() => {
  actions = reduce(parsed, CONTEXT).actions.length;
});
console.log(`reduce      ${show(reducing)}  ${actions} actions`);
console.log(
  `JSON.parse  ${show(parse)}  of the same lines; reduce takes ${(reducing.median / parse.median).toFixed(2)} of it`,
);

if (globalThis.gc) {
  const few = growth(session(Math.round(count / 10), 60));
  const many = growth(session(count, 600));
  console.log(`memory      ${few.mb.toFixed(1)} MB for ${few.actions} actions of ${Math.round(count / 10)} events;`);
  console.log(`            ${many.mb.toFixed(1)} MB for ${many.actions} actions of ${count} events`);
} else {
  console.log('memory      not measured: run node with --expose-gc');
}
