import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { exportRecording } from './export-recording.ts';
import { importRecording } from './import-recording.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

test('an archive that the desktop app opens by a double click (.tstar) is the same as a .tar, and comes back', async () => {
  const options = { signal: new AbortController().signal, report: () => undefined };
  const from = openWorkspace(folders.make(), { create: true });
  const to = openWorkspace(folders.make(), { create: true });
  try {
    const { id } = sampleRecording();
    await from.indexRecording(writeSample(from.recordingsDir, sampleRecording()));
    const [tar, own] = ['take.tar', 'take.TSTAR'].map((name) => join(folders.make(), name)) as [string, string];
    for (const out of [tar, own]) await exportRecording(from, id, out, { ...options, carried: [] });
    expect(readFileSync(own)).toEqual(readFileSync(tar));
    expect((await importRecording(to, own, options)).entry.id).toBe(id);
  } finally {
    from.close();
    to.close();
  }
});
