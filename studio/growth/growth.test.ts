import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostile, judgeGrowth } from '../../test/support/growth.ts';
import { answerReaders } from './answer-readers-for-tests.ts';
import { compositionReaders } from './composition-readers-for-tests.ts';
import { importReaders } from './import-readers-for-tests.ts';
import { playReaders } from './play-readers-for-tests.ts';
import { recordingReaders } from './recording-readers-for-tests.ts';
import { ruleReaders } from './rule-readers-for-tests.ts';
import { systemReaders } from './system-readers-for-tests.ts';

/**
 * Every reader of what comes from outside, with input that is made to be hard for it (docs/decisions.md, "Reading hostile
 * data"). To add one: put an entry `hostile(name, make, read)` into the list of its area, or a new list
 * `…-readers-for-tests.ts` beside this file, and name the list here.
 */
const READERS = [
  ...recordingReaders,
  ...ruleReaders,
  ...importReaders,
  ...answerReaders,
  ...compositionReaders,
  ...systemReaders,
  ...playReaders,
];

let dir: string;
let places = 0;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'growth-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

const newPlace = (): string => {
  const place = join(dir, `${places++}`);
  mkdirSync(place);
  return place;
};

describe('reading is linear in its input', () => {
  test.each(READERS)('$name', async (reader) => {
    const { problem, parts, ms, peakMb } = await judgeGrowth(reader, newPlace);
    if (process.env.GROWTH) console.log(reader.name, { parts, ms, peakMb });
    expect(problem).toBeNull();
  });
});

describe('the judge', () => {
  const text = (n: number): string => 'a'.repeat(n);
  /** Work that grows with `power`. */
  const work = (power: number) => (input: string) => {
    let sum = 0;
    for (let n = input.length ** power; n > 0; n--) sum = (sum * 31 + n) % 1_000_003;
    return sum;
  };

  test('lets linear work pass and sees quadratic work', async () => {
    expect((await judgeGrowth(hostile('linear', text, work(1), { upTo: 1 << 24 }), newPlace)).problem).toBeNull();
    const squared = await judgeGrowth(hostile('quadratic', text, work(2)), newPlace);
    expect(squared).toMatchObject({ problem: expect.stringContaining('times the work') });
  });

  /** As where more memory is needed than the processor has near by: so many times as dear beyond each of these numbers of parts. */
  const dearer = (times: number, beyond: readonly number[], each: (parts: number) => number) => (input: string) => {
    let sum = 0;
    const passed = beyond.filter((parts) => input.length > parts).length;
    // A whole number: counting down from another takes the processor several times as long.
    for (let n = Math.ceil(each(input.length) * times ** passed); n > 0; n--) sum = (sum * 31 + n) % 1_000_003;
    return sum;
  };
  const sizes = { from: 1000, upTo: 8000 };

  test.each([[[1000]], [[4000]], [[1000, 4000]]])(
    'lets work pass that is dearer from some sizes on: %j',
    async (beyond) => {
      const step = hostile(
        'a step',
        text,
        dearer(3, beyond, (n) => (n * 1000) / beyond.length),
        sizes,
      );
      expect((await judgeGrowth(step, newPlace)).problem).toBeNull();
    },
  );

  test('sees a square that is dearer from some size on', async () => {
    const both = hostile(
      'a step and a square',
      text,
      dearer(1.3, [800], (n) => n * n),
      { from: 800, upTo: 6400 },
    );
    expect((await judgeGrowth(both, newPlace)).problem).toContain('at each doubling');
  });

  test('sees a square that the large sizes show most', async () => {
    const late = hostile(
      'linear, and a square',
      text,
      dearer(1, [], (n) => n * 1000 + n * n),
      sizes,
    );
    expect((await judgeGrowth(late, newPlace)).problem).toContain('at each doubling');
  });

  test.runIf(process.platform === 'linux')(
    'sees memory that has nothing to do with the size of the input',
    async () => {
      const bomb = hostile('bomb', text, () => Buffer.alloc(400e6, 1).length, { upTo: 64 });
      expect((await judgeGrowth(bomb, newPlace)).problem).toMatch(/holds \d+ MB/);
    },
  );

  test('takes no other error than one with words for a person', async () => {
    const broken = hostile('broken', text, () => JSON.parse('{'));
    await expect(judgeGrowth(broken, newPlace)).rejects.toThrow(SyntaxError);
  });
});
