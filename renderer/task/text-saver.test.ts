import { expect, test } from 'vitest';
import { makeTextSaver, type SaveState } from './text-saver.ts';

/** A field and a studio that answers when it is told to. */
function field(first: string) {
  const states: SaveState[] = [];
  const sent: string[] = [];
  const answers: { done: () => void; failed: (error: Error) => void }[] = [];
  const now = { written: first };
  const saver = makeTextSaver({
    stored: first,
    written: () => now.written,
    send: (text) => {
      sent.push(text);
      return new Promise<void>((done, failed) => answers.push({ done, failed }));
    },
    onState: (state) => states.push(state),
  });
  const settle = () => new Promise((next) => setTimeout(next));
  return {
    states,
    sent,
    saver,
    write(text: string) {
      now.written = text;
      saver.save();
    },
    async answer(error?: Error) {
      const one = answers.shift();
      if (error) one?.failed(error);
      else one?.done();
      await settle();
    },
  };
}

test('a text that is stored already is not sent', () => {
  const { saver, sent, states } = field('a');
  saver.save();
  expect([sent, states]).toEqual([[], []]);
});

test('what is taken back while a save is on its way is taken back in the studio too', async () => {
  const { write, sent, states, answer, saver } = field('as it was');
  write('as it was, and more');
  write('as it was');
  expect(sent).toEqual(['as it was, and more']);
  await answer();
  expect(sent).toEqual(['as it was, and more', 'as it was']);
  expect(states).toEqual(['saving']);
  await answer();
  expect(sent).toHaveLength(2);
  expect(states).toEqual(['saving', 'saved']);
  expect(saver.isClean()).toBe(true);
});

test('of what is written during a save only the last is sent after it', async () => {
  const { write, sent, answer } = field('');
  for (const text of ['a', 'ab', 'abc']) write(text);
  await answer();
  await answer();
  expect(sent).toEqual(['a', 'abc']);
});

test('a save that fails says why and is made again when it is asked for', async () => {
  const { write, saver, sent, states, answer } = field('a');
  const error = new Error('the disk is full');
  write('b');
  await answer(error);
  expect(states).toEqual(['saving', { error }]);
  expect(saver.isClean()).toBe(false);
  saver.save();
  await answer();
  expect(sent).toEqual(['b', 'b']);
  expect(states.at(-1)).toBe('saved');
});

test('what somebody else stored is what a text is compared with', () => {
  const { write, saver, sent } = field('a');
  saver.take('b');
  write('b');
  expect(sent).toEqual([]);
  write('a');
  expect(sent).toEqual(['a']);
});
