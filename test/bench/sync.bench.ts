/**
 * The sync error of capture.md, measured against a window that paints at each press and logs when (test/support).
 *
 *     node test/bench/sync.bench.ts [--paints 100] [--json]
 *     node test/bench/sync.bench.ts --stage [--jumps 20]      the same on a stage: with the machine's clock, and with one that jumps
 *
 * Target (C4): 0 for at least 95 of 100 paints, never over 20 ms, at 30 and at 60 fps.
 */
import os from 'node:os';
import { flag, has, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { newWorkspace, startRecorder } from '../support/cli.ts';
import { startDisplay } from '../support/display.ts';
import { openPainter } from '../support/paints.ts';
import { must } from '../support/process.ts';
import { readRecording } from '../support/recordings.ts';
import { type StageSync, syncOnStage } from '../support/stage-sync.ts';
import { judge, type SyncSummary, summarize } from '../support/sync-truth.ts';
import { seeded, until } from '../support/until.ts';

const paints = Number(flag('paints') ?? 100);

type Result = SyncSummary & { fps: number; ownMaxErrorUs: number | null };

async function measure(fps: number): Promise<Result> {
  const workspace = newWorkspace();
  const display = await startDisplay({ width: 1920, height: 1080 });
  try {
    const painter = await openPainter(display, 800, 400, 300, 300);
    const recorder = await startRecorder(display, {
      workspace: workspace.path,
      args: ['--fps', String(fps)],
      syncCheck: true,
    });
    const random = seeded(fps);
    const lines = Array.from({ length: paints }, () => `click 1\nsleep ${(0.1 + random() * 0.071).toFixed(4)}`);
    await must('xdotool', ['-'], { env: display.env, stdin: `mousemove 900 500\n${lines.join('\n')}\n` });
    await until('every paint', () => painter.paints().length === paints);
    const { line } = await recorder.stop();
    const summary = summarize(await judge(line.folder, painter.paints(), { x: 950, y: 550 }));
    return { fps, ...summary, ownMaxErrorUs: readRecording(line.folder).sync?.maxErrorUs ?? null };
  } finally {
    await display.stop();
    workspace.remove();
  }
}

async function onDisplay(): Promise<{ results: Result[]; text: string[] }> {
  const results: Result[] = [];
  for (const fps of [30, 60]) {
    results.push(await measure(fps));
    progress(`${fps} fps done`);
  }
  return { results, text: ['Sync error against a ground truth of its own, 1920x1080', ...results.map(line)] };
}

const line = (result: SyncSummary & { fps: number; ownMaxErrorUs: number | null }): string =>
  `  ${result.fps} fps: error 0 for ${result.exact} of ${paints}, largest ${(result.maxErrorUs / 1000).toFixed(2)} ms ` +
  `(intervals of ${(result.medianIntervalUs / 1000).toFixed(1)} ms; by frame times alone ${result.exactByTimes}, ${(result.maxErrorByTimesUs / 1000).toFixed(2)} ms); ` +
  `the recording's own check: largest ${result.ownMaxErrorUs === null ? '-' : (result.ownMaxErrorUs / 1000).toFixed(2)} ms`;

type StageResult = StageSync & { fps: number };

async function onStages(): Promise<{ results: StageResult[]; text: string[] }> {
  const results: StageResult[] = [];
  for (const fps of [30, 60]) {
    for (const jumps of [null, Number(flag('jumps') ?? 20)]) {
      results.push({ fps, ...(await syncOnStage({ fps, paints, seed: fps, jumps })) });
      progress(`${fps} fps, ${jumps ?? 'no'} jumps done`);
    }
  }
  const told = (result: StageResult): string => {
    const ms = result.pressToPaintUs.map((us) => us / 1000).toSorted((a, b) => a - b);
    const days = (result.latestDay - result.earliestDay) / 86_400_000;
    const clock =
      result.jumps === 0
        ? 'the machine’s clock'
        : `a clock set ${result.jumps} times, seen to go over ${days.toFixed(1)} days`;
    return `${line(result)}; from a recorded press to its paint ${ms[0]?.toFixed(2)} to ${ms.at(-1)?.toFixed(2)} ms, median ${median(ms).toFixed(2)}; ${clock}`;
  };
  return { results, text: ['Sync error on a stage, 1920x1080', ...results.map(told)] };
}

const { results, text } = await (has('stage') ? onStages() : onDisplay());
const about = await machine();
const load = os.loadavg()[0] ?? 0;
report(
  { bench: 'sync', machine: about, load, results },
  [text[0], `${machineLine(about)}; load ${load.toFixed(1)}`, ...text.slice(1)].join('\n'),
);
