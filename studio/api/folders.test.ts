import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { listen } from './listen.ts';
import { splitTyped } from './routes/folders.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

const folders = temporaryFolders();
let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = folders.make();
  server = await startTestServer(folder);
  mkdirSync(join(folder, 'inside', 'deeper'), { recursive: true });
  writeFileSync(join(folder, 'inside', 'team.tar'), 'x');
});
afterAll(async () => {
  await server.close();
  folders.clean();
});

const ask = (origin: string, headers: Record<string, string>) =>
  fetch(`${origin}/api/folders/list`, {
    method: 'POST',
    body: JSON.stringify({ typed: folder + sep }),
    headers: { 'content-type': 'application/json', ...headers },
  });

test('who may open a workspace by its path may look where it is; nobody else may', async () => {
  const { dir, entries } = await server.client.folders.list({ typed: join(folder, 'inside') + sep, endings: ['.tar'] });
  expect(dir).toBe(join(folder, 'inside') + sep);
  expect(entries.map(({ name }) => name)).toEqual(['deeper', 'team.tar']);
  const bearer = { authorization: `Bearer ${server.token}` };
  for (const headers of [
    {},
    { authorization: `Bearer ${'x'.repeat(43)}` },
    { ...bearer, origin: 'http://evil.example' },
    { ...bearer, 'sec-fetch-site': 'cross-site' },
  ]) {
    const response = await ask(server.origin, headers);
    const text = await response.text();
    expect([headers, response.status]).toEqual([headers, 403]);
    expect(text).not.toContain('inside');
  }
});

test('a studio that lets other machines in lists no folders, not even to who has its token', async () => {
  const { origin, token, close } = await listen({ studio: server.studio, pages: folder, port: 0, host: '0.0.0.0' });
  try {
    const authorization = `Bearer ${token}`;
    const response = await ask(origin, { authorization });
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toMatchObject([
      403,
      { code: 'FORBIDDEN', message: expect.stringContaining('Type the whole path.') },
    ]);
    expect(text).not.toContain('inside');
    const listed = await fetch(`${origin}/api/folders`, { headers: { authorization } });
    expect(await listed.json()).toEqual({ listed: false });
  } finally {
    await close();
  }
  expect(await server.client.folders.listed()).toEqual({ listed: true });
});

test('what is no whole path is refused, and a folder that is not there is one above it where that is wanted', async () => {
  for (const typed of ['relative/', './', `${folder}\0/`]) {
    await expect(server.client.folders.list({ typed })).rejects.toMatchObject({ code: 'USAGE' });
  }
  const typed = join(folder, 'inside', 'never', 'was');
  await expect(server.client.folders.list({ typed })).rejects.toMatchObject({ code: 'UNKNOWN_FILE' });
  const { dir, entries } = await server.client.folders.list({ typed, orAbove: true });
  expect([dir, entries.map(({ name }) => name)]).toEqual([join(folder, 'inside') + sep, ['deeper']]);
});

test('a path as far as it was typed: what follows its last separator begins a name', () => {
  const at = (...parts: string[]): string => join(folder, ...parts);
  expect(splitTyped('')).toEqual({ dir: homedir(), starts: '' });
  expect(splitTyped('~')).toEqual({ dir: homedir(), starts: '' });
  expect(splitTyped(`~${sep}Doc`)).toEqual({ dir: homedir(), starts: 'Doc' });
  expect(splitTyped(at('a') + sep)).toEqual({ dir: at('a'), starts: '' });
  expect(splitTyped(at('a'))).toEqual({ dir: folder, starts: 'a' });
  expect(splitTyped(`${folder}${sep}a${sep}..`)).toEqual({ dir: folder, starts: '' });
  expect(splitTyped(`${folder}${sep}.`)).toEqual({ dir: folder, starts: '.' });
  expect(splitTyped(`${folder}${sep}.co`)).toEqual({ dir: folder, starts: '.co' });
});
