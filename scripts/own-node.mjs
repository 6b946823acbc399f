import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Which Node runs a script. `npm run` finds the one of the package `node` first; a script that an editor or a person starts
 * with the system's own runs itself again with it where that one is too old. Uses nothing that Node 20.9 lacks.
 */

/** Reading TypeScript without a flag. */
const LEAST_NODE = [22, 18];
export const LEAST_NODE_TEXT = LEAST_NODE.join('.');

/** Whether a version (`process.versions.node`) is new enough for the studio. */
export function isNewEnough(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  return major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
}

/** Ends this process where its Node is too old, with what the package's Node made of the same command line. */
export function needNewNode() {
  if (isNewEnough()) return;
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const program = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(program)) {
    process.stderr.write(
      `This is Node.js ${process.versions.node}; ${LEAST_NODE_TEXT} or later is needed. \`npm install\` brings one into this folder.\n`,
    );
    process.exit(3);
  }
  // The programs that the script starts find it first, as they do under `npm run`.
  const path = `${join(root, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`;
  const { status } = spawnSync(program, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  });
  process.exit(status ?? 1);
}
