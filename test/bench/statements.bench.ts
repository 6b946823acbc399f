/**
 * The cost of a gesture for the studio when each statement is prepared anew, as kysely's own driver does, and when
 * statements are kept by their SQL (studio/store/statements.ts): CPU of the process, both ways in turn on one workspace.
 *
 *     node test/bench/statements.bench.ts [--gestures 1000] [--rounds 5]
 */

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { Change } from '../../schemas/annotation.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { openDocuments } from '../../studio/documents/documents.ts';
import { reviewGate } from '../../studio/documents/review/gate.ts';
import { dialectOf } from '../../studio/store/driver.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../../studio/store/recording-for-tests.ts';
import { statementCache } from '../../studio/store/statements.ts';
import { Store } from '../../studio/store/store.ts';
import { openWorkspace } from '../../studio/store/workspace.ts';
import { machine, machineLine } from '../support/bench.ts';

const { values } = parseArgs({
  options: { gestures: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '5' } },
});
const GESTURES = Number(values.gestures);
const ROUNDS = Number(values.rounds);
const EVENTS: RawEvent[] = [
  { type: 'down', t: 1_000_000, x: 100, y: 200, button: 'left' },
  { type: 'up', t: 1_050_000, x: 100, y: 200, button: 'left' },
];

const folders = temporaryFolders();
const workspace = openWorkspace(folders.make(), { create: true });
const recording = sampleRecording();
writeSample(workspace.recordingsDir, recording, EVENTS);
await workspace.syncIndex();

/** CPU of so many gestures, microseconds each. `keeps`: whether statements are kept. */
async function cost(keeps: boolean): Promise<number> {
  const file = path.join(workspace.dir, 'studio.sqlite');
  const sqlite = new Sqlite(file);
  const statements = keeps ? statementCache(sqlite) : { prepare: (sql: string) => sqlite.prepare(sql), size: () => 0 };
  const store = new Store(
    new Kysely({ dialect: dialectOf(file, sqlite, { statements, refuseNewer: () => undefined }) }),
  );
  const documents = openDocuments({ ...workspace, store }, reviewGate());
  const { records } = await documents.get(recording.id);
  const first = records.find((record) => record.kind === 'goal');
  if (!first) throw new Error('the document has no goal');
  let goal: typeof first = first;
  const before = process.cpuUsage();
  for (let n = 0; n < GESTURES; n++) {
    const after: typeof first = { ...goal, text: `goal ${keeps} ${n}` };
    const changes: Change[] = [{ op: 'change', before: goal, after }];
    await documents.apply(recording.id, { id: randomUUID(), label: 'Set goal', changes }, 'ann');
    goal = after;
  }
  const { user, system } = process.cpuUsage(before);
  await documents.close();
  sqlite.close();
  return (user + system) / GESTURES;
}

const middle = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
const anew: number[] = [];
const kept: number[] = [];
await cost(true);
for (let round = 0; round < ROUNDS; round++) {
  anew.push(await cost(false));
  kept.push(await cost(true));
}
console.log(machineLine(await machine()));
console.log(`${GESTURES} gestures, the middle of ${ROUNDS} rounds, CPU of the studio for each:`);
console.log(`  statements prepared anew  ${middle(anew).toFixed(0)} µs`);
console.log(`  statements kept           ${middle(kept).toFixed(0)} µs`);
console.log(`  ratio                     ${(middle(kept) / middle(anew)).toFixed(2)}`);
workspace.close();
folders.clean();
