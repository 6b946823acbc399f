import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { Recording } from '../../schemas/recording.ts';
import type { RecordingState } from '../../schemas/task-terms.ts';
import { writeRecording } from './recording-folder.ts';
import { sqlOf } from './store.ts';
import type { Workspace } from './workspace.ts';

/** Folders and recordings for tests beside the code. */

/** A new temporary folder; `clean` removes all that were made. */
export function temporaryFolders(): { make(): string; clean(): void } {
  const made: string[] = [];
  return {
    make() {
      const folder = mkdtempSync(join(tmpdir(), 'studio-test-'));
      made.push(folder);
      return folder;
    },
    clean() {
      for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A closed recording of ten seconds of GIMP on one display of 1280x720. */
export function sampleRecording(changes: Partial<Recording> = {}): Recording {
  return {
    schema: 'trajectory-studio/recording',
    version: 1,
    id: '3f2a9c1e',
    state: 'closed',
    tool: { name: 'trajectory-studio', version: '0.1.0' },
    app: { id: 'gimp', name: 'GIMP' },
    task: { id: 'GIMP_1', goal: 'Crop the picture' },
    person: null,
    os: { platform: 'linux', release: '6.1', arch: 'x64', session: 'x11' },
    clock: { source: 'CLOCK_MONOTONIC', startNs: '123456789000000000', startedAt: '2026-05-04T10:20:30.456Z' },
    span: { start: 500_000, end: 10_500_000 },
    displays: [{ t: 0, displays: [DISPLAY] }],
    settings: {},
    capture: {
      target: { kind: 'display', display: 1 },
      fps: 30,
      grabber: 'x11-shm',
      mode: 'damage',
      encoder: 'libx264rgb',
      cursor: false,
      lossless: true,
    },
    segments: [{ index: 0, file: 'screen.mkv', width: 1280, height: 720, firstFrame: 0, frames: 42 }],
    playback: null,
    counts: { frames: 42, dropped: 1, late: 0, black: 0, ticks: 300, events: 7 },
    sync: null,
    verdict: { kind: 'complete', missing: [], endedBy: 'duration' },
    warnings: [],
    ...changes,
  };
}

const DISPLAY = { id: 1, name: 'display 1', x: 0, y: 0, width: 1280, height: 720, scale: 1, primary: true };

/** The state as a workspace of a version without a log of reviews may say it. */
export async function setStateForTests({ store }: Workspace, id: string, state: RecordingState): Promise<void> {
  await sqlOf(store).updateTable('recordings').set({ state }).where('id', '=', id).execute();
}

/** Writes a recording's folder into `parent`, named by its id, with these events. */
export function writeSample(parent: string, recording: Recording, events: readonly RawEvent[] = []): string {
  const folder = join(parent, recording.id);
  mkdirSync(folder, { recursive: true });
  writeRecording(folder, recording);
  writeFileSync(join(folder, 'events.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  writeFileSync(join(folder, 'frames.jsonl'), '');
  return folder;
}

/** The error of ours that the work throws. */
export function thrownBy(work: () => unknown): StudioError {
  try {
    work();
  } catch (error) {
    if (error instanceof StudioError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
