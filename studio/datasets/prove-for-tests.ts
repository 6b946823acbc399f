import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyReport } from '../../schemas/verify.ts';
import { PLAY_FILE, VERIFY_FILE, withEvidence } from '../store/evidence.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';

const AT = '2026-11-23T05:00:00.000Z';

/** A verdict on a recording as `verify` leaves it, with its plays. `checks`: the sha256 of the task's checks. */
export async function proveForTests(
  workspace: Workspace,
  id: string,
  { proven, checks, by }: { proven: boolean; checks: string; by?: string },
): Promise<void> {
  const { folder } = await workspace.getRecording(id);
  const plays = ['1', '2'].map((n) => `${id}-play-${n}`);
  for (const played of plays) {
    mkdirSync(join(workspace.recordingsDir, played), { recursive: true });
    const recording = { ...sampleRecording({ id: played }), played: { recording: id } };
    writeSample(workspace.recordingsDir, recording);
    writeFileSync(join(workspace.recordingsDir, played, PLAY_FILE), JSON.stringify({ played, recording: id }));
  }
  const report: VerifyReport = {
    schema: 'trajectory-studio/verify',
    version: 1,
    recording: id,
    at: AT,
    proven,
    problems: proven ? [] : ['It was not played.'],
    weak: [],
    untouched: { checks: [], score: 0, passed: false, weak: null },
    plays: [{ played: plays[0]!, agreed: 1, of: 1, passed: true, why: null }],
    without: [{ step: 'a', number: 1, played: plays[1]!, passed: false }],
  };
  writeFileSync(join(folder, VERIFY_FILE), JSON.stringify(await withEvidence(workspace, report, checks)));
  writeRecording(folder, { ...readRecording(folder), verified: { proven, at: AT, checks, ...(by && { by }) } });
}
