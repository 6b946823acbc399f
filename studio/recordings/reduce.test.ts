import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { reduce } from '../../core/actions/reduce.ts';
import { stream } from '../../core/actions/stream-for-tests.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { readEvents, writeRecording } from '../store/recording-folder.ts';
import { sampleRecording, temporaryFolders } from '../store/recording-for-tests.ts';
import { reduceRecording } from './reduce.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

/** A session in which the recorder's own shortcut is pressed, and named long after that. */
function session(): RawEvent[] {
  const work = stream().click(20, 20).wait(400);
  const shortcut = work.events.length;
  work.chord('ControlLeft', 'KeyS').wait(5000).type('words').click(40, 60).wait(5000);
  const named = Array.from({ length: 4 }, (_, n) => shortcut + n);
  return [...work.events, { type: 'own', t: work.now(), events: named, reason: 'stop' }];
}
function folderOf(lines: readonly string[]): string {
  const folder = folders.make();
  writeRecording(folder, sampleRecording());
  writeFileSync(join(folder, 'frames.jsonl'), '');
  writeFileSync(join(folder, 'events.jsonl'), lines.map((line) => `${line}\n`).join(''));
  return folder;
}

test('events that are read one by one reduce to what a list of all of them does, however an own line is spelled', () => {
  const lines = session().map((event) => JSON.stringify(event));
  const spelled = lines.map((line) => line.replace('"own"', '"\\u006fwn"'));
  const damaged = [...lines.slice(0, 5), '{"type":"move"', ...lines.slice(5, -1)];
  for (const wanted of [lines, spelled, damaged]) {
    const folder = folderOf(wanted);
    appendFileSync(join(folder, 'events.jsonl'), '{"type":"mo');
    const { settings, displays, id } = sampleRecording();
    const seen: RawEvent[] = [];
    const { result, fileWarnings } = reduceRecording(folder, {}, (event) => seen.push(event));
    const { events, warnings } = readEvents(folder);
    expect(seen).toEqual(events);
    expect(fileWarnings).toEqual(warnings);
    const context = { recording: id, settings, windows: [], displays: displays[0]?.displays ?? [] };
    expect(result).toEqual(reduce(events, context));
    const keys = result.actions.flatMap((action) => action.keys ?? []);
    expect(keys).toEqual(wanted === damaged ? ['ctrl', 's'] : []);
  }
});
