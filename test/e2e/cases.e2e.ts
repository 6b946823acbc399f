import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IMPORTS } from '../cases/imports.ts';
import { KEYS } from '../cases/keys.ts';
import { ownTempFolder } from '../support/own-temp.ts';

const own = ownTempFolder();

/** Conditions out of public bug reports; `node test/cases.ts` prints them as a table. */
test.each([...KEYS, ...IMPORTS])('$name', async ({ name, right, run }) => {
  const folder = join(own.path, name.slice(0, 2));
  mkdirSync(folder);
  expect(await run(folder)).toEqual(right);
});
