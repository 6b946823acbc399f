import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { insideOf } from './own-network.ts';

test.runIf(process.platform !== 'win32')(
  'bubblewrap is heard to its last word: nobody ends it in the middle',
  async () => {
    const pieces = [
      String.raw`{\n    "child-pid": 4711`,
      String.raw`,\n    "net-namespace": 4026532281`,
      String.raw`\n}\n`,
    ];
    const script = pieces.map((piece) => `printf '${piece}'`).join(' && sleep 0.2 && ');
    const said = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(said, 'exit');
    expect(await insideOf(said.stdout)).toBe(4711);
    expect(await ended).toEqual([0, null]);
  },
);

test('one that ends without a word is an error', async () => {
  const said = spawn(process.execPath, ['-e', ''], { stdio: ['ignore', 'pipe', 'ignore'] });
  await expect(insideOf(said.stdout)).rejects.toMatchObject({ code: 'CAPTURE_FAILED' });
});
