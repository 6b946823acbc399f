import { expect, test } from 'vitest';
import { turnsOf } from '../store/turns-for-tests.ts';
import { isLarge, PassedOn, writeSlowly } from './write-slowly.ts';

const steps = Array.from({ length: 9000 }, (_, at) => ({
  id: `s${at}`,
  place: [at, 7, null],
  note: at % 2 ? undefined : 'ä"\n',
}));
const answers: object[] = [
  { row: { id: 'a' }, none: undefined, steps, empty: [], parts: [{ steps, of: 'a' }, { of: 'b' }, []], end: false },
  steps,
  [steps, 1, steps, 'x', null, {}],
  { steps },
  Object.fromEntries(steps.map((step) => [step.id, step])),
];

test.each(answers)('answer %# is written as JSON.stringify writes it', async (answer) => {
  expect(isLarge(answer)).toBe(true);
  let text = '';
  const turns = await turnsOf(async () => {
    text = await new Response(writeSlowly(answer, '{"json":', '}')).text();
  });
  expect(text).toBe(JSON.stringify({ json: answer }));
  expect(turns).toBeGreaterThan(text.length / 100_000);
});

test('what another thread has written is passed on', async () => {
  const text = JSON.stringify(steps);
  const answer = new PassedOn(new TextEncoder().encode(text));
  expect(isLarge(answer)).toBe(true);
  expect(await new Response(writeSlowly(answer)).text()).toBe(text);
});

test('small answers, and streams of events, are left to others', () => {
  async function* events(): AsyncGenerator<number[]> {
    yield [1];
  }
  for (const answer of [undefined, null, 'x'.repeat(100_000), { id: 'a' }, events()])
    expect(isLarge(answer)).toBe(false);
});
