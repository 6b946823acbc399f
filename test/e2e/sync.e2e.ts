import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { syncReportSchema } from '../../schemas/recording.ts';
import { clockLibrary } from '../../studio/play/stage/clock.ts';
import { type NewWorkspace, startRecorder, studioMust } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { openPainter } from '../support/paints.ts';
import { must } from '../support/process.ts';
import { readRecording } from '../support/recordings.ts';
import { syncOnStage } from '../support/stage-sync.ts';
import { judge, summarize } from '../support/sync-truth.ts';
import { seeded, until } from '../support/until.ts';

/** Sync against a ground truth that does not go through our code (C4; target: capture.md, “sync error, defined”). */

const PAINTS = 100;
let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 1920, height: 1080 }, (made) => {
  ({ display, workspace } = made);
});

/** Presses at moments that have nothing to do with the frame clock, at least three frames of 30 fps apart. */
async function pressAtOddTimes(count: number, seed: number): Promise<void> {
  const random = seeded(seed);
  const lines = Array.from({ length: count }, () => `click 1\nsleep ${(0.1 + random() * 0.071).toFixed(4)}`);
  await must('xdotool', ['-'], { env: display.env, stdin: `mousemove 900 500\n${lines.join('\n')}\n` });
}

describe.each([30, 60])('at %i fps', (fps) => {
  it('shows at least 95 of 100 paints inside their interval and none more than 20 ms outside', async () => {
    const painter = await openPainter(display, 800, 400, 300, 300);
    const recorder = await startRecorder(display, {
      workspace: workspace.path,
      args: ['--fps', String(fps)],
      syncCheck: true,
    });
    await pressAtOddTimes(PAINTS, fps);
    await until('every paint', () => painter.paints().length === PAINTS);
    const { line } = await recorder.stop();
    const summary = summarize(await judge(line.folder, painter.paints(), { x: 950, y: 550 }));
    console.log(`sync error at ${fps} fps: ${JSON.stringify(summary)}`);
    expect(summary.found).toBe(PAINTS);
    expect(summary.exact).toBeGreaterThanOrEqual(95);
    expect(summary.maxErrorUs).toBeLessThanOrEqual(20_000);
    // The same by the times of frames alone: an interval that begins before the last frame would hide an error.
    expect(summary.exactByTimes).toBeGreaterThanOrEqual(95);
    expect(summary.maxErrorByTimesUs).toBeLessThanOrEqual(20_000);
    const report = readRecording(line.folder).sync;
    expect(Math.abs((report?.offsetUs ?? Number.NaN) - summary.medianUs)).toBeLessThanOrEqual(5000);
  });
});

it('the built-in check agrees with the truth to 5 ms', async () => {
  const painter = await openPainter(display, 800, 400, 300, 300);
  const recorder = await startRecorder(display, { workspace: workspace.path, syncCheck: true });
  await pressAtOddTimes(30, 7);
  await until('every paint', () => painter.paints().length === 30);
  const { line } = await recorder.stop();
  const truth = summarize(await judge(line.folder, painter.paints(), { x: 950, y: 550 }));
  await painter.started.stop();
  const { json } = await studioMust(['sync-check', '--json'], { env: display.env });
  const { sync: report } = z.object({ sync: syncReportSchema }).parse(json);
  expect(report.verdict).toBe('ok');
  // A change that no frame shows is not one with error 0.
  expect(report.found).toBeGreaterThanOrEqual(report.paints * 0.95);
  expect(Math.abs(report.offsetUs - truth.medianUs)).toBeLessThanOrEqual(5000);
});

it.runIf(clockLibrary() !== null)(
  'is as small on a stage whose clock jumps by days while somebody works there',
  async () => {
    const jumps = 12;
    const result = await syncOnStage({ fps: 30, paints: 36, seed: 11, jumps });
    console.log(`sync error on a stage whose clock jumps: ${JSON.stringify(result)}`);
    // The programs of the stage did see it jump.
    expect(result.jumps).toBe(jumps);
    expect(result.latestDay - result.earliestDay).toBeGreaterThan(86_400_000);
    expect(result.found).toBe(36);
    expect(result.exact).toBeGreaterThanOrEqual(35);
    expect(result.maxErrorUs).toBeLessThanOrEqual(20_000);
    expect(result.maxErrorByTimesUs).toBeLessThanOrEqual(20_000);
    expect(result.ownMaxErrorUs).not.toBeNull();
    // A paint follows its press, whose time is in whole ms.
    for (const us of result.pressToPaintUs) expect(us).toBeGreaterThanOrEqual(-1000);
  },
);
