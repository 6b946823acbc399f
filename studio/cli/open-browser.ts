import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Home } from '../session/home.ts';

const FOLDER = 'open-';
/** The browser has read the file by then, however slowly it starts. ms. */
const READ_MS = 60_000;

/**
 * Opens a page in the user's browser, where there is a desktop. The address signs in, and the arguments of a program can be
 * read by every user of the machine, so the browser is given a file that only this user can read, which leads on. A browser
 * that does not start is no failure: the address is printed. Gives the way to remove the file before its time.
 */
export function openBrowser(home: Home, url: string, platform: NodeJS.Platform = process.platform, env = process.env) {
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return () => undefined;
  const { file, remove } = leadingFile(home, url);
  const timer = setTimeout(remove, READ_MS);
  timer.unref();
  const address = pathToFileURL(file).href;
  const [command, args] =
    platform === 'win32'
      ? (['rundll32', ['url.dll,FileProtocolHandler', address]] as const)
      : ([platform === 'darwin' ? 'open' : 'xdg-open', [platform === 'darwin' ? file : address]] as const);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
  return () => {
    clearTimeout(timer);
    remove();
  };
}

/** A page that goes on to `url`, in a folder of this user's alone. */
export function leadingFile(home: Home, url: string): { file: string; remove: () => void } {
  mkdirSync(home.config, { recursive: true, mode: 0o700 });
  removeOld(home);
  const folder = mkdtempSync(join(home.config, FOLDER));
  const file = join(folder, 'studio.html');
  const to = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Trajectory Studio</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${to}"></head><body><p>Trajectory Studio opens. If it does not: <a href="${to}">open it</a>.</p></body></html>\n`;
  writeFileSync(file, html, { mode: 0o600, flag: 'wx' });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The files of starts that ended before their browser had read them. */
function removeOld({ config }: Home): void {
  for (const name of readdirSync(config).filter((one) => one.startsWith(FOLDER))) {
    const folder = join(config, name);
    const age = Math.abs(Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0));
    if (age > READ_MS) rmSync(folder, { recursive: true, force: true });
  }
}
