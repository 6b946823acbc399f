import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from '../session/home.ts';

/** How Node hands it on to processes and threads. */
const VARIABLE = 'NODE_COMPILE_CACHE';

/** The folder of compiled code; null before `keepCompiled`, and where Node's own variable named another folder. */
let ours: string | null = null;

/**
 * From now on whatever is loaded, here, in processes that are started and in threads, is compiled once and not at every start.
 * Kept in the person's own folder: Node's choice lies among the temporary files, where somebody else could have put theirs
 * first, and what is compiled is run. Without a folder that can be written nothing is kept.
 */
export function keepCompiled(): void {
  if (process.env[VARIABLE] !== undefined) return;
  const folder = join(cacheFolder(), 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return;
  }
  if (!enableCompileCache(folder).directory) return;
  ours = folder;
  process.env[VARIABLE] = folder;
}

/** The environment for somebody else's program. */
export function environmentOfOthers(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [VARIABLE]: folder, ...rest } = env;
  return folder === ours ? rest : env;
}
