import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where this program keeps what belongs to the user and not to a workspace. Absolute. */
export type Home = {
  /** settings.json, workspaces.json, server.json. */
  config: string;
  /** The opened sample. */
  data: string;
};

const NAME = 'trajectory-studio';
/** Of the desktop app (scripts/desktop-build.mjs). */
const DESKTOP_NAME = 'Trajectory Studio';

/** By the rules of the operating system; TRAJECTORY_STUDIO_HOME takes both into one folder (tests, portable use). */
export function userHome(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): Home {
  const own = env.TRAJECTORY_STUDIO_HOME;
  if (own) return { config: own, data: own };
  const home = homedir();
  if (platform === 'win32') {
    const roaming = env.APPDATA || join(home, 'AppData', 'Roaming');
    return { config: join(roaming, NAME), data: join(env.LOCALAPPDATA || roaming, NAME) };
  }
  if (platform === 'darwin') {
    const dir = join(home, 'Library', 'Application Support', NAME);
    return { config: dir, data: dir };
  }
  return {
    config: join(env.XDG_CONFIG_HOME || join(home, '.config'), NAME),
    data: join(env.XDG_DATA_HOME || join(home, '.local', 'share'), NAME),
  };
}

/** Where this program's logs are (native/log). Absolute. */
export const logFolder = (env: NodeJS.ProcessEnv = process.env): string => join(userHome(env).data, 'logs');

/** Where the desktop app has its own (Electron's folder of logs). Absolute. */
export function desktopLogFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Logs', DESKTOP_NAME);
  const roaming = env.APPDATA || join(homedir(), 'AppData', 'Roaming');
  const config = platform === 'win32' ? roaming : env.XDG_CONFIG_HOME || join(homedir(), '.config');
  return join(config, DESKTOP_NAME, 'logs');
}

/** What this program has made for speed, and makes again where it is gone. Absolute. */
export function cacheFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { data } = userHome(env, platform);
  if (env.TRAJECTORY_STUDIO_HOME || platform === 'win32') return join(data, 'cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', NAME);
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), NAME);
}
