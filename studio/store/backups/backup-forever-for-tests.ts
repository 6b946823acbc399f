import { makeBackup } from './make.ts';

/** Backs the workspace up into the place, again and again, each time reading all of it, and says `begun` before each. */
const [dir = '', place = ''] = process.argv.slice(2);
for (;;) {
  process.stdout.write('begun\n');
  const signal = new AbortController().signal;
  await makeBackup(dir, place, { tool: '1', readAll: true, now: new Date(), signal, report: () => undefined });
}
