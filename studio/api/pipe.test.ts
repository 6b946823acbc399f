import { existsSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { listenOnPipe, type Piped } from './pipe.ts';
import { createStudio, type Studio } from './studio.ts';

const folders = temporaryFolders();
const windows = process.platform === 'win32';
let studio: Studio;
let piped: Piped | null = null;
let path: string;
let pages: string;
beforeEach(() => {
  const folder = folders.make();
  pages = folders.make();
  writeFileSync(join(pages, 'index.html'), '<!doctype html><html><head><title>Page</title></head></html>');
  studio = createStudio({ version: '0.1.0', home: { config: folder, data: folder } });
  path = windows ? `\\\\.\\pipe\\studio-test-${Date.now()}` : join(folder, 's');
});
afterEach(async () => {
  await piped?.close();
  piped = null;
  await studio.close();
  folders.clean();
});

function ask(where: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ socketPath: path, path: where, headers: { host: 'app', ...headers } }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asked.on('error', reject).end();
  });
}

describe('the studio behind a pipe', () => {
  test('serves pages and the API to who has the token, as studio://app', async () => {
    piped = await listenOnPipe({ studio, pages, path });
    const own = { authorization: `Bearer ${piped.token}`, origin: 'studio://app', 'sec-fetch-site': 'same-origin' };
    expect((await ask('/w/1/recordings', own)).body).toContain('<title>Page</title>');
    expect(JSON.parse((await ask('/health', own)).body)).toMatchObject({ name: 'trajectory-studio', pid: process.pid });
  });

  test('refuses everybody else: no token, a wrong one, another host or origin', async () => {
    piped = await listenOnPipe({ studio, pages, path });
    const authorization = `Bearer ${piped.token}`;
    const refused: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${'x'.repeat(43)}` },
      { authorization, host: 'localhost' },
      { authorization, host: 'app:80' },
      { authorization, origin: 'http://app' },
      { authorization, origin: 'null' },
      { authorization, origin: 'studio://other' },
      { authorization, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of refused) expect([headers, (await ask('/', headers)).status]).toEqual([headers, 403]);
  });

  test.skipIf(windows)('only this user may connect, and nothing is left when it is closed', async () => {
    piped = await listenOnPipe({ studio, pages, path });
    expect(statSync(path).mode & 0o077).toBe(0);
    await piped.close();
    piped = null;
    expect(existsSync(path)).toBe(false);
  });

  test.skipIf(windows)('takes over what a dead studio left, but not a living one', async () => {
    writeFileSync(path, '');
    piped = await listenOnPipe({ studio, pages, path });
    await expect(listenOnPipe({ studio, pages, path })).rejects.toThrow('another studio listens there');
    expect((await ask('/', { authorization: `Bearer ${piped.token}` })).status).toBe(200);
  });

  test.skipIf(windows)('says why a path cannot be used', async () => {
    const long = join(folders.make(), 'x'.repeat(120));
    await expect(listenOnPipe({ studio, pages, path: long })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(listenOnPipe({ studio, pages, path: '/no/such/folder/s' })).rejects.toThrow('the system says');
    await expect(listenOnPipe({ studio, pages, path, token: 'short' })).rejects.toThrow('32 letters');
  });
});
