import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Job, jobSchema } from '../../../schemas/api/models.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { freePort, startServer } from '../../session/push/processes-for-tests.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { acceptInvitation, invite } from '../members/invitations.ts';
import { ACCOUNT } from '../members/principal.ts';
import { makeToken } from '../members/sessions.ts';

/** A team's server, a program of its own, that is killed in the middle of jobs and started again. */

const folders = temporaryFolders();
let server: ChildProcess | null = null;
afterEach(() => {
  server?.kill('SIGKILL');
  folders.clean();
});

test('what a member had begun is done once by the next server, whenever the one before was killed', {
  timeout: 240_000,
}, async () => {
  const folder = folders.make();
  const lab = join(folder, 'lab');
  const workspace = openWorkspace(lab, { create: true });
  for (const n of [0, 1, 2])
    await addRecording(workspace, { id: `20260504-10203${n}-killaaaa`, task: `GIMP_${n + 1}` });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const wishes = { email: 'mia@lab.org', role: 'manager' as const, name: 'Mia', days: 7, url: origin };
  const code = new URL((await invite(workspace.store, ACCOUNT, wishes)).link).hash.slice(1);
  await acceptInvitation(workspace.store, { code, name: 'Mia', password: 'four words that are long' });
  const scopes = ['see', 'data', 'manage'] as const;
  const { secret } = await makeToken(workspace.store, ACCOUNT, { member: wishes.email, name: 'x', scopes, days: 1 });
  await workspace.close();

  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const more = body && { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(`${origin}/api${path}`, { headers, ...more })).json();
  };
  server = await startServer(folder, lab, origin, port);
  const { ws } = (await ask('/team/me')) as { ws: string };
  const names: string[] = [];
  for (const wait of [0, 60, 250]) {
    for (const name of [`k${wait}-a`, `k${wait}-b`]) {
      await ask(`/workspaces/${ws}/versions`, { name, again: true });
      names.push(name);
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    server.kill('SIGKILL');
    server = await startServer(folder, lab, origin, port);
  }
  const versions = async (): Promise<string[]> => {
    const { versions: all } = (await ask(`/workspaces/${ws}/versions`)) as { versions: { name: string }[] };
    return all.map(({ name }) => name).sort();
  };
  await expect.poll(versions, { timeout: 150_000, interval: 500 }).toEqual(names.toSorted());
  const jobs = async (): Promise<Job[]> => jobSchema.array().parse(await ask(`/workspaces/${ws}/jobs`));
  const isAtWork = ({ state }: Job): boolean => state === 'waiting' || state === 'running';
  await expect.poll(async () => (await jobs()).filter(isAtWork).length, { timeout: 60_000 }).toBe(0);
  for (const name of names) {
    const of = (await jobs()).filter(({ subject }) => subject === name);
    // One that was killed between its work and the word of it finds the version there, and makes no other.
    expect([name, of.filter(({ state }) => state === 'done').length <= 1]).toEqual([name, true]);
  }
});
