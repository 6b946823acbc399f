import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { startSessionClock } from '../../../native/clock/session-clock.ts';
import type { Platform } from '../../../native/platform/platform.ts';
import type { Machine, NativeModule } from './doctor.ts';

/** The machine this runs on; `shared`: the desktop app hands over pictures of its screen (Wayland). Adapters are loaded when asked for, so that one that cannot load fails its own check only. */
export function thisMachine(shared = false): Machine {
  return {
    shared,
    platform: process.platform,
    arch: process.arch,
    nodeVersion: process.version,
    env: process.env,
    tryModule,
    findFfmpeg: async () => (await import('../../../native/ffmpeg/find.ts')).findFfmpeg(),
    displays: () => withPlatform(shared, (platform) => platform.displays()),
    permissions: () => withPlatform(shared, (platform) => platform.permissions()),
    xExtensions: async (names) => (await import('../../../native/index.ts')).xExtensions(names),
    elements: async () => (await import('../../../native/index.ts')).elementReadiness(),
    freeBytes,
  };
}

/** The trial of each, as the body of a module. */
const TRY: Record<NativeModule, string> = {
  'better-sqlite3': "const { default: Sqlite } = await import('better-sqlite3'); new Sqlite(':memory:').close();",
  'uiohook-napi': "await import('uiohook-napi');",
  koffi: "(await import('koffi')).default.sizeof('int');",
  sharp:
    "const { default: sharp } = await import('sharp'); await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } }).raw().toBuffer();",
  '@miniben90/x-win': "await import('@miniben90/x-win');",
};

const LOADED = 'loaded';

/**
 * In a process of its own: a native module that does not fit may end the process or write to its stderr, and uiohook-napi
 * ends one that has no display with status 1 when it is over. So what was written counts, not the status.
 */
async function tryModule(name: NativeModule): Promise<void> {
  const code = `import { writeSync } from 'node:fs';
    try { ${TRY[name]} writeSync(1, '${LOADED}'); } catch (error) { writeSync(1, String(error.message)); }`;
  const { promise, resolve: done } = Promise.withResolvers<{ error: ExecFileException | null; stdout: string }>();
  const options = { cwd: import.meta.dirname, timeout: 20_000 };
  execFile(process.execPath, ['--input-type=module', '-e', code], options, (error, stdout) => done({ error, stdout }));
  const { error, stdout } = await promise;
  if (stdout === LOADED) return;
  throw new Error(stdout || `it ends the process (${error?.signal ?? `status ${error?.code}`})`);
}

type Asked = Pick<Platform, 'displays' | 'permissions' | 'close'>;

async function withPlatform<T>(shared: boolean, ask: (platform: Asked) => T | Promise<T>): Promise<T> {
  const { openPlatform } = await import('../../../native/index.ts');
  const platform = await openPlatform(startSessionClock(), { shared });
  try {
    return await ask(platform);
  } finally {
    platform.close();
  }
}

/** The free space of the folder's disk; a folder that is not there yet is measured at the nearest one above it. */
function freeBytes(folder: string): number {
  let place = resolve(folder);
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize;
}
