import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StudioError } from '../../schemas/errors.ts';
import { isEntry, type LogEntry, log, logPlace, openLogFile, sendEntriesTo, takeEntry } from './log.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'trajectory-studio-log-')), 'logs');
  file = join(folder, 'studio.log');
  openLogFile(folder, 'studio');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});
const written = (): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('a line has what, which recording, who and how long', () => {
  log.info('recording closed', { recording: '20261127-1', person: 'Ana', ms: 12.6, count: 3, status: null });
  expect(written()).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      level: 'info',
      from: 'studio',
      pid: process.pid,
      what: 'recording closed',
      recording: '20261127-1',
      person: 'Ana',
      ms: 13,
      count: 3,
    },
  ]);
});

test('of an error there are its name, its codes and our own places, whatever its message and its causes say', () => {
  const cause = Object.assign(new Error('no space for /home/ana/hunter2\n    at x (studio/secret.ts:1:2)'), {
    code: 'ENOSPC',
  });
  const error = new StudioError(
    'DISK_FULL',
    'The title “hunter2”\n    at hunter2 (file:///hunter2/studio/a.ts:1:1)',
    { typed: 'hunter2' },
    { cause },
  );
  log.error('failed', { error });
  log.error('failed', { error: 'hunter2' });
  log.error('failed', { error: Object.assign(new Error('x'), { name: 'hunter2 says' }) });
  const [line] = written();
  expect(line).toMatchObject({ error: 'StudioError', errorCode: 'DISK_FULL' });
  expect((line!.at as string[])[0]).toMatch(/^native\/log\/log\.test\.ts:\d+$/);
  expect(readFileSync(file, 'utf8')).not.toMatch(/hunter2|secret/);
});

test('nothing that a person typed, no title and no secret is in it, wherever it is put', () => {
  const planted = fc.string({ minLength: 4, maxLength: 200 }).filter((text) => !/^[\w.:-]{1,80}$/.test(text));
  fc.assert(
    fc.property(planted, (text) => {
      rmSync(file, { force: true });
      const facts = { recording: text, workspace: text, job: text, name: text, why: text, code: text };
      log.warn('what was planted', { ...facts, error: new Error(text) });
      log.warn('what was planted', { [text]: text, title: text, text, detail: text } as object);
      const own = written().map(({ at: _, ...line }) => Object.values(line));
      for (const values of own) for (const value of values) expect(String(value)).not.toContain(text);
    }),
    { numRuns: 200 },
  );
});

test('what comes from another process is cleaned once more', () => {
  const entry = {
    time: '2026-11-27T12:00:00.000Z',
    level: 'warn',
    from: 'other',
    pid: 7,
    what: 'gone',
    name: 'play-main',
    title: 'Vault - hunter2',
    recording: 'my hunter2',
    error: 'TypeError',
    at: ['studio/a.ts:7', 'hunter2 at home'],
  } as LogEntry;
  expect(isEntry({ type: 'log', entry })).toBe(true);
  takeEntry({ entry });
  for (const wrong of [
    { ...entry, level: 'loud' },
    { ...entry, pid: 'x' },
  ])
    takeEntry({ entry: wrong as LogEntry });
  expect(written()).toEqual([
    {
      time: entry.time,
      level: 'warn',
      from: 'studio',
      pid: 7,
      what: 'gone',
      name: 'play-main',
      recording: '(left out)',
      error: 'TypeError',
      at: ['studio/a.ts:7'],
    },
  ]);
  for (const none of [null, 7, 'log', { type: 'log' }, { type: 'log', entry: null }, { type: 'x', entry }])
    expect(isEntry(none)).toBe(false);
});

test('the variable says the least that is kept', () => {
  const levels = (wanted: string): unknown[] => {
    rmSync(file, { force: true });
    vi.stubEnv('TRAJECTORY_STUDIO_LOG', wanted);
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]('x');
    return readdirSync(join(folder, '..')).includes('logs') && readdirSync(folder).length > 0
      ? written().map(({ level }) => level)
      : [];
  };
  mkdirSync(folder);
  expect(levels('')).toEqual(['info', 'warn', 'error']);
  expect(levels('debug')).toEqual(['debug', 'info', 'warn', 'error']);
  expect(levels('error')).toEqual(['error']);
  expect(levels('off')).toEqual([]);
  expect(levels('loud')).toEqual(['debug', 'info', 'warn', 'error']);
});

test.skipIf(process.platform === 'win32')('is for its owner alone, and never grows without end', () => {
  log.info('x');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  writeFileSync(file, 'x'.repeat(2_000_001));
  log.info('after');
  expect(written()).toHaveLength(1);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['studio.log', 'studio.old.log']);
});

test('a disk that takes nothing, or a sender that is gone, stops nothing', () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'no'), '');
  openLogFile(join(folder, 'no'), 'studio');
  expect(() => log.error('x')).not.toThrow();
  const sent: unknown[] = [];
  sendEntriesTo((message) => sent.push(message));
  log.error('x');
  expect(sent).toEqual([{ type: 'log', entry: expect.objectContaining({ what: 'x' }) }]);
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o500);
    openLogFile(folder, 'studio');
    expect(() => log.error('x')).not.toThrow();
    chmodSync(folder, 0o700);
  }
});

test('who outlives the one that started it writes its last words into a file of its own', () => {
  vi.stubEnv('TRAJECTORY_STUDIO_LOG_FOLDER', logPlace().TRAJECTORY_STUDIO_LOG_FOLDER);
  const told: LogEntry[] = [];
  let isHeard = true;
  sendEntriesTo(
    ({ entry }) => told.push(entry),
    () => isHeard,
  );
  log.info('heard');
  isHeard = false;
  log.error('crashed', { error: new Error('hunter2') });
  expect(told.map(({ what }) => what)).toEqual(['heard']);
  const alone = readFileSync(join(folder, 'alone.log'), 'utf8');
  expect(JSON.parse(alone)).toMatchObject({ what: 'crashed', from: 'alone', error: 'Error' });
  expect(alone).not.toContain('hunter2');
  expect(statSync(join(folder, 'alone.log')).mode & 0o777).toBe(0o600);
});
