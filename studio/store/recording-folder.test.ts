import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type RawEvent, rawEventSchema } from '../../schemas/events.ts';
import { NEWEST_RECORDING_VERSION } from '../../schemas/recording.ts';
import { hasEventShape } from './event-shape.ts';
import { readEvents, readFrames, readRecording, readWindows, writeRecording } from './recording-folder.ts';
import { sampleRecording, temporaryFolders, thrownBy, writeSample } from './recording-for-tests.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

/** A folder whose recording.json is the sample with some fields replaced. */
function folderWith(fields: Record<string, unknown>): string {
  const folder = folders.make();
  writeFileSync(join(folder, 'recording.json'), JSON.stringify({ ...sampleRecording(), ...fields }));
  return folder;
}

const folderWithLines = (file: string, text: string): string => {
  const folder = folders.make();
  writeFileSync(join(folder, file), text);
  return folder;
};

describe('recording.json', () => {
  test('what is written is read back', () => {
    const folder = folders.make();
    writeRecording(folder, sampleRecording());
    expect(readRecording(folder)).toEqual(sampleRecording());
  });

  test('a value that does not fit is not written, and the old file stays', () => {
    const folder = writeSample(folders.make(), sampleRecording());
    const before = readFileSync(join(folder, 'recording.json'), 'utf8');
    const wrong = { ...sampleRecording(), counts: { ...sampleRecording().counts, frames: 1.5 } };
    expect(thrownBy(() => writeRecording(folder, wrong)).details).toMatchObject({ field: 'counts.frames' });
    expect(readFileSync(join(folder, 'recording.json'), 'utf8')).toBe(before);
  });

  test('a later version is refused as such, even when its fields have changed', () => {
    const error = thrownBy(() =>
      readRecording(folderWith({ version: NEWEST_RECORDING_VERSION + 1, counts: 'other now' })),
    );
    expect(error.code).toBe('FUTURE_VERSION');
    expect(error.details).toMatchObject({
      found: NEWEST_RECORDING_VERSION + 1,
      newest: NEWEST_RECORDING_VERSION,
    });
  });

  test('a field that does not fit is named with the file', () => {
    const folder = folderWith({ clock: { source: 'x', startNs: '-1', startedAt: '2026-05-04T10:20:30.456Z' } });
    const error = thrownBy(() => readRecording(folder));
    expect(error.code).toBe('BAD_FILE');
    expect(error.message).toContain(join(folder, 'recording.json'));
    expect(error.message).toContain('clock.startNs');
  });

  test.each([
    ['a missing file', null, 'there is no such file'],
    ['a torn file', '{"schema": "trajec', 'is not JSON'],
    ['a file of something else', '{"name": "x"}', 'field `schema`'],
    ['null', 'null', 'field `schema`'],
    ['values in each other without end', `{"x":${'['.repeat(1000)}${']'.repeat(1000)}}`, 'deep in each other'],
    ['a file larger than any', ' '.repeat(17 << 20), 'at most 16 MB'],
  ])('%s is BAD_FILE', (_what, text, message) => {
    const folder = folders.make();
    if (text !== null) writeFileSync(join(folder, 'recording.json'), text);
    const error = thrownBy(() => readRecording(folder));
    expect([error.code, error.message]).toEqual(['BAD_FILE', expect.stringContaining(message)]);
  });
});

describe('events.jsonl', () => {
  const move: RawEvent = { type: 'move', t: 10, x: 1, y: 2 };

  test('a torn last line is dropped and reported', () => {
    const folder = folderWithLines('events.jsonl', `${JSON.stringify(move)}\n{"type":"move","t":2`);
    const { events, warnings } = readEvents(folder);
    expect(events).toEqual([move]);
    expect(warnings).toMatchObject([{ code: 'TORN_LINE', file: 'events.jsonl', line: 2 }]);
  });

  test('a bad line in the middle becomes a notice in its place, so that raw indices stay', () => {
    const folder = folderWithLines(
      'events.jsonl',
      `${JSON.stringify(move)}\n{"type":"move","t":"x"}\n${JSON.stringify(move)}\n`,
    );
    const { events, warnings } = readEvents(folder);
    expect(events).toMatchObject([move, { type: 'notice', t: 10, code: 'BAD_LINE' }, move]);
    expect(warnings).toMatchObject([{ code: 'BAD_LINE', line: 2 }]);
  });

  test('a missing file is BAD_FILE', () => {
    expect(thrownBy(() => readEvents(folders.make())).code).toBe('BAD_FILE');
  });

  test('the full check finds what the quick one lets through', () => {
    const folder = folderWithLines('events.jsonl', '{"type":"pause","t":1,"reason":"tea"}\n');
    expect(readEvents(folder).warnings).toEqual([]);
    expect(readEvents(folder, 'schema').warnings).toMatchObject([{ code: 'BAD_LINE', line: 1 }]);
  });
});

