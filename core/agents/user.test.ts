import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SimulatedUser, UserQuestion } from '../../schemas/agents.ts';
import { agentHeadForTests } from '../../schemas/agents-for-tests.ts';
import type { ModelReply } from '../../schemas/model-requests.ts';
import { beginAgent } from './agent.ts';
import { askedNow, playedAnswer, questionIn, userAnswer, userRequest } from './user.ts';

const knows: SimulatedUser['knows'] = [
  { words: ['time', 'meeting time', 'when'], value: '9:00', isTold: false },
  { words: ['room'], value: 'Lab 305', isTold: true },
  { words: ['contact name'], value: 'John Doe', isTold: false },
];
const user = (more: Partial<SimulatedUser> = {}): SimulatedUser => ({
  kind: 'slots',
  most: 3,
  seed: 7,
  knows,
  ...more,
});
const ask = (question: string, before: readonly UserQuestion[] = [], who = user()) => userAnswer(who, before, question);
const reply = (text: string): ModelReply => ({ text, calls: [], raw: text, usage: null });

describe('a user whom a model plays', () => {
  const endpoint = { endpoint: 'http://127.0.0.1/v1', protocol: 'openai' as const, model: 'm' };
  const played = user({ kind: 'model', played: { ...endpoint, exact: 'Meet at 9:00 in Lab 305.' } });
  const says = (question: string, text: string, before: readonly UserQuestion[] = []) =>
    playedAnswer(played, before, { question, reply: reply(text) });

  test('it is told the exact instruction, what was said before and the question, and shown nothing', () => {
    const first = says('When?', 'At 9:00.');
    const request = userRequest(played, [first], 'Where?');
    const text = JSON.stringify(request);
    for (const part of ['Meet at 9:00 in Lab 305.', 'You answered: At 9:00.', 'The agent asks: Where?'])
      expect(text).toContain(part);
    expect(text).not.toContain('picture');
    expect(request.system).toMatch(/Answer ONLY what was asked[\s\S]*Do not volunteer extra information/);
  });

  test('a question is valid when the answer tells a value that nobody told; else it is as its words are', () => {
    const first = says('When is the meeting?', 'Be there at 9:00,\nplease.');
    expect(first).toEqual({
      question: 'When is the meeting?',
      answer: 'Be there at 9:00, please.',
      kind: 'valid',
      values: ['9:00'],
    });
    expect(says('What time?', 'I said 9:00.', [first])).toMatchObject({ kind: 'redundant', values: [] });
    expect(says('Which room?', 'Lab 305')).toMatchObject({ kind: 'redundant' });
    expect(says('Is it cold?', 'Go on.')).toMatchObject({ kind: 'irrelevant' });
    expect(says('When is it?', '')).toMatchObject({ answer: 'Please go on with what you know.', kind: 'irrelevant' });
    expect(says('When is it?', 'x'.repeat(2000)).answer).toHaveLength(600);
  });

  test('after so many questions none is asked any more', () => {
    const asks = reply('ASK: When?');
    const one = says('When?', '9:00');
    expect([askedNow(played, [one, one], asks), askedNow(played, [one, one, one], asks)]).toEqual(['When?', null]);
  });
});

