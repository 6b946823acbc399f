import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Job } from '../../../schemas/api/models.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { describeHolder } from '../../files/process-id.ts';
import { callMarks } from '../../store/jobs/call-marks.ts';
import { insertJob, setNext } from '../../store/jobs.ts';
import { takeOut } from '../members/members.ts';
import { ACCOUNT } from '../members/principal.ts';
import { goOnWithJobs } from './go-on.ts';
import { type TestTeam, testTeam } from './team-for-tests.ts';

/** Jobs that a killed server left, as a server that is left finds them. */

let team: TestTeam;
testTeam((made) => {
  team = made;
});

const ended = (): number => spawnSync(process.execPath, ['-e', '']).pid;

/** A job that was at work in a process which has ended. */
async function leave(name: string, input: Record<string, unknown>, person: string | null): Promise<string> {
  const id = randomUUID();
  const createdAt = new Date().toISOString();
  const job: Job = {
    id,
    kind: 'freeze',
    subject: 'x',
    state: 'running',
    progress: 0.5,
    message: null,
    error: null,
    createdAt,
    person,
  };
  const mark = callMarks(join(team.folder, 'home')).of({ id, name, input });
  await insertJob(team.store, job, JSON.stringify(describeHolder(randomUUID(), ended())), { name, input, mark });
  return id;
}

let cookieOfViewer: string | null = null;
const versions = async (): Promise<string[]> => {
  cookieOfViewer ??= (await team.member('viewer', 'Versions')).cookie;
  const cookie = cookieOfViewer;
  const { json } = await team.call(cookie, 'dataset.versions', { ws: team.ws });
  return (json as { versions: { name: string }[] }).versions.map(({ name }) => name).sort();
};
const nextOf = async (id: string): Promise<string | null> => (await team.open.jobs.get(id)).next;
const freeze = (name: string) => ({ name, again: true });

test('each is begun again once, by one of several servers, as whom it was begun by', async () => {
  await addRecording(team.open.workspace, { id: '20260504-102030-goonaaaa', task: 'GIMP_1' });
  await team.open.refresh({ now: true });
  const manager = await team.member('manager', 'Mia');
  const id = await leave('dataset.freeze', freeze('v1'), manager.id);
  // Two servers look at the same time, again and again.
  const servers = [1, 2].map(() =>
    goOnWithJobs({ open: team.open, workOf: (member, job) => team.workOf(member, job), lookMs: 15 }),
  );
  await expect.poll(() => nextOf(id), { timeout: 60_000 }).not.toBeNull();
  const next = (await nextOf(id))!;
  await expect.poll(async () => (await team.open.jobs.get(next)).job.state, { timeout: 60_000 }).toBe('done');
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const server of servers) server.close();
  expect(await versions()).toEqual(['v1']);
  expect((await team.open.jobs.get(next)).job.person).toBe(manager.id);
  expect((await team.open.jobs.list()).filter(({ kind, state }) => kind === 'freeze' && state === 'done')).toHaveLength(
    1,
  );
});

test('not of somebody who has left, has the right no more, or is not known; nor what a person begins again', async () => {
  const [left, viewer, manager] = [
    await team.member('manager', 'Lea'),
    await team.member('viewer', 'Vic'),
    await team.member('manager', 'Max'),
  ];
  await takeOut(team.store, ACCOUNT, left.id);
  const ids = [
    await leave('dataset.freeze', freeze('left'), left.id),
    await leave('dataset.freeze', freeze('viewer'), viewer.id),
    await leave('dataset.freeze', freeze('nobody'), null),
    await leave('evaluate.judge', { run: 'x' }, manager.id),
    await leave('team.invite', { email: 'eve@lab.org', role: 'owner' }, manager.id),
  ];
  const server = goOnWithJobs({ open: team.open, workOf: (member, job) => team.workOf(member, job), lookMs: 15 });
  await new Promise((resolve) => setTimeout(resolve, 600));
  server.close();
  for (const id of ids) expect(await nextOf(id)).toBeNull();
  expect(await versions()).toEqual(['v1']);
});

test('what ended three servers is left to a person', async () => {
  const manager = await team.member('manager', 'Mo');
  const chain = [await leave('dataset.freeze', freeze('deadly'), manager.id)];
  for (let n = 0; n < 3; n++) {
    const id = await leave('dataset.freeze', freeze('deadly'), manager.id);
    await team.open.jobs.list();
    await setNext(team.store, chain.at(-1)!, id);
    chain.push(id);
  }
  const looking = goOnWithJobs({ open: team.open, workOf: (member, job) => team.workOf(member, job), lookMs: 15 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  looking.close();
  expect(await nextOf(chain.at(-1)!)).toBeNull();
  expect(await versions()).toEqual(['v1']);
});

test('no sooner than workers have let go of it', async () => {
  const manager = await team.member('manager', 'Mina');
  const id = await leave('dataset.freeze', freeze('later'), manager.id);
  const open = { ...team.open, workspace: { ...team.open.workspace, work: {} } } as unknown as typeof team.open;
  // Noted as cut; then the clock is set an hour ahead.
  await open.jobs.list();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  const early = goOnWithJobs({ open, workOf: (member, job) => team.workOf(member, job), lookMs: 15, goneMs: 60_000 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  early.close();
  vi.useRealTimers();
  expect(await nextOf(id)).toBeNull();
  const late = goOnWithJobs({ open, workOf: (member, job) => team.workOf(member, job), lookMs: 15, goneMs: 1 });
  await expect.poll(() => nextOf(id), { timeout: 60_000 }).not.toBeNull();
  late.close();
});
