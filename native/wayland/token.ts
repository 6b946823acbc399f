import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * The portal's restore token, kept for this person alone: it lets whoever runs as this user see the screen that was allowed,
 * without a question. Removed when the desktop no longer takes it, or the other screen is wanted.
 */
export function tokenFile(env: NodeJS.ProcessEnv = process.env): string {
  // The same folder as the studio's settings (studio/session/home.ts), which nothing here may import.
  if (env.TRAJECTORY_STUDIO_HOME) return join(env.TRAJECTORY_STUDIO_HOME, 'screen-cast.json');
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'trajectory-studio', 'screen-cast.json');
}

const LONGEST = 4096;

/** Null where none is kept, or what is there is none. */
export function readToken(file: string): string | null {
  try {
    const { token } = JSON.parse(readFileSync(file, 'utf8')) as { token?: unknown }; // checked below
    return typeof token === 'string' && token !== '' && token.length <= LONGEST ? token : null;
  } catch {
    return null;
  }
}

/** Null: forget it. One that cannot be kept is no reason to end a recording: the person is asked again next time. */
export function keepToken(file: string, token: string | null): void {
  try {
    if (token === null) {
      rmSync(file, { force: true });
      return;
    }
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, `${JSON.stringify({ token })}\n`, { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    // Said above.
  }
}
