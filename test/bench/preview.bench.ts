/**
 * The preview of an export over 300 recordings of five minutes: from what is kept of each, and beside it the direct way, which
 * reduces the raw files of each recording first.
 *
 *     node test/bench/preview.bench.ts [--recordings 300] [--rounds 5] [--json]
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { previewOf } from '../../studio/datasets/export/exports.ts';
import { derive } from '../../studio/recordings/derive.ts';
import { openWorkspace } from '../../studio/store/workspace.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { SCALE_SIZES, scaleWorkspace } from '../support/scale-workspace.ts';

const recordings = Number(flag('recordings') ?? 300);
const rounds = Number(flag('rounds') ?? 5);
const size = { ...SCALE_SIZES.small, recordings, tasks: recordings, longSteps: 10, longEvents: 200, videoBytes: 1000 };
const wishes = {
  source: { kind: 'filter' as const, filter: {} },
  formats: [{ name: 'videogui' }],
  all: true,
};

type Cost = { ms: number; cpuMs: number };

/** The time that it takes, and the processor's time in it, which a busy machine does not make longer. */
async function costOf(work: () => unknown): Promise<Cost> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1000 };
}

const medianOf = (costs: readonly Cost[]): Cost => ({
  ms: median(costs.map(({ ms }) => ms)),
  cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
});

const words = ({ ms, cpuMs }: Cost): string => `${ms.toFixed(0)} ms (processor ${cpuMs.toFixed(0)} ms)`;

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'trajectory-studio-preview-'));
try {
  const workspace = openWorkspace(await scaleWorkspace(path.join(dir, 'scale'), size, progress), { create: false });
  const preview = () => previewOf(workspace, wishes);
  const folders = (await workspace.listRecordings()).map(({ folder }) => folder);
  const first = await costOf(preview);
  const keptRounds: Cost[] = [];
  const directRounds: Cost[] = [];
  // By turns, so that a busy machine slows both down alike.
  for (let round = 0; round < rounds; round++) {
    keptRounds.push(await costOf(preview));
    directRounds.push(
      await costOf(() => {
        for (const folder of folders) derive(folder);
        return preview();
      }),
    );
    progress(`round ${round + 1} of ${rounds}`);
  }
  const { tasks, actions } = await preview();
  workspace.close();
  const [kept, direct] = [medianOf(keptRounds), medianOf(directRounds)];
  const about = await machine();
  const text = [
    `Preview of VideoGUI over ${folders.length} recordings of five minutes (${tasks} tasks, ${actions} actions), median of ${rounds} rounds`,
    machineLine(about),
    `  the first, which derives all and keeps it   ${words(first)}`,
    `  from what is kept                           ${words(kept)} (target: under 1,000 ms)`,
    `  reducing the raw files of each first        ${words(direct)}`,
    `  kept / direct: ${(kept.ms / direct.ms).toFixed(2)}`,
  ].join('\n');
  report({ bench: 'preview', machine: about, recordings: folders.length, first, kept, direct }, text);
} finally {
  fs.rmSync(dir, { recursive: true, force: true });
}
