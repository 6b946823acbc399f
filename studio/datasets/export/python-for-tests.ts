import { spawnSync } from 'node:child_process';
import path from 'node:path';

const { TRAINERS } = process.env;

/** The Python that foreign readers run in: that of `node scripts/trainers.mjs FOLDER` when TRAINERS names FOLDER, else the system's. */
export const PYTHON =
  TRAINERS !== undefined
    ? path.join(path.resolve(TRAINERS), 'python/bin/python')
    : process.platform === 'win32'
      ? 'python'
      : 'python3';

/** True when it has these modules. */
export const pythonHas = (...modules: string[]): boolean =>
  spawnSync(PYTHON, ['-c', `import ${modules.join(', ')}`], { stdio: 'ignore' }).status === 0;
