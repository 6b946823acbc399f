/**
 * Keyframes of a video without input, of our own recordings: real programs are worked in on a real display and recorded, the
 * master is taken as a video of which nothing else is known, and what each rule keeps of it is held against the recording.
 *
 *     node test/bench/keyframes.bench.ts [--app mousepad,gimp,chromium,featherpad] [--keep DIR] [--missed]
 *
 * A step is found when a picture that was kept, from before its press, shows the screen on which the person decided: it is the
 * step's own keyframe (K1), it came after the end of the step before, or it differs from the keyframe by a caret alone. A program
 * that is not installed is left out and named. `--keep` leaves the recordings in a folder, and takes those that are there;
 * `--missed` lists the steps that K11 does not find. Ends with 1 when K11 finds less than 90 % of all steps, or takes more than
 * 1.5 pictures a step.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SAMPLE_SHARE, type SampleRule } from '../../core/keyframes/sample.ts';
import { decodeFrames } from '../../native/ffmpeg/decode.ts';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { fpsModeArgs } from '../../native/ffmpeg/master.ts';
import { readMkvIndex } from '../../native/mkv/read.ts';
import type { Action } from '../../schemas/actions.ts';
import { analyseVideo } from '../../studio/import/video/analyse.ts';
import { isSameScreen, type Picture } from '../../studio/import/video/same-screen-for-tests.ts';
import { openFolder } from '../../studio/recordings/closed.ts';
import { flag, has, machine, machineLine, progress } from '../support/bench.ts';
import { startRecorder } from '../support/cli.ts';
import { startDisplay } from '../support/display.ts';
import { expected, handsFor, perform, wait } from '../support/person.ts';
import { run } from '../support/process.ts';
import { findRecordings } from '../support/recordings.ts';
import { SESSIONS, type Session } from './keyframes/sessions.ts';

const RULES: readonly { name: string; rule: SampleRule; everyMs: number; share: number; gap: number }[] = [
  { name: 'K6, text', rule: 'K6', everyMs: 1000, share: SAMPLE_SHARE.text, gap: 1000 },
  { name: 'K6, share 0.02', rule: 'K6', everyMs: 500, share: 0.02, gap: 500 },
  { name: 'K9, text', rule: 'K9', everyMs: 1000, share: SAMPLE_SHARE.text, gap: 1000 },
  { name: 'K10', rule: 'K10', everyMs: 0, share: 0, gap: 0 },
  { name: 'K11', rule: 'K11', everyMs: 0, share: 0, gap: 0 },
];

/** A step, its times in the recording (µs) and the frame that stood at its press, by its place. */
type Known = { action: Action; press: number; end: number; before: number };
type Sum = { steps: number; found: number; kept: number };

const wanted = flag('app')?.split(',');
const keep = flag('keep');
const root = keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'studio-keyframes-bench-'));
const ffmpeg = await findFfmpeg();
const decoder = { path: ffmpeg.path, fpsMode: fpsModeArgs(ffmpeg) };
const { signal } = new AbortController();
const sums = new Map<string, Sum>();
try {
  console.log(
    `Known steps of our own recordings that a rule for videos finds, 1280x800 at 30 fps\n${machineLine(await machine())}\n`,
  );
  console.log('| program | steps | rule | found | pictures a step |\n| --- | --- | --- | --- | --- |');
  for (const session of SESSIONS) {
    if (wanted && !wanted.includes(session.name)) continue;
    const installed = await run('which', [session.name]);
    if (installed.status !== 0) console.log(`| ${session.name} | not installed | | | |`);
    else await judge(session.name, await recorded(session));
  }
  for (const [name, sum] of sums) row('all', name, sum);
  const { steps, found, kept } = sums.get('K11') ?? { steps: 0, found: 0, kept: 0 };
  if (steps === 0 || found / steps < 0.9 || kept / steps > 1.5) process.exitCode = 1;
} finally {
  if (keep === null) fs.rmSync(root, { recursive: true, force: true });
}

