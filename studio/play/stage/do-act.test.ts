import { expect, test } from 'vitest';
import type { Act } from '../../../core/evaluate/keys/acts.ts';
import type { Hands } from '../../../native/platform/hands.ts';
import type { StageKeyboard } from '../../../native/platform/stage-display.ts';
import { usLayout } from '../../../schemas/us-layout.ts';
import { doerOf, NO_PAUSES } from './do-act.ts';

/** How hands move the pointer for acts: by places between, where a button is held. */

type Done = ['move', number, number] | [button: string, isDown: boolean];

async function doneFor(acts: readonly Act[], pauses?: typeof NO_PAUSES): Promise<Done[]> {
  const done: Done[] = [];
  let at = { x: 0, y: 0 };
  const hands: Partial<Hands> = {
    move(x, y) {
      at = { x, y };
      done.push(['move', x, y]);
    },
    button: (button, isDown) => void done.push([button, isDown]),
    pointer: () => at,
    releaseAll: () => undefined,
  };
  const keyboard: Partial<StageKeyboard> = { layout: usLayout, spare: [] };
  // Keys are not pressed here.
  const doer = doerOf(hands as Hands, keyboard as StageKeyboard, pauses);
  for (const act of acts) await doer.act(act);
  return done;
}

const moves = (done: readonly Done[]) => done.filter((one) => one[0] === 'move');

test.each<[string, readonly Act[]]>([
  [
    'pressed at one place and let go at another',
    [
      { do: 'button', at: [100, 50], button: 'left', down: true },
      { do: 'button', at: [220, 170], button: 'left', down: false },
    ],
  ],
  ['a drag by its ends', [{ do: 'drag', from: [100, 50], to: [220, 170], button: 'left' }]],
  [
    'a drag by a path of its ends',
    [{ do: 'drag', from: [100, 50], to: [220, 170], button: 'left', path: [[100, 50]] }],
  ],
  [
    'moved with a button held',
    [
      { do: 'button', at: [100, 50], button: 'left', down: true },
      { do: 'move', at: [220, 170] },
      { do: 'button', at: null, button: 'left', down: false },
    ],
  ],
])('%s: the pointer goes by places between', async (_, acts) => {
  const done = await doneFor(acts);
  expect(done[0]).toEqual(['move', 100, 50]);
  expect(done[1]).toEqual(['left', true]);
  expect(done.at(-1)).toEqual(['left', false]);
  expect(done.at(-2)).toEqual(['move', 220, 170]);
  const way = moves(done).slice(1);
  expect(way.length).toBeGreaterThan(10);
  for (const [at, one] of way.entries()) {
    const [, x, y] = one as ['move', number, number];
    // On the straight line, and forward alone.
    expect(Math.abs(x - 100 - (y - 50))).toBeLessThanOrEqual(1);
    if (at > 0) expect(x).toBeGreaterThanOrEqual((way[at - 1] as ['move', number, number])[1]);
  }
});

test('without a button the pointer is there at once, and a small way has no places between', async () => {
  const free = await doneFor([
    { do: 'move', at: [100, 50] },
    { do: 'move', at: [900, 700] },
    { do: 'click', at: [5, 5], button: 'left', count: 1 },
  ]);
  expect(moves(free)).toHaveLength(3);
  const small = await doneFor([{ do: 'drag', from: [100, 50], to: [103, 52], button: 'left' }]);
  expect(moves(small)).toHaveLength(2);
});

test('a person’s own ways are left as they are', async () => {
  const acts: readonly Act[] = [
    { do: 'button', at: [100, 50], button: 'left', down: true },
    { do: 'move', at: [900, 700] },
    { do: 'button', at: [900, 700], button: 'left', down: false },
  ];
  expect(moves(await doneFor(acts, NO_PAUSES))).toHaveLength(3);
});

test('what was let go at the end of a script is held no more', async () => {
  const done: Done[] = [];
  let at = { x: 0, y: 0 };
  const hands: Partial<Hands> = {
    move(x, y) {
      at = { x, y };
      done.push(['move', x, y]);
    },
    button: () => undefined,
    pointer: () => at,
    releaseAll: () => undefined,
  };
  const doer = doerOf(hands as Hands, { layout: usLayout, spare: [] } as unknown as StageKeyboard);
  await doer.act({ do: 'button', at: [1, 1], button: 'left', down: true });
  doer.release();
  await doer.act({ do: 'move', at: [500, 500] });
  expect(done).toEqual([
    ['move', 1, 1],
    ['move', 500, 500],
  ]);
});