describe('what the user says', () => {
  test('a value that was left out is told to who asks for it, and that value alone', () => {
    expect(ask('When is the meeting?')).toMatchObject({ kind: 'valid', values: ['9:00'] });
    expect(ask('What is the name of the contact, and at what time?')).toMatchObject({ values: ['9:00', 'John Doe'] });
    expect(ask('What is your name?')).toMatchObject({ kind: 'irrelevant', values: [] });
  });

  test('what the instruction or an answer told is redundant', () => {
    expect(ask('In which room?').kind).toBe('redundant');
    const first = ask('What time?');
    expect(ask('What time, again?', [first]).kind).toBe('redundant');
  });

  const word = fc.stringMatching(/^[a-z]{3,8}$/);
  const fact = fc.record({
    words: fc.array(word, { minLength: 1, maxLength: 3 }),
    value: fc.integer({ min: 1000, max: 9999 }).map(String),
    isTold: fc.boolean(),
  });
  const asked = fc.record({
    knows: fc.uniqueArray(fact, { selector: ({ value }) => value, maxLength: 6 }),
    seed: fc.nat(1000),
    questions: fc.array(
      fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
      { maxLength: 6 },
    ),
  });
  const talk = (who: SimulatedUser, questions: readonly string[]): UserQuestion[] => {
    const said: UserQuestion[] = [];
    for (const question of questions) said.push(userAnswer(who, said, question));
    return said;
  };

  test('every value that is left out is told when it is asked for by any of its names', () => {
    fc.assert(
      fc.property(asked, ({ knows: facts, seed }) => {
        for (const { words, value, isTold } of facts)
          for (const name of words) {
            const said = ask(`And the ${name}?`, [], user({ knows: facts, seed }));
            if (isTold) expect(said.values).not.toContain(value);
            else expect(said.values).toContain(value);
          }
      }),
    );
  });

  test('nothing is told that was not asked for, nothing twice, and the same talk is the same by its seed', () => {
    fc.assert(
      fc.property(asked, ({ knows: facts, seed, questions }) => {
        const who = user({ knows: facts, seed });
        const said = talk(who, questions);
        expect(talk(who, questions)).toEqual(said);
        const told = said.flatMap(({ values }) => values);
        expect(new Set(told).size).toBe(told.length);
        for (const { answer, values, question } of said)
          for (const { value, words } of facts) {
            expect(answer.includes(value)).toBe(values.includes(value));
            const heard = words.some((name) =>
              question.split(' ').some((one) => one.startsWith(name.replace(/s$/, ''))),
            );
            if (values.includes(value)) expect(heard).toBe(true);
          }
      }),
    );
  });
});

test('a question is a line of its own or the paper’s tag, and none beside acts', () => {
  expect(questionIn(reply('I lack it.\nASK: What time?'))).toBe('What time?');
  expect(questionIn(reply('<ask>What time?</ask>'))).toBe('What time?');
  expect(questionIn(reply('I will ask: nothing'))).toBeNull();
  expect(questionIn(reply('ASK: What time?\n```python\nimport pyautogui\npyautogui.click(1, 2)\n```'))).toBeNull();
});

test('the same request goes out again with what was said; beyond the limit a question is nothing that can be done', () => {
  const head = { ...agentHeadForTests({ goal: 'Do not let me miss it' }), user: user({ most: 1 }) };
  const agent = beginAgent(head);
  const seen = { picture: { sha256: 'a'.repeat(64), width: 10, height: 10 }, titles: [] };
  agent.next({ came: 'screen', seen: { ...seen } });
  const again = agent.next({ came: 'answer', reply: reply('ASK: What time?') });
  expect(again).toMatchObject({ command: { do: 'ask' }, note: null, question: { kind: 'valid', values: ['9:00'] } });
  const { command } = again;
  if (command.do !== 'ask') throw new Error(command.do);
  expect(command.request.system).toMatch(/You asked: What time\?\nThe user said: .*9:00/);
  expect(command.request.system).toMatch(/ask nothing more/);
  expect(JSON.stringify(command.request)).not.toContain('John Doe');
  const over = agent.next({ came: 'answer', reply: reply('ASK: What is the contact name?') });
  expect(over).toMatchObject({ command: { do: 'look' }, note: { kind: 'unclear' } });
  expect(over.question).toBeUndefined();
});

test('who may ask nobody is told of no user', () => {
  const agent = beginAgent(agentHeadForTests({}));
  const seen = { picture: { sha256: 'a'.repeat(64), width: 10, height: 10 }, titles: [] };
  const { command } = agent.next({ came: 'screen', seen });
  expect(command.do === 'ask' && command.request.system).not.toMatch(/ASK/);
});
