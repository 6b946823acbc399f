import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { electronProgram } from './desktop-start.mjs';

/** `npm run test:electron`: the desktop app's end-to-end tests over Electron itself, where its program is installed. */
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
if (electronProgram() === null) {
  process.stdout.write(
    'SKIPPED: Electron’s program is not installed here (`npx install-electron` fetches it), so nothing was tested in Electron.\n' +
      'The same tests run over a double of its functions in `npm run test:all`.\n',
  );
} else {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const words = [vitest, 'run', '--project', 'e2e', 'test/desktop/desktop.e2e.ts', ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, words, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, STUDIO_DESKTOP: 'electron' },
  });
  process.exitCode = status ?? 1;
}
