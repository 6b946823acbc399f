import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import { afterEach, describe, expect, test } from 'vitest';
import type { AnnotationRecord } from '../../schemas/annotation.ts';
import type { Contract } from '../../schemas/api/contract.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { describeHolder } from '../files/process-id.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';

const folders = temporaryFolders();
const running = new Set<() => Promise<unknown>>();
afterEach(async () => {
  for (const stop of running) await stop();
  running.clear();
  folders.clean();
});

type Ready = {
  url: string;
  origin: string;
  port: number;
  token: string;
  pid: number;
  running: boolean;
  workspace: { id: string } | null;
};

/** `serve` in a process of its own, once it has said its one line of JSON. */
async function serve(home: string, args: readonly string[] = ['--port', '0']) {
  const env = { ...process.env, TRAJECTORY_STUDIO_HOME: home, DISPLAY: '', WAYLAND_DISPLAY: '' };
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'main.ts'), 'serve', ...args, '--no-build', '--json'],
    { env },
  );
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let out = '';
  let err = '';
  child.stdout.on('data', (text: Buffer) => {
    out += text;
  });
  child.stderr.on('data', (text: Buffer) => {
    err += text;
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  running.add(() => stop('SIGKILL'));
  await expect
    .poll(() => (out.includes('\n') ? '' : err), { timeout: 120_000, message: 'the server says its address' })
    .toSatisfy(() => out.includes('\n'));
  const ready: Ready = JSON.parse(out);
  const headers = { authorization: `Bearer ${ready.token}` };
  const client: ContractRouterClient<Contract> = createORPCClient(new RPCLink({ url: `${ready.origin}/rpc`, headers }));
  return { ready, client, stop, ended, stderr: () => err };
}

const EVENTS: RawEvent[] = [
  { type: 'down', t: 1_100_000, x: 100, y: 200, button: 'left' },
  { type: 'up', t: 1_200_000, x: 100, y: 200, button: 'left' },
];

// Each starts the real program several times.
describe('the studio as a process', { timeout: 300_000 }, () => {
  test('killed in the middle of the work, it has every transaction that it had answered', async () => {
    const home = folders.make();
    const dir = join(home, 'workspace');
    openWorkspace(dir, { create: true }).close();
    writeSample(join(dir, 'recordings'), sampleRecording(), EVENTS);
    const recording = '3f2a9c1e';
    let answered = 0;
    for (const round of [1, 2]) {
      const { client, ready, stop } = await serve(home, ['--port', '0', '--workspace', dir]);
      const ws = ready.workspace!.id;
      const { version, records } = await client.annotation.get({ ws, recording });
      if (round === 2) {
        const goal = records.find(({ kind }) => kind === 'goal');
        // One more than was answered may be there: the kill came between its storing and its answer.
        expect([answered, answered + 1]).toContain(Number((goal as { text: string }).text));
        expect((await client.annotation.history({ ws, recording })).length).toBeGreaterThanOrEqual(answered);
        expect(await client.annotation.undo({ ws, recording })).not.toBeNull();
        await stop();
        return;
      }
      let before = records.find(
        (record): record is Extract<AnnotationRecord, { kind: 'goal' }> => record.kind === 'goal',
      )!;
      expect(version).toBeGreaterThan(0);
      for (;;) {
        const after = { ...before, text: String(answered + 1) };
        const transaction = {
          id: randomUUID(),
          label: 'Set goal',
          changes: [{ op: 'change' as const, before, after }],
        };
        // The twentieth is killed on its way.
        if (answered === 20) setTimeout(() => void stop('SIGKILL'), 1);
        try {
          await client.annotation.apply({ ws, recording, transaction });
        } catch {
          break;
        }
        answered++;
        before = after;
      }
      expect(answered).toBeGreaterThanOrEqual(20);
    }
  });

  test('ends cleanly when it is told to, and leaves no word of itself', async () => {
    const home = folders.make();
    const { ready, stop, ended } = await serve(home);
    const note = join(home, 'server.json');
    expect(JSON.parse(readFileSync(note, 'utf8'))).toMatchObject({ port: ready.port, token: ready.token });
    if (process.platform !== 'win32') expect(statSync(note).mode & 0o077).toBe(0);
    // An open stream keeps nobody waiting.
    const stream = await fetch(`${ready.origin}/api/recorder/changes`, {
      headers: { authorization: `Bearer ${ready.token}` },
    });
    expect(stream.status).toBe(200);
    await stop('SIGINT');
    expect(await ended).toBe(0);
    expect(existsSync(note)).toBe(false);
  });

  test('a second start says where the first one is, and ends', async () => {
    const home = folders.make();
    const first = await serve(home);
    const second = await serve(home, ['--workspace', join(home, 'new')]);
    expect(await second.ended).toBe(0);
    expect(second.ready).toMatchObject({ origin: first.ready.origin, token: first.ready.token, running: true });
    // Its own address, which signs in as the first one does.
    expect(second.ready.url).not.toBe(first.ready.url);
    expect(new URL(second.ready.url).host).toBe(new URL(first.ready.url).host);
    expect((await first.client.workspaces.recent()).map(({ id }) => id)).toEqual([second.ready.workspace?.id]);
    const other = await serve(home, ['--port', '0']);
    expect(other.ready.origin).not.toBe(first.ready.origin);
    // The end of another server takes its own note alone with it.
    await other.stop();
    const third = await serve(home, []);
    expect(third.ready).toMatchObject({ origin: first.ready.origin, running: true });
  });

  test('a note that a killed server left, with another program at its port and pid, gets no word of ours', async () => {
    const home = folders.make();
    const first = await serve(home);
    const note = join(home, 'server.json');
    const left = JSON.parse(readFileSync(note, 'utf8'));
    await first.stop('SIGKILL');
    const heard: string[] = [];
    const stranger = createHttpServer((request, response) => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ name: 'trajectory-studio', proof: 'x'.repeat(43) }));
    }).listen(left.port, '127.0.0.1');
    await once(stranger, 'listening');
    // The system gave its number to this process, which is not the one that wrote the note …
    writeFileSync(note, JSON.stringify({ ...left, pid: process.pid, holder: { ...left.holder, pid: process.pid } }));
    const second = await serve(home, []);
    expect([second.ready.running, heard]).toEqual([false, []]);
    await second.stop();
    // … and even a note that fits in all of that sends no secret to who cannot prove to know it.
    const holder = describeHolder('x', process.pid);
    writeFileSync(note, JSON.stringify({ ...left, pid: process.pid, holder }));
    const third = await serve(home, []);
    expect(third.ready.running).toBe(false);
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.join()).not.toContain(left.token);
    stranger.close();
  });

  test('the token is in no printed address, no environment of what it starts, and no argument', async () => {
    const home = folders.make();
    const token = randomUUID().replaceAll('-', '');
    const bin = join(home, 'bin');
    mkdirSync(bin);
    const seen = join(home, 'seen');
    writeFileSync(
      join(bin, 'xdg-open'),
      `#!/bin/sh\necho "$@" > ${seen}.part; env >> ${seen}.part; mv ${seen}.part ${seen}\n`,
    );
    chmodSync(join(bin, 'xdg-open'), 0o755);
    const env = {
      ...process.env,
      TRAJECTORY_STUDIO_HOME: home,
      TRAJECTORY_STUDIO_TOKEN: token,
      DISPLAY: ':9',
      PATH: `${bin}:${process.env.PATH}`,
    };
    const main = join(import.meta.dirname, 'main.ts');
    const child = spawn(process.execPath, [main, 'start', '--port', '0', '--no-build'], { env });
    running.add(async () => child.kill('SIGKILL'));
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
    await expect.poll(() => existsSync(seen), { timeout: 60_000 }).toBe(true);
    const told = readFileSync(seen, 'utf8');
    expect(told).not.toContain(token);
    expect(told).not.toContain('code=');
    expect(said).not.toContain(token);
    const file = fileURLToPath(told.split('\n')[0]!);
    expect([statSync(file).mode & 0o077, statSync(dirname(file)).mode & 0o077]).toEqual([0, 0]);
    expect(readFileSync(file, 'utf8')).toMatch(/http:\/\/studio-[0-9a-f]+\.localhost:\d+\/\?code=/);
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    // With this token a script gets in, and the end takes the file along.
    const note = JSON.parse(readFileSync(join(home, 'server.json'), 'utf8'));
    expect(note.token).toBe(token);
    child.kill('SIGTERM');
    await once(child, 'close');
    expect([existsSync(file), existsSync(join(home, 'server.json'))]).toEqual([false, false]);
  });

  test('the pages have the same name after a restart, and nobody else can read it', async () => {
    const home = folders.make();
    const first = await serve(home);
    const { host } = new URL(first.ready.url);
    await first.stop();
    const second = await serve(home, ['--port', String(first.ready.port)]);
    expect(new URL(second.ready.url).host).toBe(host);
    if (process.platform !== 'win32') expect(statSync(join(home, 'pages-name')).mode & 0o077).toBe(0);
  });

  test('a port of another program is told; without a wish the next free one is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => taken.once('listening', listening));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const env = { ...process.env, TRAJECTORY_STUDIO_HOME: folders.make() };
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'main.ts'), 'serve', '--no-build', '--port', String(port)],
      {
        env,
      },
    );
    let err = '';
    child.stderr.on('data', (text: Buffer) => {
      err += text;
    });
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2);
    expect(err).toContain(`Port ${port} of 127.0.0.1 cannot be used: another program listens there`);
    taken.close();
  });
});
