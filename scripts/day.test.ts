import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { brokenLaws } from '../core/compositions/laws.ts';
import { rolloutOrder } from '../core/compositions/rollout.ts';
import { MARA } from '../test/demo/day/mara.ts';
import { ASSETS } from '../test/demo/day/parts.ts';

/** The day that ships (assets/compositions). */

test('the file in the assets is the one that the demo performs, and breaks no law', () => {
  const file = path.join(ASSETS, `${MARA.id}.json`);
  const kept: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
  expect(kept, 'run node test/demo/day/write.ts').toEqual(JSON.parse(JSON.stringify(MARA)));
  expect(brokenLaws(MARA)).toEqual([]);
  expect(rolloutOrder(MARA)).toEqual(MARA.members.map(({ id }) => id));
  for (const { instructions } of MARA.members) expect(Object.keys(instructions)).toEqual(['base', 'L0', 'L1', 'L2']);
});
