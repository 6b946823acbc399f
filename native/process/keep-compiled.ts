import { flushCompileCache } from 'node:module';

/**
 * Keeps what this process or thread has compiled until now, for those of the same program that start later. Node does it when a
 * process ends by itself; one that is ended by whoever started it, or at once, keeps nothing, and its modules would be compiled
 * anew at every start. Does nothing where nothing is kept (studio/cli/compiled.ts), and next to nothing when all was kept before.
 */
export const keepCompiledCode = (): void => flushCompileCache();
