import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const STUDIO = join(import.meta.dirname, '..');
/** recordings reads closed ones, capture those that it writes, import those of others before they are taken. */
const ROOMS = /^(?:recordings|capture|import)\/(?!texts\/)/;
/** Readers of raw lines, and what derives of them. */
const RAW =
  /\b(?:readEvents|readFrames|readFrameEntries|readWindows)\b[^}]*\} from '[^']*recording-folder\.ts'|\bderive\b[^}]*\} from '[^']*\/derive\.ts'/;
const REDUCED = /\breduceRecording\b[^;]*'[^']*\/reduce\.ts'/;
/** Shows actions under other rules than today's (`--hover`), also of a recording that was not closed. */
const BY_OTHER_RULES = 'cli/commands/actions.ts';

const sources = globSync('**/*.ts', { cwd: STUDIO })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.ts$|-for-tests\.ts$/.test(file));
const naming = (pattern: RegExp): string[] =>
  sources.filter((file) => pattern.test(readFileSync(join(STUDIO, file), 'utf8')));

test('the raw lines of a recording are read by recordings, capture and import alone', () => {
  const reading = naming(RAW);
  expect(reading.length).toBeGreaterThan(3);
  expect(reading.filter((file) => !ROOMS.test(file))).toEqual([]);
});

test('a closed recording is reduced by recordings alone', () => {
  const reducing = naming(REDUCED).filter((file) => file !== BY_OTHER_RULES);
  expect(reducing.length).toBeGreaterThan(1);
  expect(reducing.filter((file) => !file.startsWith('recordings/'))).toEqual([]);
});
