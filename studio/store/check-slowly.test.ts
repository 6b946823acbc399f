import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkSlowly } from './check-slowly.ts';
import { turnsOf } from './turns-for-tests.ts';

const step = z.object({ id: z.string().max(9), place: z.tuple([z.int(), z.int()]), note: z.string().optional() });
const schema = z.object({
  name: z.string().default('none'),
  steps: z.array(step).min(1).max(30_000).nullable(),
  parts: z.array(z.object({ of: z.string(), steps: z.array(step) })),
  last: z.union([z.string(), z.array(z.int())]).optional(),
});

const stepsOf = (n: number): unknown[] =>
  Array.from({ length: n }, (_, at) => ({
    place: [at, 7],
    extra: 'left out',
    id: `s${at}`,
    ...(at % 3 === 0 && { note: undefined }),
  }));
const value = {
  parts: [
    { steps: stepsOf(5000), of: 'a' },
    { of: 'b', steps: [] },
  ],
  last: Array.from({ length: 20_000 }, (_, at) => at),
  steps: stepsOf(9000),
};

test('a large value is checked in parts to the same result, and others are let in between', async () => {
  let found: unknown;
  const turns = await turnsOf(async () => {
    found = await checkSlowly(schema, value);
  });
  // The order of fields too.
  expect(JSON.stringify(found)).toBe(JSON.stringify(schema.safeParse(value)));
  expect(found).toStrictEqual(schema.safeParse(value));
  expect(turns).toBeGreaterThan(14_000 / 64);
});

test.each([
  ['an entry', { ...value, steps: [...stepsOf(8000), { id: 'no place' }, ...stepsOf(10), 'no step'] }],
  ['a field', { ...value, name: 7 }],
  ['a field that is not there', { steps: value.steps, last: 'x' }],
  [
    'an entry of a part',
    { ...value, parts: [{ of: 'a', steps: [...stepsOf(5000), { id: 'far too long', place: [1, 2] }] }] },
  ],
  ['a list that is too long', { ...value, steps: stepsOf(30_001) }],
  ['another kind', stepsOf(9000)],
])('%s that does not fit is told as the schema tells it', async (_name, wrong) => {
  const whole = schema.safeParse(wrong);
  const { success, error } = await checkSlowly(schema, wrong);
  expect(whole.success).toBe(false);
  expect(success).toBe(false);
  expect(error?.issues).toEqual(whole.error?.issues);
});

test('of many parts that do not fit, the first is told as the schema tells it, and no more', async () => {
  const wrong = { ...value, parts: [{ of: 'a', steps: stepsOf(9000).map(() => ({ id: 7 })) }] };
  const whole = schema.safeParse(wrong).error?.issues ?? [];
  const { error } = await checkSlowly(schema, wrong);
  expect(error?.issues.length).toBeLessThan(200);
  expect(error?.issues).toEqual(whole.slice(0, error?.issues.length));
});

test('rules over several fields, and fields beside those that are named, stay the schema’s', async () => {
  const steps = stepsOf(2000).map((one, at) => ({ ...(one as object), place: [at, at] }));
  const strict = z
    .strictObject({ steps: z.array(step), most: z.int() })
    .refine(({ steps, most }) => steps.length <= most);
  const loose = z.looseObject({ steps: z.array(step) });
  for (const [schema, value] of [
    [strict, { steps, most: 3000 }],
    [strict, { steps, most: 10 }],
    [strict, { steps, most: 3000, more: 1 }],
    [loose, { more: 1, steps }],
  ] as const) {
    expect(JSON.stringify(await checkSlowly(schema, value))).toBe(JSON.stringify(schema.safeParse(value)));
  }
});
