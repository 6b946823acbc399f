import { join } from 'node:path';
import type { StudioProgram } from './studio-process.ts';

type Installation = {
  isPackaged: boolean;
  /** Electron's folder of resources. */
  resources: string;
  /** The project's folder, when it is run from its sources. */
  root: string;
  /** Electron's program. */
  electron: string;
  env: NodeJS.ProcessEnv;
};

/**
 * The studio process. Packaged: Electron in Node mode over resources/studio, whose files are plain JavaScript outside the
 * archive, since its own children (capture, keyframes) are started from files too. From the sources: the Node that started
 * the app (TRAJECTORY_STUDIO_NODE, set by `npm start`), since Electron's own may not read TypeScript.
 */
export function studioProgram({ isPackaged, resources, root, electron, env }: Installation): StudioProgram {
  const { ELECTRON_RUN_AS_NODE: _mode, NODE_OPTIONS: _options, TRAJECTORY_STUDIO_NODE: node, ...rest } = env;
  if (isPackaged) {
    const main = join(resources, 'studio', 'studio', 'cli', 'main.js');
    return { command: electron, args: [main], flags: ['--no-build'], env: { ...rest, ELECTRON_RUN_AS_NODE: '1' } };
  }
  const main = join(root, 'studio', 'cli', 'main.ts');
  if (node) return { command: node, args: [main], flags: [], env: rest };
  return { command: electron, args: [main], flags: [], env: { ...rest, ELECTRON_RUN_AS_NODE: '1' } };
}
