import type { ActorCalls } from './actor-for-tests.ts';
import { openCaller } from './calls.ts';
import { startProcess } from './start-process.ts';
import { startThread } from './start-thread.ts';

/** Starts a process or a thread, asks it something, ends it, and says how it ended. */
const entry = new URL('./actor-for-tests.ts', import.meta.url);
const actor = openCaller<ActorCalls>((wishes) =>
  process.argv[2] === 'thread'
    ? startThread(entry, { ...wishes, data: 'well', isQuiet: true })
    : startProcess(entry, { ...wishes, args: ['well'] }),
);
await actor.call('echo', 1);
const { why } = await actor.kill();
process.stdout.write(why);
