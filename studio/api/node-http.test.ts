import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { answer } from './node-http.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A connection to a server that answers with `make`, and how often that server wrote to it so far. */
async function connected(
  make: () => Response,
): Promise<{ ask: () => Promise<string>; socket: Socket; writes: number }> {
  const seen = { writes: 0 };
  const server = createServer((from, to) => void answer(from, to, async () => make()));
  server.on('connection', (socket) => {
    const { _write, _writev } = socket;
    socket._write = (...given) => {
      seen.writes++;
      return _write.apply(socket, given);
    };
    socket._writev = (...given) => {
      seen.writes++;
      return _writev?.apply(socket, given);
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  open.push(() => {
    socket.destroy();
    server.close();
  });
  const ask = async (): Promise<string> => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [data] = await once(socket, 'data');
    return String(data);
  };
  return Object.assign(seen, { ask, socket });
}

test.each([
  ['of known length', { 'content-length': '7' }, '\r\n\r\n{"a":1}'],
  // It ends with an empty chunk, after everything else.
  ['of unknown length', {}, '\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n'],
])('a body %s that is there at once is sent with its head in one piece', async (_, headers, end) => {
  const one = await connected(() => new Response('{"a":1}', { headers }));
  // Two answers of one connection: nothing of the first holds back the second.
  for (const writes of [1, 2]) {
    const said = await one.ask();
    expect([said.slice(0, 15), said.endsWith(end), one.writes]).toEqual(['HTTP/1.1 200 OK', true, writes]);
  }
});

test('the head does not wait for a body that comes later', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const body = new ReadableStream<Uint8Array>({
    async pull(to) {
      to.enqueue(new TextEncoder().encode(await promise));
      to.close();
    },
  });
  const one = await connected(() => new Response(body));
  const head = await one.ask();
  expect([head.slice(0, 15), head.endsWith('\r\n\r\n')]).toEqual(['HTTP/1.1 200 OK', true]);
  resolve('late');
  const [data] = await once(one.socket, 'data');
  expect(String(data)).toContain('late');
});

test('a request that names two hosts is refused, whichever comes first', async () => {
  const one = await connected(() => new Response('{}'));
  one.socket.write('GET / HTTP/1.1\r\nHost: a\r\nhost: evil\r\n\r\n');
  const [data] = await once(one.socket, 'data');
  expect(String(data)).toMatch(/^HTTP\/1\.1 400 /);
});
