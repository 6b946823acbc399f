import { expect, test } from 'vitest';
import type { Proposal } from '../../../schemas/annotation.ts';
import { emptyLabel } from '../label.ts';
import { filledIn } from './filled.ts';

const TOLD: Proposal = {
  name: 'Save button',
  box: { x: 1, y: 2, width: 30, height: 20 },
  source: 'accessibility',
  confidence: 0.9,
};
const OPEN = { label: null, target: null, state: 'open' as const };
const BOX = { kind: 'box', id: 'box:a1:target', action: 'a1', role: 'target', source: 'hand', confidence: 1 } as const;

test('the recorded element stands filled in where it has a name and a box, and comes first', () => {
  expect(filledIn(OPEN, [TOLD])).toBe(TOLD);
  expect(filledIn({ ...OPEN, state: 'flagged' }, [TOLD])).toBe(TOLD);
  expect(filledIn({ ...OPEN, label: { ...emptyLabel('a1'), purpose: 'to keep it' } }, [TOLD])).toBe(TOLD);
  for (const other of [{ name: null }, { box: null }, { source: 'seen' as const }, { source: 'edges' as const }])
    expect(filledIn(OPEN, [{ ...TOLD, ...other }, TOLD])).toBeNull();
  expect(filledIn(OPEN, [])).toBeNull();
  expect(filledIn(OPEN, undefined)).toBeNull();
});

test('nothing is filled in where somebody has said something, or the step is done or removed', () => {
  for (const state of ['done', 'removed'] as const) expect(filledIn({ ...OPEN, state }, [TOLD])).toBeNull();
  expect(filledIn({ ...OPEN, label: { ...emptyLabel('a1'), element: 'Store' } }, [TOLD])).toBeNull();
  expect(filledIn({ ...OPEN, target: { ...BOX, box: TOLD.box! } }, [TOLD])).toBeNull();
});
