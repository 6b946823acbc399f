import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { applyChanges, type Records, toRecords } from '../../core/annotate/document.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { openDocuments } from './documents.ts';
import { reviewGate } from './review/gate.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

const CHILD = join(import.meta.dirname, 'kill-child-for-tests.ts');
const ID = '3f2a9c1e';

/** Lets the child annotate until it has been answered `until` times, then kills it in the middle of its work. */
async function annotateAndKill(dir: string, until: number, delay: number): Promise<number> {
  const child = spawn(process.execPath, [CHILD, dir, ID], { stdio: ['ignore', 'pipe', 'inherit'] });
  let answered = 0;
  let last = 0;
  let killing = false;
  child.stdout.on('data', (data: Buffer) => {
    const versions = data.toString().trim().split('\n').map(Number);
    answered += versions.length;
    last = versions.at(-1)!;
    if (answered < until || killing) return;
    killing = true;
    setTimeout(() => child.kill('SIGKILL'), delay);
  });
  await new Promise((ended) => child.once('close', ended));
  return last;
}

test('killed at any moment, a document holds whole transactions, every answered one, and undo goes on (N3, N4)', async () => {
  const dir = folders.make();
  const workspace = openWorkspace(dir, { create: true });
  const clicks = Array.from({ length: 40 }, (_, at): RawEvent[] => [
    { type: 'down', t: (at + 1) * 1e6, x: at * 20, y: 50, button: 'left' },
    { type: 'up', t: (at + 1) * 1e6 + 50_000, x: at * 20, y: 50, button: 'left' },
  ]);
  const folder = writeSample(workspace.recordingsDir, sampleRecording(), clicks.flat());
  writeFileSync(join(folder, 'frames.jsonl'), '');
  await workspace.syncIndex();
  workspace.close();

  for (const [until, delay] of [
    [3, 0],
    [9, 3],
    [14, 7],
  ] as const) {
    const answered = await annotateAndKill(dir, until, delay);
    const again = openWorkspace(dir, { create: false });
    const documents = openDocuments(again, reviewGate());
    const document = await documents.get(ID);
    const lines = await documents.since(ID, 0);
    // Every answered transaction is there; at most one more was stored but not answered.
    expect(document.version).toBeGreaterThanOrEqual(answered);
    expect(lines.map(({ version }) => version)).toEqual(Array.from({ length: document.version }, (_, at) => at + 1));
    const replayed = lines.reduce<Records>((now, { changes }) => applyChanges(now, changes), new Map());
    expect(toRecords(document.records)).toEqual(replayed);
    const names = new Set(document.records.map((record) => (record.kind === 'label' ? record.element : null)));
    names.delete(null);
    expect(names.size).toBe(1);
    const undone = await documents.undo(ID, 'me');
    expect(undone?.version).toBe(document.version + 1);
    expect((await documents.redo(ID, 'me'))?.redoes).toBe(undone?.undoes);
    await documents.close();
    again.close();
  }
});