/** The folder of its recording. */
async function recorded({ name, open, steps }: Session): Promise<string> {
  const workspace = path.join(root, name);
  const there = findRecordings(workspace)[0];
  if (there) return there;
  const display = await startDisplay({ width: 1280, height: 800 });
  try {
    const app = await open(display);
    const { x: left, y: top } = await app.bounds();
    const all = steps((x, y) => [left + x, top + y]);
    const hands = await handsFor(display, 'human');
    const recorder = await startRecorder(display, { workspace });
    for (const [at, step] of all.entries()) {
      // A person looks at what came of it, now longer, now shorter; typing goes on at once.
      await perform(display, hands, [step, wait(250 + ((at * 370) % 900))]);
      if (at % 10 === 9) progress(`${name}: ${at + 1} of ${all.length} steps`);
    }
    const { line } = await recorder.stop();
    const actions = openFolder(line.folder).steps.length;
    const meant = expected(all).length;
    if (actions !== meant) progress(`${name}: ${meant} steps were done, ${actions} actions came of them`);
    return line.folder;
  } finally {
    await display.stop();
  }
}

async function judge(name: string, folder: string): Promise<void> {
  const closed = openFolder(folder);
  const [segment] = closed.meta.segments;
  if (!segment || closed.meta.segments.length > 1) throw new Error(`${name}: its master is not one video`);
  const file = path.join(folder, segment.file);
  const { width, height } = segment;
  const times = closed.frames.map(([, t]) => t);
  const places = new Map(closed.frames.map(([i], place) => [i, place]));
  const known = closed.actions.map((action): Known => {
    const own = closed.keyframes.keyframes.find((k) => k.action === action.id && k.role === 'before');
    return { action, press: action.start.t, end: action.end.t, before: places.get(own?.frame ?? -1) ?? -1 };
  });
  const { blocks } = await readMkvIndex(file, { named: segment.frames });
  for (const { name: rule, ...sample } of RULES) {
    const source = { ffmpeg, file, width, height, sample, grid: false, signal, report: () => undefined };
    const kept = (await analyseVideo(source)).samples.flatMap((one) => (one.kept ? [one.frame] : []));
    const candidates = known.map((step, at) => candidatesOf(step, known[at - 1], kept, times));
    const looked = new Set(candidates.flatMap((one, at) => (one.sure ? [] : [known[at]!.before, ...one.frames])));
    const pictures = await decoded([...looked].filter((place) => place >= 0));
    const missed = known.filter(({ before }, at) => {
      const { sure, frames } = candidates[at]!;
      return !sure && !frames.some((place) => isSame(pictures.get(place), pictures.get(before)));
    });
    const sum = { steps: known.length, found: known.length - missed.length, kept: kept.length };
    row(name, rule, sum);
    const all = sums.get(rule) ?? { steps: 0, found: 0, kept: 0 };
    sums.set(rule, { steps: all.steps + sum.steps, found: all.found + sum.found, kept: all.kept + sum.kept });
    if (sample.rule === 'K11' && has('missed')) {
      for (const { action, press, before } of missed)
        progress(
          `  ${name}: ${action.kind} ${action.text ?? action.keys?.join('+') ?? ''} at ${press / 1e6} s, before ${before}`,
        );
    }
  }

  async function decoded(wantedPlaces: readonly number[]): Promise<Map<number, Picture>> {
    const byPts = new Map(wantedPlaces.map((place) => [closed.frameAt(place)!.pts, place]));
    const pictures = new Map<number, Picture>();
    const pts = [...byPts.keys()].sort((a, b) => a - b);
    await decodeFrames(decoder, { file, blocks, width, height }, pts, async ({ pts: own, rgb }) => {
      pictures.set(byPts.get(own)!, { rgb: Buffer.from(rgb), width, height });
    });
    return pictures;
  }
}

/** `sure`: one is the step's own, or came after the step before. Else the last one may show the same screen as the keyframe. */
function candidatesOf(
  { press, before }: Known,
  previous: Known | undefined,
  kept: readonly number[],
  times: readonly number[],
): { sure: boolean; frames: number[] } {
  const earlier = kept.filter((place) => times[place]! <= press);
  const since = previous?.end ?? Number.NEGATIVE_INFINITY;
  const sure = earlier.some((place) => place === before || times[place]! > since);
  return { sure, frames: earlier.slice(-1) };
}

function isSame(a: Picture | undefined, b: Picture | undefined): boolean {
  return a !== undefined && b !== undefined && isSameScreen(a, b);
}

function row(program: string, rule: string, { steps, found, kept }: Sum): void {
  console.log(
    `| ${program} | ${steps} | ${rule} | ${Math.round((100 * found) / steps)} % | ${(kept / steps).toFixed(2)} |`,
  );
}
