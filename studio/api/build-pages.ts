import { execFile } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StudioError } from '../../schemas/errors.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILDER = fileURLToPath(new URL('./build-main.ts', import.meta.url));
/** The built pages. */
export const BUILT_PAGES = join(ROOT, 'renderer', 'dist');
const WITHIN_MS = 300_000;

/**
 * Builds the pages when they are not built, or older than what they are built from. `say` is told before it begins, since
 * it takes some seconds. Gives their folder. Throws INTERNAL with the builder's words.
 */
export async function ensurePages(say: (text: string) => void): Promise<string> {
  const built = timeOf(join(BUILT_PAGES, 'index.html'));
  if (built > 0 && built >= newestSource()) return BUILT_PAGES;
  say(built === 0 ? 'Building the pages (once) …' : 'The pages changed; building them again …');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  execFile(process.execPath, [BUILDER], { cwd: ROOT, timeout: WITHIN_MS }, (error, _stdout, stderr) => {
    if (!error) return resolve();
    const said = stderr.trim().split('\n').slice(0, 12).join('\n');
    reject(new StudioError('INTERNAL', `The pages cannot be built: ${said || error.message}`, {}));
  });
  await promise;
  return BUILT_PAGES;
}

const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function newestSource(): number {
  const files = globSync('{renderer,core,schemas}/**/*.{ts,tsx,css,html,svg}', {
    cwd: ROOT,
    exclude: (name) => name === 'dist' || name === 'node_modules' || name.includes('.test.'),
  });
  return Math.max(...[...files, 'package-lock.json'].map((file) => timeOf(join(ROOT, file))));
}
