import { existsSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { startHost } from './host/host.ts';
import { studioProgram } from './host/program.ts';
import { real } from './host/real.ts';

/** Electron's entry: it only wires. Built into one file beside the preload script (scripts/desktop-build.mjs). */
const own = import.meta.dirname;
const packaged = join(process.resourcesPath, 'icons');
const { env, platform } = process;

startHost(real, {
  program: studioProgram({
    isPackaged: real.app.isPackaged,
    resources: process.resourcesPath,
    root: join(own, '..', '..', '..'),
    electron: process.execPath,
    env,
  }),
  preload: join(own, 'preload.cjs'),
  icons: existsSync(packaged) ? packaged : join(own, '..', '..', '..', 'assets', 'icons'),
  platform,
  release: release(),
  // `electron FOLDER WORDS` in development.
  argv: process.argv.slice(real.app.isPackaged ? 1 : 2),
  cwd: process.cwd(),
  wayland: platform === 'linux' && (env.XDG_SESSION_TYPE === 'wayland' || Boolean(env.WAYLAND_DISPLAY)),
});
