import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askJson, followEvents, forward, type Pipe } from './pipe.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-pipe-'));
const windows = process.platform === 'win32';
const pipe: Pipe = { path: windows ? `\\\\.\\pipe\\studio-test-${process.pid}` : join(folder, 's'), token: 'secret' };
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((done) => server.listen(pipe.path, done));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
const page = (path: string, init: RequestInit = {}) => new Request(`studio://app${path}`, init);

test('a page’s request arrives with the token and without what a page could pretend; its range and answer pass through', async () => {
  let seen: IncomingMessage['headers'] = {};
  answer = (request, response) => {
    seen = { ...request.headers, url: request.url };
    response.writeHead(206, { 'content-range': 'bytes 1-2/9', 'content-type': 'video/mp4' }).end('bc');
  };
  const headers = { range: 'bytes=1-2', origin: 'studio://app', authorization: 'Bearer mine', cookie: 'studio=x' };
  const response = await forward(page('/files/a%20b?x=1', { headers }), pipe);
  expect(seen).toMatchObject({
    host: 'app',
    authorization: 'Bearer secret',
    range: 'bytes=1-2',
    origin: 'studio://app',
  });
  expect([seen.cookie, seen.url]).toEqual([undefined, '/files/a%20b?x=1']);
  expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([
    206,
    'bytes 1-2/9',
    'bc',
  ]);
});

test('a large body is sent on as it is', async () => {
  answer = (request, response) => {
    let bytes = 0;
    request.on('data', (data: Buffer) => {
      bytes += data.length;
    });
    request.on('end', () => response.end(JSON.stringify({ bytes, method: request.method })));
  };
  const body = new Uint8Array(5_000_000);
  const response = await forward(page('/files/x', { method: 'POST', body }), pipe);
  expect(await response.json()).toEqual({ bytes: body.length, method: 'POST' });
});

test('answers come piece by piece; who goes away is told to the studio', async () => {
  const gone = Promise.withResolvers<void>();
  answer = (_request, response) => {
    response.once('close', gone.resolve);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('first');
  };
  const response = await forward(page('/rpc/watch'), pipe);
  const reader = response.body!.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('first');
  await reader.cancel();
  await gone.promise;
});

test('an answer without a body is one', async () => {
  answer = (_request, response) => response.writeHead(304, { etag: '"x"' }).end();
  const response = await forward(page('/icon.svg'), pipe);
  expect([response.status, response.body, response.headers.get('etag')]).toEqual([304, null, '"x"']);
});

test('rejects when nobody listens', async () => {
  await expect(forward(page('/'), { ...pipe, path: `${pipe.path}-none` })).rejects.toThrow(/ENOENT|ECONNREFUSED/);
});

test('a refusal of the API is an error with its words', async () => {
  answer = (_request, response) =>
    response.writeHead(400).end('{"code":"USAGE","message":"Nothing is being recorded."}');
  await expect(askJson(pipe, '/api/recorder/command', { type: 'stop' })).rejects.toThrow('Nothing is being recorded.');
});

test('events are read as they come, cut anywhere, with comments between', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of [': \n\n', 'event: message\nda', 'ta: {"a":1}\n', '\n: alive\n\nevent: message\ndata: null\n\n'])
      response.write(part);
    response.end();
  };
  const seen: unknown[] = [];
  await followEvents(pipe, '/api/recorder/changes', new AbortController().signal, (value) => seen.push(value));
  expect(seen).toEqual([{ a: 1 }, null]);
});
