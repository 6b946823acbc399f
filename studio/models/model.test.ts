import { afterEach, describe, expect, test } from 'vitest';
import { type ModelRequest, modelRequestSchema } from '../../schemas/model-requests.ts';
import { PROTOCOLS, type ProtocolName } from '../../schemas/protocols.ts';
import { type ModelOptions, modelUrl, openModel } from './model.ts';
import { type ModelAsked, type ModelServer, type ScriptedAnswer, startModelServer } from './model-server-for-tests.ts';

let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const start = async (answer: (asked: ModelAsked, n: number) => ScriptedAnswer): Promise<ModelServer> => {
  await server?.close();
  server = await startModelServer(answer);
  return server;
};

const SHA = 'a'.repeat(64);
const PNG = 'cGljdHVyZQ==';
const png = (sha256: string): string => {
  if (sha256 !== SHA) throw new RangeError(`no picture ${sha256}`);
  return PNG;
};
const picture = { sha256: SHA, width: 1000, height: 700 };
const question: ModelRequest = {
  role: 'actor',
  system: 'You act.',
  turns: [{ by: 'user', parts: [{ text: 'The goal' }, { picture }] }],
  computer: { width: 1000, height: 700 },
};
const options = (protocol: ProtocolName, more: Partial<ModelOptions> = {}): ModelOptions => ({
  endpoint: server?.url ?? '',
  protocol,
  model: 'tested',
  tool: null,
  key: 'sk-SECRET-0123456789',
  rate: null,
  timeoutMs: 60_000,
  tries: 4,
  backoffMs: 5,
  maxTokens: null,
  ...more,
});

const KEYS: Readonly<Record<ProtocolName, readonly [header: string, value: string]>> = {
  openai: ['authorization', 'Bearer sk-SECRET-0123456789'],
  responses: ['authorization', 'Bearer sk-SECRET-0123456789'],
  anthropic: ['x-api-key', 'sk-SECRET-0123456789'],
  gemini: ['x-goog-api-key', 'sk-SECRET-0123456789'],
};
const TOOLS: Readonly<Record<ProtocolName, unknown>> = {
  openai: undefined,
  responses: [{ type: 'computer' }],
  anthropic: [{ type: 'computer_toolset_20260801' }],
  gemini: [{ computer_use: { environment: 'ENVIRONMENT_DESKTOP' } }],
};

