import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLI } from '../support/cli.ts';
import { readEvents } from '../support/recordings.ts';
import { until } from '../support/until.ts';
import { LEFT, personIn, RIGHT } from './person.ts';
import { openWaylandSession, type WaylandSession } from './session.ts';

/** `doctor --prove` in a Wayland session: the person makes the inputs, in a window that fills the screen. */

const KEYS = { a: 30, shift: 42, escape: 1 };
let session: WaylandSession;
beforeAll(async () => {
  session = await openWaylandSession();
});
afterAll(() => session?.close());

it('all that the person does in the window comes back, the clock is right, and the page says so', async () => {
  const person = personIn(session);
  const out = join(session.folder, 'proof.json');
  const words = ['doctor', '--prove', '--yes', '--out', out];
  const env = { TRAJECTORY_STUDIO_HOME: session.folder, TMPDIR: session.folder };
  const proving = await session.launch(process.execPath, [CLI, ...words], env);
  await until('the window', () => proving.stderr().includes('fills the screen'), { seen: proving.stderr });
  /** A hand rests before it presses: as long as the compositor needs to tell the recorder of the place. */
  const rests = (x: number, y: number): boolean => {
    const [folder = ''] = globSync('trajectory-proof-*/*', { cwd: session.folder });
    const moves = readEvents(join(session.folder, folder), 'torn-end-allowed').filter((e) => e.type === 'move');
    return moves.at(-1)?.x === x && moves.at(-1)?.y === y;
  };
  // What is done before the window is there, it is not told of; all that it is told of must come back.
  for (let round = 0; round < 20 && !proving.exit(); round++) {
    const [x, y] = [100 + 40 * round, 90 + 20 * round];
    // Again, and never long: a compositor may tell nobody of a place that was taken while the window came up, and the window
    // is there for 20 seconds only.
    for (let attempt = 0; attempt < 3 && !proving.exit() && !rests(x, y); attempt++) {
      await session.act({ kind: 'place', x: x + 6, y });
      await session.act({ kind: 'place', x, y });
      await until('the word of the place', () => rests(x, y), { timeoutMs: 500, everyMs: 10 }).catch(() => undefined);
    }
    await person.click(round % 5 === 4 ? RIGHT : LEFT);
    await person.press(KEYS.shift, KEYS.a);
    await session.act({ kind: 'wheel', steps: 1 });
  }
  await person.press(KEYS.escape);
  await until('its end', () => proving.exit(), { seen: proving.stderr });
  const proof = JSON.parse(readFileSync(out, 'utf8'));
  expect(proof.failure).toBeNull();
  const { actions, sync, capture, injection } = proof.result;
  expect(actions.wrong).toEqual([]);
  expect(actions.exact).toBe(actions.of);
  expect(actions.of).toBeGreaterThan(10);
  expect(sync, sync.message).toMatchObject({ verdict: 'ok', paints: 30 });
  expect(capture).toMatchObject({ grabber: 'pipewire', lossless: true });
  expect(injection).toBe('your own hands');
  expect(proof.complaints).toMatchObject([{ id: 'prove:text' }]);
  expect(proving.exit()?.status).toBe(0);
  expect(proving.stdout()).toContain('every pixel as it was shown');
});
