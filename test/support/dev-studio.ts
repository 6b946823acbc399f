import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { start } from './process.ts';
import { until } from './until.ts';

/** `npm run dev` over a copy of the sources, which a test may change. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  'assets',
  'core',
  'native',
  'package.json',
  'renderer',
  'schemas',
  'scripts',
  'studio',
  'tsconfig.json',
];

export type DevStudio = {
  /** The address that signs a browser in. */
  login(): Promise<string>;
  /** Changes a file of the copy, as an editor that saves. Throws where the text is not there. */
  change(file: string, from: string, to: string): void;
  stop(): Promise<void>;
};

export async function startDev(): Promise<DevStudio> {
  const folder = mkdtempSync(join(tmpdir(), 'dev-studio-'));
  const filter = (path: string): boolean => !/^dist(-.*)?$/.test(basename(path));
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const port = await freePort();
  const started = await start(process.execPath, [join(folder, 'scripts', 'dev.ts'), '--port', String(port)], {
    cwd: folder,
    env: { ...process.env, TRAJECTORY_STUDIO_HOME: join(folder, 'home') },
  });
  const stop = async (): Promise<void> => {
    await started.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const address = await until('the address that dev prints', () => {
      if (started.exit()) throw new Error(`dev ended: ${started.stderr()}`);
      return started.stdout().split('\n')[0]?.trim() || null;
    });
    return {
      login: async () => address,
      change(file, from, to) {
        const path = join(folder, file);
        const before = readFileSync(path, 'utf8');
        if (!before.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`);
        writeFileSync(path, before.replace(from, to));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
