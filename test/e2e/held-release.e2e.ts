import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startXvfb } from '../../native/linux/xvfb-for-tests.ts';
import { OPENBOX } from '../../studio/play/stage/openbox.ts';
import { until } from '../support/until.ts';
import { startX11Listener } from '../support/x11-listener.ts';

/** A window manager grabs the pointer at a press; one that has no time to answer holds the release back. */

it('what is typed while the window manager holds a release back comes once', async () => {
  const server = await startXvfb();
  onTestFinished(server.close);
  server.run('setxkbmap', '-layout', 'us', '-variant', '', '-option', '');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trajectory-studio-e2e-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const config = path.join(folder, 'openbox.xml');
  fs.writeFileSync(config, OPENBOX);
  const manager = spawn('openbox', ['--sm-disable', '--config-file', config], { env: server.env, stdio: 'ignore' });
  const gone = new Promise((done) => manager.once('exit', done));
  await until('the window manager', () =>
    server.run('xprop', '-root', '_NET_SUPPORTING_WM_CHECK').includes('window id'),
  );
  const terminal = spawn('xterm', ['-geometry', '80x20+0+0'], { env: server.env, stdio: 'ignore' });
  onTestFinished(() => void terminal.kill());
  await until('the terminal', () => server.run('xprop', '-root', '_NET_CLIENT_LIST').includes('0x'));
  const listener = await startX11Listener(server.env);
  const keys = Array.from({ length: 70 }, (_, n) => 24 + (n % 10)).flatMap((code) => [
    `keydown --delay 0 ${code}`,
    `keyup --delay 0 ${code}`,
  ]);
  try {
    for (const last of ['z', 'x']) {
      manager.kill('SIGSTOP');
      listener.freeze();
      try {
        server.run('xdotool', ...['mousemove 200 100 mousedown 1 mouseup 1', ...keys].flatMap((one) => one.split(' ')));
      } finally {
        manager.kill('SIGCONT');
        listener.thaw();
      }
      server.run('xdotool', 'key', last);
      let [got, buttons] = ['', 0];
      const all = async (): Promise<boolean> => {
        const more = await listener.heard();
        got += more.text;
        buttons += more.buttons;
        return got.endsWith(last);
      };
      await until('the last key', all, { seen: () => got });
      expect({ got, buttons }).toEqual({ got: `${'qwertyuiop'.repeat(7)}${last}`, buttons: 2 });
    }
  } finally {
    listener.close();
    manager.kill('SIGKILL');
    await gone;
  }
});
