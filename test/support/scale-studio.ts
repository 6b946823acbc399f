/**
 * A studio that listens and watches its own event loop, for test/bench/scale: started as a process of its own, so that whoever
 * asks it does not count. `--tree DIR`: the studio of another tree of sources. Speaks over the process's channel: `mark`
 * begins anew, `read` answers the longest time in which nothing else could be answered (`stallMs`), and the processor's time in it
 * (`cpuMs`), which other programs of the machine do not make longer. `machineMs` is the longest time for which a thread that
 * does nothing else could not answer meanwhile: what the machine alone does to a loop.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { listen as Listen } from '../../studio/api/listen.ts';
import type { createStudio as CreateStudio } from '../../studio/api/studio.ts';

const { values } = parseArgs({ options: { tree: { type: 'string' }, home: { type: 'string' } } });
const tree = path.resolve(values.tree ?? path.join(import.meta.dirname, '..', '..'));
const home = values.home ?? '';
const load = (file: string): Promise<unknown> => import(pathToFileURL(path.join(tree, 'studio', 'api', file)).href);
// The same functions, perhaps of an older tree.
const { listen } = (await load('listen.ts')) as { listen: typeof Listen };
const { createStudio } = (await load('studio.ts')) as { createStudio: typeof CreateStudio };

const pages = path.join(home, 'pages');
mkdirSync(pages, { recursive: true });
writeFileSync(path.join(pages, 'index.html'), '<!doctype html><title>Studio</title>');
const studio = createStudio({ version: '0.1.0', home: { config: home, data: home }, repair: false });
const { origin, token, close } = await listen({ studio, pages, port: 0 });

/** Ticks that come late by what kept the loop from them: in time, and in the processor's time of this thread alone. */
const TICK_MS = 5;
let longest = { stallMs: 0, cpuMs: 0 };
let last = { at: performance.now(), cpu: process.threadCpuUsage() };
setInterval(() => {
  const now = { at: performance.now(), cpu: process.threadCpuUsage() };
  const busyMs = (now.cpu.user - last.cpu.user + now.cpu.system - last.cpu.system) / 1000;
  longest = {
    stallMs: Math.max(longest.stallMs, now.at - last.at - TICK_MS),
    cpuMs: Math.max(longest.cpuMs, Math.min(busyMs, now.at - last.at) - TICK_MS),
  };
  last = now;
}, TICK_MS);

/** Slots of the shared memory: the longest wait of the thread that does nothing else, ms, and whether to begin anew. */
const machine = new Float64Array(new SharedArrayBuffer(16));
const calibration = `
  const { workerData } = require('node:worker_threads');
  const machine = new Float64Array(workerData);
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    if (machine[1] === 1) machine.fill(0);
    else machine[0] = Math.max(machine[0], now - last - ${TICK_MS});
    last = now;
  }, ${TICK_MS});`;
new Worker(calibration, { eval: true, workerData: machine.buffer }).unref();

process.on('message', (asked: unknown) => {
  if (asked === 'mark') {
    longest = { stallMs: 0, cpuMs: 0 };
    machine[1] = 1;
    process.send?.({ marked: true });
  }
  if (asked === 'read') {
    process.send?.({ ...longest, machineMs: machine[0] });
  }
  if (asked === 'end') {
    void close()
      .then(() => studio.close())
      .then(() => process.exit(0));
  }
});
process.on('disconnect', () => process.exit(1));
process.send?.({ origin, token });
