/**
 * The cost of an export: 100 annotated tasks of 27 steps with stills of 1920x1080 in a workspace, exported in each format in
 * a process of its own, then in all of them at once. Prints seconds and peak memory, memory at a quarter of the tasks (it
 * shall not grow with their number), and the seconds beside `cp -a` of what was written.
 *
 *     node test/bench/export.bench.ts [--tasks 100] [--formats videogui,cua-verifier-bench] [--json]
 *
 * The stills are a few pictures of a made-up screen, each under as many names as there are moments: what is copied, read and
 * hashed is the same as of 5,400 different ones.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { toRecords } from '../../core/annotate/document.ts';
import { nameElement, setBox } from '../../core/annotate/edit.ts';
import { FORMATS } from '../../core/export/formats.ts';
import { ACTION_RULES_VERSION } from '../../schemas/actions.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { KEYFRAME_RULES_VERSION, type KeyframeIndex } from '../../schemas/recording.ts';
import { collectExport } from '../../studio/datasets/collect.ts';
import { requestOf } from '../../studio/datasets/export/formats.ts';
import { exportFormats } from '../../studio/datasets/export/run.ts';
import type { ExportSource } from '../../studio/datasets/export-source.ts';
import { openDocuments } from '../../studio/documents/documents.ts';
import { reviewGate } from '../../studio/documents/review/gate.ts';
import { currentKeyframes } from '../../studio/recordings/stills.ts';
import { sampleRecording, writeSample } from '../../studio/store/recording-for-tests.ts';
import { openWorkspace } from '../../studio/store/workspace.ts';
import { flag, machine, machineLine, progress, report } from '../support/bench.ts';

const TASKS = Number(flag('tasks') ?? 100);
const STEPS = 27;
const [WIDTH, HEIGHT] = [1920, 1080];
const PICTURES = 8;
const SECOND = 1_000_000;
const MEGA = 2 ** 20;

type Run = { seconds: number; peakMb: number; writtenMb: number; files: number };

const child = flag('child');
if (child !== null) await runChild(JSON.parse(child));
else await runAll();

async function runAll(): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'export-bench-'));
  try {
    progress(`making ${TASKS} recordings of ${STEPS} steps`);
    await makeWorkspace(path.join(root, 'workspace'));
    const rows = [];
    const wanted = flag('formats')?.split(',');
    const names = FORMATS.map(({ name }) => name as string).filter((name) => wanted?.includes(name) ?? true);
    for (const formats of [...names.map((name) => [name]), names]) {
      progress(formats.length > 1 ? 'all of them in one run' : formats[0]!);
      const quarter = measure(root, formats, Math.ceil(TASKS / 4));
      const out = path.join(root, 'out');
      const whole = measure(root, formats, TASKS, out);
      const copySeconds = secondsOf(() => must('cp', ['-a', out, `${out}-copy`]));
      rmSync(out, { recursive: true });
      rmSync(`${out}-copy`, { recursive: true });
      rows.push({ formats, quarter, whole, copySeconds });
    }
    const about = await machine();
    const sum = rows.slice(0, -1).reduce((seconds, { whole }) => seconds + whole.seconds, 0);
    const together = rows.at(-1)!.whole.seconds;
    report(
      { bench: 'export', machine: about, tasks: TASKS, actions: TASKS * STEPS, rows },
      [
        `Export of ${TASKS} tasks, ${TASKS * STEPS} actions, stills of ${WIDTH} x ${HEIGHT}: ${machineLine(about)}`,
        '  format               seconds   x cp -a   written MB   files   peak MB   peak MB of a quarter',
        ...rows.map(({ formats, quarter, whole, copySeconds }) =>
          [
            `  ${(formats.length > 1 ? `all ${formats.length} in one run` : formats[0]!).padEnd(18)}`,
            whole.seconds.toFixed(1).padStart(8),
            (whole.seconds / copySeconds).toFixed(1).padStart(8),
            whole.writtenMb.toFixed(0).padStart(11),
            String(whole.files).padStart(9),
            whole.peakMb.toFixed(0).padStart(8),
            quarter.peakMb.toFixed(0).padStart(12),
          ].join(' '),
        ),
        `  one run of all / the sum of single runs: ${(together / sum).toFixed(2)}`,
      ].join('\n'),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

type ChildTask = { workspace: string; out: string; formats: string[]; tasks: number };

/** A process of its own, so that its peak is of this export alone. */
function measure(root: string, formats: string[], tasks: number, keep?: string): Run {
  const out = keep ?? path.join(root, 'quarter');
  const work: ChildTask = { workspace: path.join(root, 'workspace'), out, formats, tasks };
  const run: Run = JSON.parse(must(process.execPath, [import.meta.filename, '--child', JSON.stringify(work)]));
  if (!keep) rmSync(out, { recursive: true });
  return run;
}

async function runChild({ workspace: dir, out, formats, tasks }: ChildTask): Promise<void> {
  const workspace = openWorkspace(dir, { create: false });
  const start = performance.now();
  const source = firstOf(await collectExport(workspace, { all: true, keyframes: currentKeyframes }), tasks);
  const requests = formats.map((name) => requestOf(name));
  const results = await exportFormats(source, out, requests, { toolVersion: '0', filters: { all: true } });
  const seconds = (performance.now() - start) / 1000;
  workspace.close();
  const written = results.reduce((sum, { bytes }) => sum + bytes, 0);
  const files = results.reduce((sum, result) => sum + result.files.length, 0);
  // maxRSS is in KiB.
  const peakMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ seconds, peakMb, writtenMb: written / MEGA, files } satisfies Run));
}