describe.each(PROTOCOLS)('the protocol %s', (protocol) => {
  test('asks with the key, the texts, the picture and the tool; answers come back with their tokens', async () => {
    await start(() => ({ kind: 'answer', text: 'I click.', acts: [{ do: 'click', x: 300, y: 200 }] }));
    const reply = await openModel(options(protocol), png).ask(question);
    const asked = server!.asked[0]!;
    const [header, value] = KEYS[protocol];
    expect(asked.protocol).toBe(protocol);
    expect(asked.headers[header]).toBe(value);
    expect(asked.texts).toEqual(expect.arrayContaining(['You act.', 'The goal']));
    expect(asked.pictures).toEqual([PNG]);
    expect(asked.body.tools).toEqual(TOOLS[protocol]);
    expect(reply.text).toContain('I click.');
    expect(reply.usage).toEqual({ input: 1000, output: 50 });
    expect(reply.calls.length).toBe(protocol === 'openai' ? 0 : 1);
  });

  test('its own words go back as they came, with what became of each call', async () => {
    await start((_, n) =>
      n === 0
        ? { kind: 'answer', text: 'One.', acts: [{ do: 'keys', keys: ['ctrl', 's'] }] }
        : { kind: 'answer', text: 'Two.' },
    );
    const model = openModel(options(protocol), png);
    const { raw, calls } = await model.ask(question);
    const results = calls.map((call) => ({ call, text: 'It was done.' }));
    const next = results.length > 0 ? [{ by: 'tools' as const, results, parts: [{ picture }] }] : [];
    const turns = [...question.turns, { by: 'model' as const, raw, calls }, ...next];
    const request = modelRequestSchema.parse(JSON.parse(JSON.stringify({ ...question, turns })));
    await expect(model.ask(request)).resolves.toMatchObject({ text: 'Two.', calls: [] });
    const { body, pictures } = server!.asked[1]!;
    const list = [body.messages, body.input, body.contents].find(Array.isArray) as unknown[]; // One of them is there.
    const own = Array.isArray(raw) ? (protocol === 'anthropic' ? [{ role: 'assistant', content: raw }] : raw) : [raw];
    for (const one of own) expect(list).toContainEqual(one);
    expect(pictures).toHaveLength(protocol === 'openai' ? 1 : 2);
  });

  test('429, 500, HTML, another JSON, an answer cut in the middle: asked again', async () => {
    const acts: ScriptedAnswer[] = [
      { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
      { kind: 'status', status: 500 },
      { kind: 'body', body: '<html>Bad gateway</html>', type: 'text/html' },
      { kind: 'body', body: '{"hello": 1}' },
      { kind: 'cut', after: 40, text: 'half' },
    ];
    await start((_, n) => acts[n] ?? { kind: 'answer', text: 'whole' });
    const why: string[] = [];
    const asking = openModel(options(protocol, { tries: 6, onRetry: (text) => why.push(text) }), png);
    await expect(asking.ask(question)).resolves.toMatchObject({ text: 'whole' });
    expect(why).toHaveLength(5);
    expect(why.slice(2, 4)).toEqual([
      'an answer that is no JSON',
      `JSON that is no answer of the protocol ${protocol}`,
    ]);
  });

  test('an answer whose connection is lost is never taken for a whole one, at whichever byte', async () => {
    const { url, asked: sent } = await start(() => ({ kind: 'answer', text: 'half' }));
    await openModel(options(protocol), png).ask(question);
    const [{ path, body }] = sent as [ModelAsked]; // It was asked once.
    const whole = await fetch(new URL(path, url), { method: 'POST', body: JSON.stringify(body) });
    const { length } = new Uint8Array(await whole.arrayBuffer());
    await start((_, n) => ({ kind: 'cut', after: n, text: 'half' }));
    const asking = openModel(options(protocol, { tries: length, backoffMs: 0 }), png).ask(question);
    await expect(asking).rejects.toMatchObject({ code: 'ENDPOINT_FAILED' });
    expect(server!.asked).toHaveLength(length);
  });

  test('a redirect, silence, an answer without end and a refused key are errors without the key in them', async () => {
    const bad: [ScriptedAnswer, RegExp][] = [
      [{ kind: 'redirect', to: 'http://127.0.0.1:1/' }, /fetch failed|redirect/],
      [{ kind: 'silence' }, /no answer within 0.3 s/],
      [{ kind: 'endless' }, /an answer without end/],
      [{ kind: 'body', body: `${'['.repeat(100_000)}` }, /too deep|no JSON/],
      [{ kind: 'status', status: 401, body: 'wrong key sk-SECRET-0123456789' }, /401: wrong key \*\*\*/],
    ];
    for (const [answer, why] of bad) {
      await start(() => answer);
      const timeoutMs = answer.kind === 'silence' ? 300 : 60_000;
      const asking = openModel(options(protocol, { tries: 1, timeoutMs }), png).ask(question);
      const error = await asking.catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ code: 'ENDPOINT_FAILED', message: expect.stringMatching(why) });
      expect(String(error)).not.toContain('SECRET');
    }
  });

  test('an endpoint that does not count tokens is said not to, and a key in an answer is hidden', async () => {
    await start(() => ({ kind: 'answer', text: 'Your key is sk-SECRET-0123456789.', usage: null }));
    const reply = await openModel(options(protocol), png).ask(question);
    expect(reply.usage).toBeNull();
    expect(JSON.stringify(reply)).not.toContain('SECRET');
  });
});

test('addresses are completed once; a password in one is refused', () => {
  const at = (protocol: ProtocolName, endpoint: string): string => modelUrl({ protocol, endpoint, model: 'm 1' });
  expect(at('anthropic', 'https://h/v1/')).toBe('https://h/v1/messages');
  expect(at('responses', 'https://h/v1/responses')).toBe('https://h/v1/responses');
  expect(at('gemini', 'https://h/v1beta')).toBe('https://h/v1beta/models/m%201:generateContent');
  for (const protocol of PROTOCOLS) expect(() => at(protocol, 'https://me:secret@h/v1')).toThrow('--endpoint');
});

test("an older tool of Anthropic's is declared with the screen's size and its date's header", async () => {
  await start(() => ({ kind: 'answer', text: 'fine' }));
  await openModel(options('anthropic', { tool: 'computer_20251124' }), png).ask(question);
  const { headers, body } = server!.asked[0]!;
  expect(headers['anthropic-beta']).toBe('computer-use-2025-11-24');
  expect(body.tools).toEqual([
    { type: 'computer_20251124', name: 'computer', display_width_px: 1000, display_height_px: 700 },
  ]);
});
