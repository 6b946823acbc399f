import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newerVersion, readVersioned, refuseNewer } from './versioned.ts';

test('a file of a newer version is refused with both versions and what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'versioned-'));
  try {
    writeFileSync(join(folder, 'a.json'), '{"version":3,"fields":"of another time"}');
    const form = { schema: z.object({ version: z.literal(2) }), newest: 2 };
    const file = join(folder, 'a.json');
    expect(() => readVersioned(folder, 'a.json', form)).toThrow(
      expect.objectContaining({
        code: 'FUTURE_VERSION',
        message: `${file} has version 3; this program knows versions up to 2. Use the newer program that wrote it, or update this one.`,
        details: { file, found: 3, newest: 2 },
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what else is to be known is said before what to do', () => {
  expect(newerVersion('a', 3, 2, 'Nothing was changed.').message).toBe(
    'a has version 3; this program knows versions up to 2. Nothing was changed. Use the newer program that wrote it, or update this one.',
  );
});

test('numbers above the newest version are refused, and nothing else', () => {
  const versions = fc.oneof(fc.double({ noNaN: true }), fc.jsonValue());
  fc.assert(
    fc.property(versions, fc.integer({ min: 0 }), (version, newest) => {
      const act = (): void => refuseNewer('a', version, newest);
      if (typeof version === 'number' && version > newest) expect(act).toThrow('knows versions up to');
      else expect(act).not.toThrow();
    }),
  );
});

test('one place words the refusal', () => {
  const found = globSync('{core,schemas,studio}/**/*.ts').filter(
    (file) => !/\.test\.ts$/.test(file) && readFileSync(file, 'utf8').includes('this program knows versions'),
  );
  expect(found.map((file) => file.replaceAll('\\', '/'))).toEqual(['studio/files/versioned.ts']);
});
