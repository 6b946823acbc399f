import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** For runs of tests: each process that a test starts loads what others have compiled before. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.cache', 'compiled'),
};
