import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { brokenLaws } from '../core/compositions/laws.ts';
import { appsOf } from '../core/compositions/levels.ts';
import { rolloutOrder } from '../core/compositions/rollout.ts';
import { MARA } from '../test/demo/day/mara.ts';
import { ASSETS } from '../test/demo/day/parts.ts';
import { SPARE_PART } from '../test/demo/day/spare-part.ts';

/** The day and the pathway that ship (assets/compositions). */

test.each([
  ['day', MARA],
  ['pathway', SPARE_PART],
])('the %s in the assets is the one that the demo performs, and breaks no law', (_, composition) => {
  const file = path.join(ASSETS, `${composition.id}.json`);
  const kept: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
  expect(kept, 'run node test/demo/day/write.ts').toEqual(JSON.parse(JSON.stringify(composition)));
  expect(brokenLaws(composition)).toEqual([]);
  expect(rolloutOrder(composition)).toEqual(composition.members.map(({ id }) => id));
});

test('each task of the day has its four levels, and the pathway six tasks over four programs', () => {
  for (const { instructions } of MARA.members) expect(Object.keys(instructions)).toEqual(['base', 'L0', 'L1', 'L2']);
  expect([SPARE_PART.members.length, appsOf(SPARE_PART).length, SPARE_PART.level]).toEqual([6, 4, 3]);
});
