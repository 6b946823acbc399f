import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLI } from '../support/cli.ts';
import { until } from '../support/until.ts';
import { openWaylandSession, type WaylandSession } from './session.ts';

/** `doctor --prove` where nothing can be proved: no time is measured, so that other tests may run beside it. */

let session: WaylandSession;
beforeAll(async () => {
  session = await openWaylandSession();
});
afterAll(() => session?.close());

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
