import type { ActorCalls } from './actor-for-tests.ts';
import { openCaller } from './calls.ts';
import { startProcess } from './start-process.ts';

/** Starts a process that starts another program, says who they are, and waits for its own end. */
const actor = openCaller<ActorCalls>((wishes) =>
  startProcess(new URL('./actor-for-tests.ts', import.meta.url), wishes),
);
const pids = [await actor.call('self', null), await actor.call('begin', null)];
process.stdout.write(`${JSON.stringify(pids)}\n`);
setInterval(() => undefined, 1000);