function firstOf(source: ExportSource, tasks: number): ExportSource {
  return {
    ...source,
    total: Math.min(tasks, source.total),
    async *tasks() {
      let count = 0;
      for await (const task of source.tasks()) {
        yield task;
        if (++count === tasks) return;
      }
    },
  };
}

function must(command: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error || status !== 0) throw error ?? new Error(`${command}: ${stderr}`);
  return stdout;
}

function secondsOf(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

async function makeWorkspace(dir: string): Promise<void> {
  const workspace = openWorkspace(dir, { create: true });
  const pictures = path.join(dir, '..', 'pictures');
  mkdirSync(pictures, { recursive: true });
  for (let number = 0; number < PICTURES; number++) await makePicture(path.join(pictures, `${number}.png`), number);
  const documents = openDocuments(workspace, reviewGate());
  for (let task = 1; task <= TASKS; task++) {
    const id = `rec${String(task).padStart(4, '0')}`;
    const folder = makeRecording(workspace.recordingsDir, id, task);
    await workspace.syncIndex();
    const { steps } = await documents.openRecording(id);
    linkStills(
      folder,
      id,
      pictures,
      steps.map((step) => step.id),
    );
    const records = toRecords((await documents.get(id)).records);
    const changes = steps.flatMap(({ id: step }, index) => [
      ...nameElement(records, step, `Button ${index}`, 'hand'),
      ...setBox(records, step, 'target', { x: 40 + index, y: 40, width: 80, height: 24 }, 'hand', 1),
    ]);
    await documents.apply(id, { id: randomUUID(), label: 'Everything', changes }, 'me');
  }
  await documents.close();
  workspace.close();
}

/** A screen with windows and text, some of it noise: near 500 kB as PNG, like a desktop with a photograph open. */
async function makePicture(file: string, number: number): Promise<void> {
  const lines = Array.from({ length: 60 }, (_, line) => {
    const text = `${number} ${line} The quick brown fox jumps over the lazy dog, ${(number + 1) * (line + 3) * 7919} times.`;
    return `<text x="${40 + (line % 2) * 900}" y="${40 + line * 17}" font-size="14">${text}</text>`;
  });
  const svg = `<svg width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#f4f4f4"/>${lines.join('')}</svg>`;
  const side = 360;
  let state = number + 1;
  const noise = Uint8Array.from({ length: side * side * 3 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
  const photograph = await sharp(noise, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
  await sharp(Buffer.from(svg))
    .composite([{ input: photograph, left: 1200, top: 500 }])
    .removeAlpha()
    .png()
    .toFile(file);
}

function makeRecording(parent: string, id: string, task: number): string {
  const events: RawEvent[] = [{ type: 'view', t: 0, view: { x: 0, y: 0, width: WIDTH, height: HEIGHT }, segment: 0 }];
  for (let step = 0; step < STEPS; step++) {
    const t = (step + 1) * 2 * SECOND;
    const at = { x: 50 + step * 3, y: 50, button: 'left' as const };
    events.push({ type: 'down', t, ...at }, { type: 'up', t: t + 60_000, ...at });
    // Every fifth step ends a subtask.
    if (step % 5 === 4) events.push({ type: 'mark', t: t + SECOND, kind: 'subtask' });
  }
  const folder = writeSample(
    parent,
    sampleRecording({
      id,
      task: { id: `GIMP_${task}`, goal: `Goal ${task}` },
      span: { start: 0, end: (STEPS + 1) * 2 * SECOND },
      segments: [{ index: 0, file: 'screen.mkv', width: WIDTH, height: HEIGHT, firstFrame: 0, frames: STEPS }],
    }),
    events,
  );
  const frames = Array.from({ length: (STEPS + 1) * 2 }, (_, i) => ({
    i,
    pts: i * 1000,
    t: i * SECOND,
    changed: 9999,
  }));
  writeFileSync(path.join(folder, 'frames.jsonl'), frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  return folder;
}

function linkStills(folder: string, recording: string, pictures: string, steps: readonly string[]): void {
  const place = path.join(folder, 'keyframes');
  mkdirSync(place, { recursive: true });
  const keyframes: KeyframeIndex['keyframes'] = steps.flatMap((action, index) =>
    (['before', 'after'] as const).map((role) => {
      const file = `${index}-${role}.png`;
      linkSync(
        path.join(pictures, `${(index * 2 + (role === 'after' ? 1 : 0)) % PICTURES}.png`),
        path.join(place, file),
      );
      return { action, role, frame: index, t: index, file, width: WIDTH, height: HEIGHT, origin: { x: 0, y: 0 } };
    }),
  );
  const index: KeyframeIndex = {
    schema: 'trajectory-studio/keyframes',
    version: 1,
    recording,
    actionRulesVersion: ACTION_RULES_VERSION,
    keyframeRulesVersion: KEYFRAME_RULES_VERSION,
    keyframes,
  };
  writeFileSync(path.join(place, 'index.json'), JSON.stringify(index));
}
