import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TEAM_HOST, TEAM_ORIGIN, type TestTeam, testTeam } from './team-for-tests.ts';

/** The machine that a team's server runs on, and the wire to it: nothing of either is within a member's reach. */

let team: TestTeam;
testTeam((made) => {
  team = made;
});

describe('the machine of the server', () => {
  test('another workspace of it cannot be named, opened or listed', async () => {
    const { cookie } = await team.member('owner', 'Foreign');
    const other = join(team.folder, 'other');
    const { id } = await team.studio.workspaces.open(other, { create: true });
    for (const name of [
      'tasks.list',
      'recordings.list',
      'review.queue',
      'jobs.list',
      'team.members',
      'dataset.versions',
    ])
      expect([name, (await team.call(cookie, name, { ws: id })).status]).toEqual([name, 404]);
    expect((await team.page(cookie, `/files/${id}/recordings/x/page.json`)).status).toBe(404);
    expect((await team.call(cookie, 'workspaces.open', { dir: other })).status).toBe(403);
    const recent = (await team.call(cookie, 'workspaces.recent')).json;
    expect(recent).toMatchObject([{ id: team.ws, dir: 'work' }]);
    expect(JSON.stringify(recent)).not.toContain(team.folder);
  });

  test('no path outside the folders for it is read or written', async () => {
    const { cookie } = await team.member('manager', 'Paths');
    const incoming = join(team.dir, 'incoming');
    mkdirSync(incoming, { recursive: true });
    symlinkSync(team.folder, join(incoming, 'link'));
    writeFileSync(join(incoming, 'real.tar'), 'x');
    const outside = [
      '/etc/passwd',
      join(team.folder, 'secret.txt'),
      join(team.dir, 'studio.sqlite'),
      join(incoming, '..', 'studio.sqlite'),
      join(incoming, 'link', 'secret.txt'),
      '../studio.sqlite',
    ];
    const WISHES = { source: { kind: 'filter', filter: {} }, all: true, formats: [{ name: 'videogui' }] };
    for (const path of outside) {
      for (const [name, input] of [
        ['archives.take', { path }],
        ['archives.make', { out: path, version: null }],
        ['recordings.import', { path }],
        ['exports.start', { out: path, wishes: WISHES }],
        ['evaluate.takeQuestions', { name: 'x', paths: [path], tasks: null }],
      ] as const) {
        const { status, json } = await team.call(cookie, name, { ws: team.ws, ...input });
        expect([name, path, status, JSON.stringify(json).slice(0, 200)]).toEqual([name, path, 403, expect.any(String)]);
      }
    }
    expect((await team.call(cookie, 'folders.list', { typed: '/' })).status).toBe(403);
    expect((await team.call(cookie, 'archives.take', { ws: team.ws, path: 'real.tar' })).status).toBe(200);
  });

  test('health says that it lives and no more; ready, that it can work', async () => {
    const headers = { host: '127.0.0.1' };
    expect(await team.raw('/health', { headers })).toMatchObject({ status: 200, body: '{"ok":true}' });
    expect(await team.raw('/ready', { headers })).toMatchObject({ status: 200, body: '{"ready":true}' });
    expect((await team.raw('/health', { method: 'POST' })).status).not.toBe(200);
  });
});

test('two lengths, two hosts, a broken head: no request is smuggled behind another', async () => {
  const { cookie } = await team.member('owner', 'Smuggler');
  const line = (head: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(team.port, '127.0.0.1', () => socket.write(head));
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
      socket.on('error', () => undefined);
    });
  const common = `Cookie: ${cookie}\r\nOrigin: ${TEAM_ORIGIN}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n`;
  for (const head of [
    `POST /rpc/settings/get HTTP/1.1\r\nHost: ${TEAM_HOST}\r\n${common}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/team/me HTTP/1.1\r\n`,
    `GET /api/team/me HTTP/1.1\r\nHost: ${TEAM_HOST}\r\nHost: evil.example\r\n${common}\r\n`,
    `GET /api/team/me HTTP/1.1\r\nHost: ${TEAM_HOST}\r\n${common}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`,
    `GET /api/team/me HTTP/1.1\r\nHost: ${TEAM_HOST}\r\n Host: evil.example\r\n${common}\r\n`,
    `GET http://evil.example/api/team/me HTTP/1.1\r\nHost: ${TEAM_HOST}\r\n${common}\r\n`,
    `GET /api/team/me HTTP/1.1\r\n${common}\r\n`,
  ]) {
    const answer = await line(head);
    expect([head.slice(0, 120), answer.slice(0, 12)]).toEqual([head.slice(0, 120), 'HTTP/1.1 400']);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  }
});

test('a body that is too large is refused, and harms nobody', async () => {
  const { cookie } = await team.member('viewer', 'Large');
  const body = JSON.stringify({ json: { values: { a: 'x'.repeat(34 * 1024 * 1024) } } });
  const { status } = await team.page(cookie, '/rpc/settings/set', { method: 'POST', body });
  expect([400, 413]).toContain(status);
  expect((await team.call(cookie, 'settings.get')).json).toEqual({});
});

test('answers name the request by the id that the log has', async () => {
  const { cookie } = await team.member('viewer', 'Logged');
  const { headers } = await team.page(cookie, '/api/team/me');
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});
