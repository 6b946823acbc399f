import { afterAll, afterEach, expect, test } from 'vitest';
import { personSpans } from '../../core/actions/whose.ts';
import type { AgentLine } from '../../schemas/agents.ts';
import type { ModelAsked, ScriptedAnswer } from '../models/model-server-for-tests.ts';
import { STEPS, scriptedRuns } from './driven-for-tests.ts';
import { fakeDisplay } from './fake-display-for-tests.ts';
import { openHand } from './hand.ts';
import { helpIn } from './help.ts';
import { truthful } from './truthful-model-for-tests.ts';

/** A person takes a model's run over, goes on, and gives it back or ends it. */

const { runOn, server, close, clean } = scriptedRuns();
afterEach(close);
afterAll(clean);

const kinds = (lines: readonly AgentLine[]): string[] =>
  lines.map((line) => (line.type === 'person' ? line.what : line.type));

/** The model's answers, with `before` done before the one of this number is given. */
const answers =
  (at: number, before: () => void) =>
  (truth: (asked: ModelAsked) => ScriptedAnswer) =>
  (asked: ModelAsked, n: number): ScriptedAnswer => {
    if (n === at) before();
    return truth(asked);
  };

test('taken over while the model thinks, nothing of its answer is done; given back, it sees the screen anew', async () => {
  const hand = openHand();
  const display = fakeDisplay();
  const truth = truthful({ steps: STEPS });
  let told = '';
  const model = answers(1, () => {
    hand.take();
    // The person acts, and gives it back.
    display.done.push({ do: 'wait', ms: 1 });
    setTimeout(() => hand.giveBack(), 30);
  })((asked) => {
    told = asked.last;
    return truth(asked);
  });
  const { ended, lines } = await runOn(model, {}, { hand, display });
  expect(ended.how).toBe('done');
  const at = kinds(lines).indexOf('took-over');
  expect(kinds(lines).slice(at - 1, at + 4)).toEqual(['answered', 'took-over', 'gave-back', 'acted', 'seen']);
  const acted = lines.filter((line) => line.type === 'acted');
  expect(acted[1]).toMatchObject({ problem: expect.stringContaining('a person took the mouse') });
  expect(told).not.toBe('');
  // What it said then was not done; it was told so, and said what comes next.
  expect(lines.filter((line) => line.type === 'asked')[2]!.request.turns.at(-1)).toMatchObject({
    parts: [{ text: expect.stringContaining('a person took the mouse and the keyboard') }, {}],
  });
  expect(display.done.filter((act) => act.do === 'key')).not.toContainEqual(expect.objectContaining({ key: 'H' }));
  expect(personSpans(lines)).toEqual([{ from: expect.any(Number), to: expect.any(Number) }]);
  expect(helpIn(lines)).toMatchObject({ helped: { times: 1 } });
});

test('taken over in the middle of an answer’s acts, the rest of them is not done, and nothing stays held', async () => {
  const hand = openHand();
  let released = 0;
  const display = {
    ...fakeDisplay((act) => {
      if (act.do !== 'key' || act.key !== 'H' || !act.down) return;
      hand.take();
      // Not at once: the act that is on its way ends first.
      expect(hand.state()).toBe('taking');
      setTimeout(() => hand.end(), 30);
    }),
    release: async () => void released++,
  };
  const { ended, lines } = await runOn(truthful({ steps: STEPS }), {}, { hand, display });
  expect(ended).toMatchObject({ how: 'stopped', why: 'a person took it over and ended it' });
  expect(display.done.flatMap((act) => (act.do === 'key' && act.down ? [act.key] : []))).toEqual(['H']);
  expect(released).toBe(1);
  expect(kinds(lines).slice(-4)).toEqual(['acted', 'took-over', 'ended', 'ended']);
  expect(server().asked).toHaveLength(2);
});

test('a stop ends a run that a person has, and one that was ended cannot be taken again', async () => {
  const stop = new AbortController();
  const hand = openHand();
  hand.take();
  setTimeout(() => stop.abort(), 30);
  const { ended } = await runOn(truthful({ steps: STEPS }), {}, { hand, stop: stop.signal });
  expect(ended.how).toBe('stopped');
  expect(server().asked).toEqual([]);
  hand.end();
  hand.giveBack();
  hand.take();
  expect(hand.state()).toBe('person');
});
