import fs from 'node:fs';
import os from 'node:os';
import { must, processTree, run } from './process.ts';
import { sleep } from './until.ts';

/** The head that every bench prints, and how CPU is measured, so that numbers of different runs can be laid side by side. */

/** Linux counts a hundred clock ticks a second in /proc, on every machine. */
const TICKS_PER_SECOND = 100;

export type Machine = {
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  ffmpeg: string;
  xServer: string;
};

export async function machine(): Promise<Machine> {
  const cpus = os.cpus();
  const ffmpeg = await run('ffmpeg', ['-version']);
  const xServer = await run('dpkg', ['-s', 'xvfb']).catch(() => null);
  return {
    cpu: cpus[0]?.model.trim() || 'unknown',
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
    ffmpeg: /version (\S+)/.exec(ffmpeg.stdout)?.[1] ?? 'none',
    xServer: `Xvfb ${/^Version: (\S+)/m.exec(xServer?.stdout ?? '')?.[1] ?? ''}`.trim(),
  };
}

export const machineLine = (m: Machine): string =>
  `${m.cpu}, ${m.cores} cores, ${m.memoryGb} GB, ${m.system}; Node ${m.node}, ffmpeg ${m.ffmpeg}, ${m.xServer}`;

const ticksOf = (pid: number) => processTree(pid).reduce((sum, info) => sum + info.ticks, 0);

/** Cores used by process trees over `ms`, in the order of `pids`. */
export async function coresUsed(pids: readonly number[], ms: number): Promise<number[]> {
  const before = pids.map(ticksOf);
  const start = performance.now();
  await sleep(ms);
  const seconds = (performance.now() - start) / 1000;
  return pids.map((pid, i) => (ticksOf(pid) - (before[i] ?? 0)) / TICKS_PER_SECOND / seconds);
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

export const mean = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

/** `--name value` or `--name` of this process's command line. */
export function flag(name: string): string | null {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? null : (process.argv[at + 1] ?? '');
}
export const has = (name: string): boolean => process.argv.includes(`--${name}`);

/** Text for people, or with --json one line for programs. */
export function report(value: object, text: string): void {
  console.log(has('json') ? JSON.stringify(value) : text);
}

/** Goes to stderr, so that --json stays one line. */
export const progress = (text: string): void => void process.stderr.write(`${text}\n`);

export const bytesOf = (file: string): number => (fs.existsSync(file) ? fs.statSync(file).size : 0);

/** One `ffmpeg -ss` call that cuts one frame, as the usual tools do it; ms. */
export async function cutOneFrame(video: string, seconds: number, to: string): Promise<number> {
  const start = performance.now();
  await must('ffmpeg', ['-v', 'error', '-ss', seconds.toFixed(3), '-i', video, '-frames:v', '1', '-y', to]);
  return performance.now() - start;
}
