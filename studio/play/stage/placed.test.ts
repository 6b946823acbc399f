import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ownTempFolder } from '../../../test/support/own-temp.ts';
import { setStage } from './set-stage.ts';
import { stageWishes } from './wishes-for-tests.ts';

ownTempFolder();

/** A program whose window makes itself larger once it has been put in its place, as LibreOffice may do. */
const GROWS = `zenity --text-info --title Late </dev/null &
id=$(xdotool search --sync --onlyvisible --name '^Late$' | head -n 1)
while [ "$(xdotool getwindowgeometry --shell "$id" | grep -c -e '^WIDTH=420$' -e '^HEIGHT=260$')" != 2 ]; do sleep 0.02; done
xdotool windowsize "$id" 600 440
wait`;

test.runIf(process.platform === 'linux')('a window that goes elsewhere after it was placed is put back', async () => {
  const place = { x: 20, y: 10, width: 420, height: 260 };
  const stage = await setStage(
    stageWishes({ programs: [{ command: 'bash', args: ['-c', GROWS], window: 'Late', place }] }),
  );
  try {
    const env = stage.env;
    const ask = (...words: string[]): string => spawnSync('xdotool', words, { env, encoding: 'utf8' }).stdout;
    const [id = ''] = ask('search', '--onlyvisible', '--name', '^Late$').split('\n');
    const told = ask('getwindowgeometry', '--shell', id);
    expect(told).toContain('WIDTH=420');
    expect(told).toContain('HEIGHT=260');
  } finally {
    await stage.end();
  }
});
