import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLI } from '../support/cli.ts';
import { sleep, until } from '../support/until.ts';
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
  const proving = await session.launch(process.execPath, [CLI, ...words], { TRAJECTORY_STUDIO_HOME: session.folder });
  await until('the window', () => proving.stderr().includes('fills the screen'), { seen: proving.stderr });
  // What is done before the window is there, it is not told of; all that it is told of must come back.
  for (let round = 0; round < 24 && !proving.exit(); round++) {
    await session.act({ kind: 'place', x: 100 + 40 * round, y: 90 + 20 * round });
    await sleep(150);
    await person.click(round % 5 === 4 ? RIGHT : LEFT);
    await person.press(KEYS.shift, KEYS.a);
    await session.act({ kind: 'wheel', steps: 1 });
    await sleep(150);
  }
  await person.press(KEYS.escape);
  await until('its end', () => proving.exit(), { seen: proving.stderr });
  const proof = JSON.parse(readFileSync(out, 'utf8'));
  expect(proof.failure).toBeNull();
  const { actions, sync, capture, injection } = proof.result;
  expect(actions.wrong).toEqual([]);
  expect(actions.exact).toBe(actions.of);
  expect(actions.of).toBeGreaterThan(30);
  expect(sync, sync.message).toMatchObject({ verdict: 'ok', paints: 30 });
  expect(capture).toMatchObject({ grabber: 'pipewire', lossless: true });
  expect(injection).toBe('your own hands');
  expect(proof.complaints).toMatchObject([{ id: 'prove:text' }]);
  expect(proving.exit()?.status).toBe(0);
  expect(proving.stdout()).toContain('every pixel as it was shown');
});

it('nothing is proved where the person does nothing, or says no', async () => {
  const run = async (home: string): Promise<string> => {
    const words = ['doctor', '--prove', '--yes', '--out', join(session.folder, 'page.txt')];
    const proving = await session.launch(process.execPath, [CLI, ...words], {
      TRAJECTORY_STUDIO_HOME: join(session.folder, home),
    });
    await until('its end', () => proving.exit(), { seen: proving.stderr });
    expect(proving.exit()?.status).not.toBe(0);
    return proving.stdout();
  };
  expect(await run('one')).toContain('none were made: not proved');
  session.answer('deny');
  expect(await run('another')).toMatch(/NOT PROVED.*answered with no/);
});
