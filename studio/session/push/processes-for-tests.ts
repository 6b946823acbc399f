import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acceptInvitation, invite } from '../../api/members/invitations.ts';
import { ACCOUNT } from '../../api/members/principal.ts';
import { makeToken } from '../../api/members/sessions.ts';
import { openWorkspace } from '../../store/workspace.ts';

/** A team's server and a sender as programs of their own, that can be killed. */

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** A workspace of a team with a recorder in it, before any server runs; gives the token. */
export async function recorderIn(dir: string): Promise<string> {
  const workspace = openWorkspace(dir, { create: true });
  const email = 'ana@lab.org';
  const wishes = { email, role: 'recorder' as const, name: 'Ana', days: 7, url: 'http://127.0.0.1:1' };
  const { link } = await invite(workspace.store, ACCOUNT, wishes);
  const code = new URL(link).hash.slice(1);
  await acceptInvitation(workspace.store, { code, name: 'Ana', password: 'four words that are long' });
  const scopes = ['see', 'record'] as const;
  const { secret } = await makeToken(workspace.store, ACCOUNT, { member: email, name: 'push', scopes, days: 1 });
  await workspace.close();
  return secret;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function program(args: readonly string[], home: string, env: Record<string, string> = {}): ChildProcess {
  mkdirSync(home, { recursive: true });
  return spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, TRAJECTORY_STUDIO_HOME: home, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Resolves when it listens. */
export async function startServer(folder: string, dir: string, origin: string, port: number): Promise<ChildProcess> {
  const args = ['serve', '--team', '--no-build', '--json', '--workspace', dir, '--url', origin, '--port', String(port)];
  const child = program(args, join(folder, 'server-home'));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', (data: Buffer) => {
      if (data.toString().includes('"listens"')) resolve();
    });
    child.stderr!.on('data', (data: Buffer) => {
      said += data.toString();
    });
    child.on('exit', () => reject(new Error(`The server ended: ${said}`)));
  });
  return child;
}

export type PushRun = { child: ChildProcess; over: Promise<{ status: number | null; out: string; err: string }> };

export function startPush(
  folder: string,
  wishes: { dir: string; id: string; origin: string; token: string; more?: readonly string[] },
): PushRun {
  const { dir, id, origin, token, more = [] } = wishes;
  const args = ['push', id, '--to', origin, '--token-env', 'PUSH_TOKEN', '--workspace', dir, '--json', ...more];
  const child = program(args, join(folder, 'sender-home'), { PUSH_TOKEN: token });
  let [out, err] = ['', ''];
  child.stdout!.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stderr!.on('data', (data: Buffer) => {
    err += data.toString();
  });
  const over = new Promise<{ status: number | null; out: string; err: string }>((resolve) =>
    child.on('close', (status) => resolve({ status, out, err })),
  );
  return { child, over };
}
