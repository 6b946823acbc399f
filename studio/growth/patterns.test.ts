import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patternsIn, slowText } from '../../test/support/pattern-growth.ts';

/**
 * No regular expression of the program takes more than linear time. The patterns stand in the sources, so none is forgotten;
 * those that are made of texts are caught while their file is loaded, or stand below with the reason why they are harmless.
 */

const ROOT = join(import.meta.dirname, '..', '..');

/** Patterns that take longer, of texts that are short: the file, the pattern, and why. */
const SHORT: readonly (readonly [string, string, string])[] = [
  ['native/windows/displays.ts', String.raw`(\d+)$`, 'the name that Windows gives a display'],
  ['renderer/figures/whisker.tsx', String.raw`\.?0+$`, 'a number of two digits'],
  ['studio/files/tar.ts', String.raw`[\0 ]+$`, 'twelve bytes of a header'],
];

/** Patterns that are made when they are needed, and of what. */
const MADE_LATER: Readonly<Record<string, string>> = {
  'core/evaluate/aids.ts': 'one of two suffixes, at the end of a model’s name',
  'core/evaluate/questions.ts': 'two numbers of an action; one pair of brackets begins each try',
  'core/osworld/evaluators.ts': 'a pattern of a task: made, and not tried',
  'core/play/browser-session.ts': 'a pattern of a check, in a process that is ended after a time',
  'core/play/checks-of-files.ts': 'a pattern of a check, in a process that is ended after a time',
  'core/play/checks.ts': 'a pattern of a check, in a process that is ended after a time',
  'schemas/check-fields.ts': 'a pattern of a check, of 1,000 letters: made, and not tried',
  'native/macos/patch-process.ts': 'a colour in hexadecimal; a line of our own process',
  'studio/models/hidden-key.ts': 'the characters of a key, each in a few ways; none repeats without a bound',
  'studio/datasets/export/validate/files.ts': 'a glob of a card, given names of files',
};

const FILES = globSync('{core,schemas,studio,native,electron,renderer}/**/*.{ts,tsx}', { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.tsx?$|-for-tests\.tsx?$|\.d\.ts$/.test(file))
  .sort();

describe('patterns are linear', () => {
  test('those that are written in the sources', () => {
    const slow: string[] = [];
    const short = new Set<string>();
    let seen = 0;
    for (const file of FILES) {
      for (const { line, pattern } of patternsIn(join(ROOT, file)).written) {
        seen++;
        // Not measured: a fast machine finds some of them too short to be slow.
        if (SHORT.some(([where, source]) => where === file && source === pattern.source)) {
          short.add(file);
          continue;
        }
        const text = slowText(pattern);
        if (text !== null) slow.push(`${file}:${line} ${pattern} takes ever longer for ${text}`);
      }
    }
    expect(slow).toEqual([]);
    expect([...short].sort(), 'what is no longer there needs no exception').toEqual(SHORT.map(([file]) => file));
    expect(seen).toBeGreaterThan(400);
  });

  const made = FILES.filter((file) => patternsIn(join(ROOT, file)).made.length > 0);
  const real = globalThis.RegExp;
  let caught: RegExp[] = [];
  beforeAll(() => {
    globalThis.RegExp = new Proxy(real, {
      construct: (target, given, newTarget) => {
        const pattern = Reflect.construct(target, given, newTarget) as RegExp;
        caught.push(pattern);
        return pattern;
      },
    });
  });
  afterAll(() => {
    globalThis.RegExp = real;
  });
  test.each(made.filter((file) => !(file in MADE_LATER)))('those that %s makes of texts', async (file) => {
    caught = [];
    await import(join(ROOT, file));
    const patterns = [...caught];
    expect(patterns, 'none is made while the file is loaded').not.toEqual([]);
    expect(patterns.filter((pattern) => slowText(pattern) !== null)).toEqual([]);
  });

  test('each exception is needed', () => {
    expect(Object.keys(MADE_LATER).filter((file) => !made.includes(file))).toEqual([]);
  });
});

describe('the judge', () => {
  test.each([
    /\[score\]\s*\**\s*:?\s*\**\s*\[?\s*(-?\d)/,
    /(?:^|[\s\S]*\n)Code:\n([\s\S]+)$/,
    /<[^>]*>/g,
    /\s+$/,
    /\s*[\r\n]+\s*/g,
    /(a+)+$/,
  ])('sees %s', (pattern) => {
    expect(slowText(pattern)).not.toBeNull();
  });
  test.each([/<[^<>]*>/g, /(?<!\s)\s+$/, /(?<!\s)\s*[\r\n]\s*/g, /^\d{1,4}-\d\d$/, /\S+/g])(
    'lets %s pass',
    (pattern) => {
      expect(slowText(pattern)).toBeNull();
    },
  );
});
