import { afterAll, expect, test, vi } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { type CutWire, cutWire } from '../../session/push/proxy-for-tests.ts';
import type { AskedBy, Work } from '../../store/jobs/queue.ts';
import { listPeople } from '../../store/people.ts';
import { DATABASE_VARIABLE } from '../../store/place.ts';
import { goOnWithJobs } from './go-on.ts';
import { type TestTeam, testTeam } from './team-for-tests.ts';

/** A server's own jobs while its database does not answer for longer than it is waited for. */

let postgres: TestPostgres;
let wire: CutWire;
let team: TestTeam;
testTeam(
  (made) => {
    team = made;
  },
  undefined,
  async () => {
    postgres = await startPostgres();
    wire = await cutWire();
    const address = new URL(await postgres.make());
    wire.to(Number(address.port));
    address.port = String(wire.port);
    vi.stubEnv(DATABASE_VARIABLE, address.href);
  },
);
afterAll(async () => {
  vi.unstubAllEnvs();
  await wire?.close();
  postgres?.stop();
});

const stateOf = async (id: string) => (await team.open.jobs.get(id)).job.state;

/** A job begun by that call, in which the connection is cut before it asks the database for anything, here or in a thread. */
async function cutInside(call: AskedBy, ask: () => Promise<unknown>): Promise<string> {
  const work: Work = async () => {
    wire.refuse(true);
    await ask();
    return null;
  };
  const job = await team.open.jobs.add('freeze', 'x', work, call);
  const { error } = await team.open.jobs.finished(job.id);
  expect([error?.code, error?.message]).toEqual(['WORKSPACE_BUSY', expect.stringContaining('does not answer')]);
  return job.id;
}

test('such a job is begun again once the database answers, once, and a job that costs money is not', async () => {
  await addRecording(team.open.workspace, { id: '20260504-102030-awayaaaa', task: 'GIMP_1' });
  await team.open.refresh({ now: true });
  const manager = await team.member('manager', 'Mia');
  const person = manager.id;
  const input = { recording: '20260504-102030-awayaaaa' };
  const paid = await cutInside({ name: 'candidates.ask', input, person }, () => listPeople(team.store));
  wire.refuse(false);
  await expect.poll(() => stateOf(paid).catch(() => null), { timeout: 60_000 }).toBe('failed');
  const freeze = { wishes: { name: 'v1', changelog: '', filter: {} }, toolVersion: '1' };
  const id = await cutInside({ name: 'dataset.freeze', input: { name: 'v1', again: true }, person }, () =>
    team.open.background.run('freeze', freeze, { alone: true }),
  );
  const servers = [1, 2].map(() =>
    goOnWithJobs({ open: team.open, workOf: (member, job) => team.workOf(member, job), lookMs: 15, goneMs: 1 }),
  );
  wire.refuse(false);
  // How it ended is written down once that can be.
  const nextOf = async () => (await team.open.jobs.get(id)).next;
  await expect.poll(() => nextOf().catch(() => null), { timeout: 60_000 }).not.toBeNull();
  const next = (await nextOf())!;
  await expect.poll(() => stateOf(next), { timeout: 60_000 }).toBe('done');
  for (const server of servers) server.close();
  const jobs = (await team.open.jobs.list()).filter(({ kind }) => kind === 'freeze' || kind === 'sample');
  expect(jobs.map((job) => [job.id, job.state, job.person])).toEqual([
    [next, 'done', person],
    [id, 'failed', person],
    [paid, 'failed', person],
  ]);
});
