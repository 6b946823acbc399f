import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { z } from 'zod';

/** A small chat endpoint that misbehaves as real ones do. */

const askedSchema = z.object({
  model: z.string(),
  temperature: z.number(),
  stream: z.boolean().optional(),
  messages: z.array(
    z.object({
      content: z.union([
        z.string(),
        z.array(
          z.object({
            type: z.string(),
            text: z.string().optional(),
            image_url: z.object({ url: z.string() }).optional(),
          }),
        ),
      ]),
    }),
  ),
});

/** A request as it came: its text, its pictures' addresses, and the key. */
export type Asked = {
  text: string;
  images: string[];
  model: string;
  temperature: number;
  key: string | null;
  stream: boolean;
};

/** The server's reaction to one request. */
export type Act =
  | { kind: 'text'; text: string }
  | { kind: 'stream'; text: string; broken?: boolean }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  | { kind: 'garbage'; body: string }
  | { kind: 'silence' }
  /** The same piece again and again, until the asker goes. */
  | { kind: 'endless'; status: number; type: string; piece: string }
  /** The piece once; the connection stays. */
  | { kind: 'held'; type: string; piece: string }
  | { kind: 'redirect'; to: string };

export type ChatServer = {
  url: string;
  asked: Asked[];
  /** Most requests that were under way at once. */
  readonly most: number;
  close(): Promise<void>;
};

/** `act` is asked for each request, with its number from 0. */
export async function startChatServer(act: (asked: Asked, n: number) => Act, delayMs = 0): Promise<ChatServer> {
  const asked: Asked[] = [];
  let underWay = 0;
  let most = 0;
  const server = createServer((request, response) => {
    underWay++;
    most = Math.max(most, underWay);
    response.on('close', () => underWay--);
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = read(body, request.headers.authorization ?? null);
    asked.push(one);
    const n = asked.length - 1;
    if (delayMs > 0) await new Promise((go) => setTimeout(go, delayMs));
    perform(act(one, n), response);
  };
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo; // A server that listens on a port has such an address.
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    get most() {
      return most;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function read(body: string, authorization: string | null): Asked {
  const { model, temperature, stream, messages } = askedSchema.parse(JSON.parse(body));
  const content = messages[0]!.content;
  const parts = typeof content === 'string' ? [{ type: 'text', text: content, image_url: undefined }] : content;
  return {
    model,
    temperature,
    stream: stream === true,
    key: authorization,
    text: parts.map(({ text }) => text ?? '').join(''),
    images: parts.flatMap(({ image_url }) => (image_url ? [image_url.url] : [])),
  };
}

function perform(act: Act, response: ServerResponse): void {
  const json = (status: number, body: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
  if (act.kind === 'text') {
    const usage = { prompt_tokens: 100, completion_tokens: 10 };
    json(200, JSON.stringify({ choices: [{ message: { role: 'assistant', content: act.text } }], usage }));
  } else if (act.kind === 'stream') {
    streamText(act.text, act.broken === true, response);
  } else if (act.kind === 'status') {
    json(act.status, act.body ?? JSON.stringify({ error: { message: 'no' } }), act.headers);
  } else if (act.kind === 'garbage') {
    json(200, act.body);
  } else if (act.kind === 'redirect') {
    json(307, '', { location: act.to });
  } else if (act.kind === 'held') {
    response.writeHead(200, { 'content-type': act.type }).write(act.piece);
  } else if (act.kind === 'endless') {
    response.writeHead(act.status, { 'content-type': act.type });
    const more = (): void => {
      while (!response.destroyed && response.write(act.piece));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  }
}

function streamText(text: string, broken: boolean, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (value: unknown): void => {
    response.write(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
  };
  for (const letter of text) event({ choices: [{ delta: { content: letter }, finish_reason: null }] });
  if (!broken) {
    event({ choices: [{ delta: {}, finish_reason: 'stop' }] });
    event({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 10 } });
    event('[DONE]');
  }
  response.end();
}

/** The chat server of the test that runs now; each is closed after its test. */
export function chatServers(): { start: typeof startChatServer; stop: () => Promise<void> } {
  let server: ChatServer | null = null;
  const stop = async (): Promise<void> => {
    await server?.close();
    server = null;
  };
  afterEach(stop);
  return {
    start: async (...how) => {
      await stop();
      server = await startChatServer(...how);
      return server;
    },
    stop,
  };
}