describe('the quick look at an event', () => {
  const layout = { id: 'us', name: 'US', source: 'xkb', altGr: false, keys: {} } as const;
  const display = { id: 1, name: 'd', x: 0, y: 0, width: 10, height: 10, scale: 1, primary: true };
  const sound: RawEvent[] = [
    { type: 'move', t: 1, x: -5, y: 2, mods: 3 },
    { type: 'down', t: 1, x: 1, y: 2, button: 'left' },
    { type: 'up', t: 1, x: 1, y: 2, button: 'button9' },
    { type: 'wheel', t: 1, x: 1, y: 2, dx: 0, dy: 0.5, unit: 'notch' },
    { type: 'keydown', t: 1, code: 'KeyA', repeat: true },
    { type: 'keyup', t: 1, code: 'Unknown', raw: 99 },
    { type: 'layout', t: 1, layout },
    { type: 'locks', t: 1, caps: false, num: true },
    { type: 'settings', t: 1, settings: {} },
    { type: 'displays', t: 1, displays: [display] },
    { type: 'view', t: 1, view: { x: 0, y: 0, width: 2, height: 2 }, segment: 0 },
    { type: 'pause', t: 1, reason: 'user' },
    { type: 'resume', t: 1, reason: 'user' },
    { type: 'resume', t: 1, reason: 'sync', pointer: { x: 1, y: -2 } },
    { type: 'resume', t: 1, reason: 'sync', pointer: null },
    { type: 'own', t: 1, events: [1, 2], reason: 'shortcut' },
    { type: 'mark', t: 1, kind: 'subtask' },
    { type: 'withheld', t: 3, from: 1, keys: 2 },
    { type: 'anchor', t: 1, wallMs: 1.5 },
    { type: 'notice', t: 1, code: 'c', message: 'm' },
  ];

  test.each(sound.map((event) => [event.type, event] as const))('takes a sound %s', (_type, event) => {
    expect(rawEventSchema.safeParse(event).success).toBe(true);
    expect(hasEventShape(event)).toBe(true);
  });

  test.each(sound.map((event) => [event.type, event] as const))('refuses a %s that lacks a field', (_type, event) => {
    const needed = Object.keys(event).filter((key) => !['mods', 'repeat', 'raw', 'pointer'].includes(key));
    for (const key of needed) {
      const rest = Object.fromEntries(Object.entries(event).filter(([name]) => name !== key));
      expect([key, hasEventShape(rest)]).toEqual([key, false]);
    }
  });

  test('refuses what is no event', () => {
    for (const value of [null, 1, 'move', [], {}, { type: 'jump', t: 1 }, { type: 'move', t: 1.5, x: 1, y: 1 }]) {
      expect(hasEventShape(value)).toBe(false);
    }
  });
});

describe('frames.jsonl and windows.jsonl', () => {
  test('frames come in order; a bad line is left out and reported', () => {
    const folder = folderWithLines(
      'frames.jsonl',
      '{"i":0,"pts":0,"t":5}\n{"i":-1,"pts":0,"t":5}\n{"i":1,"pts":33,"t":33005}\n',
    );
    const { frames, warnings } = readFrames(folder);
    expect(frames.map((frame) => frame.i)).toEqual([0, 1]);
    expect(warnings).toMatchObject([{ code: 'BAD_LINE', file: 'frames.jsonl', line: 2 }]);
  });

  test('a recording without windows.jsonl has no windows', () => {
    const folder = writeSample(folders.make(), sampleRecording());
    rmSync(join(folder, 'windows.jsonl'), { force: true });
    expect(readWindows(folder)).toEqual({ windows: [], warnings: [] });
  });
});
