import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { endpointUrl } from '../../models/chat.ts';
import { type Act, type Asked, type ChatServer, startChatServer } from '../../models/chat-server-for-tests.ts';
import { retryAfter } from '../../models/endpoint.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { type AnswerRequest, answerQuestions } from './answer.ts';
import { clickAt, head, question, writeLines } from './files-for-tests.ts';

const folders = temporaryFolders();
let server: ChatServer | null = null;
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await server?.close();
  server = null;
});
afterAll(folders.clean);

const PIXEL = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

/** A file of `count` questions with a picture. */
function questions(count: number, folder = folders.make(), image = 'Q.images/p.png'): string {
  mkdirSync(join(folder, 'Q.images'), { recursive: true });
  writeFileSync(join(folder, 'Q.images', 'p.png'), PIXEL);
  const list = Array.from({ length: count }, (_, i) => question(`q${i}`, clickAt(1, 1), { images: [image] }));
  return writeLines(folder, 'Q.jsonl', [head(), ...list]);
}

const request = (file: string, more: Partial<AnswerRequest> = {}): AnswerRequest => ({
  questions: file,
  out: file.replace('Q.jsonl', 'P.jsonl'),
  cache: file.replace('Q.jsonl', 'cache'),
  endpoint: server?.url ?? '',
  model: 'tested',
  key: null,
  rate: null,
  timeoutMs: 60_000,
  tries: 5,
  backoffMs: 5,
  maxTokens: null,
  stream: false,
  concurrency: 3,
  prices: { input: 1000, output: 1000 },
  maxCost: null,
  ...more,
});

const linesOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const fine = ({ text }: Asked): Act => ({ kind: 'text', text: `answer to ${text}` });
const start = async (act: (asked: Asked, n: number) => Act = fine, delayMs = 0) => {
  server = await startChatServer(act, delayMs);
  return server;
};

describe('asking a model', () => {
  test('each question once, with its picture, at temperature 0; the truth stays here', async () => {
    const { asked } = await start();
    const file = questions(5);
    const result = await answerQuestions(request(file));
    expect(result).toMatchObject({ questions: 5, before: 0, answered: 5, cached: 0, failed: [], remaining: 0 });
    expect(result.tokens).toEqual({ input: 500, output: 50 });
    expect(result.cost).toBeCloseTo(0.55, 9);
    const [first, ...lines] = linesOf(result.out);
    expect(first).toMatchObject({
      schema: 'trajectory-studio/predictions',
      model: 'tested',
      dataset: { name: 'test' },
    });
    expect(lines.map(({ id }) => id).sort()).toEqual(['q0', 'q1', 'q2', 'q3', 'q4']);
    expect(lines.every(({ id, prediction }) => prediction === `answer to Question ${id}`)).toBe(true);
    expect(asked.every(({ temperature, images }) => temperature === 0 && images.length === 1)).toBe(true);
    expect(asked[0]!.images[0]).toBe(`data:image/png;base64,${PIXEL.toString('base64')}`);
    expect(JSON.stringify(asked)).not.toContain('1920');
    expect(server!.most).toBeLessThanOrEqual(3);
  });

  test('gets over what endpoints do: 429, 500, garbage, wrong JSON, broken streams', async () => {
    const acts: Act[] = [
      { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
      { kind: 'status', status: 500 },
      { kind: 'garbage', body: '<html>Bad gateway</html>' },
      { kind: 'garbage', body: '{"choices": []}' },
      { kind: 'stream', text: 'half', broken: true },
    ];
    await start((asked, n) => acts[n] ?? fine(asked));
    const result = await answerQuestions(request(questions(1), { tries: 6 }));
    expect(result).toMatchObject({ answered: 1, failed: [] });
    expect(server!.asked).toHaveLength(6);
  });

  test('an endpoint that says nothing is left after the time-out and asked again', async () => {
    await start((asked, n) => (n === 0 ? { kind: 'silence' } : fine(asked)));
    const told: string[] = [];
    const result = await answerQuestions(request(questions(1), { timeoutMs: 200, onRetry: (why) => told.push(why) }));
    expect(result.answered).toBe(1);
    expect(told).toEqual(['no answer within 0.2 s']);
  });

  test('reads a stream, asked for or not', async () => {
    await start(({ stream }) => ({ kind: 'stream', text: stream ? 'as asked [1, 2]' : 'unasked [1, 2]' }));
    const asked = await answerQuestions(request(questions(1), { stream: true }));
    expect(linesOf(asked.out)[1]).toMatchObject({ prediction: 'as asked [1, 2]', tokens: { input: 100, output: 10 } });
    const unasked = await answerQuestions(request(questions(1)));
    expect(linesOf(unasked.out)[1]).toMatchObject({ prediction: 'unasked [1, 2]' });
  });

  test('a question that is refused for good is told and left; the others go on', async () => {
    await start((asked) =>
      asked.text.includes('q1') ? { kind: 'status', status: 400, body: 'too large' } : fine(asked),
    );
    const result = await answerQuestions(request(questions(3)));
    expect(result).toMatchObject({ answered: 2, remaining: 1 });
    expect(result.failed).toEqual([{ id: 'q1', message: expect.stringContaining('status 400: too large') }]);
    expect(server!.asked).toHaveLength(3);
  });

  test('a key is hidden before an error is cut, however the server writes it', async () => {
    const key = 'sk-SECRET/0123456789abcdef';
    const bodies = [
      `${'x'.repeat(480)}${key}`,
      `${'y'.repeat(485)}${JSON.stringify({ key }).replaceAll('/', '\\/')}`,
      `${'z'.repeat(470)}${encodeURIComponent(key)}`,
      // Longer than what is read of an error; masked, its keys become far shorter.
      `${key} `.repeat(3000),
    ];
    for (const body of bodies) {
      await start(() => ({ kind: 'status', status: 401, body }));
      const file = questions(1);
      const error = await answerQuestions(request(file, { key })).catch((thrown: Error) => thrown.message);
      expect(error).toContain('***');
      expect(error).not.toMatch(/sk-S|SECRET|0123/);
      await server?.close();
    }
  });

  test('so it is with white space around it, cut by the server, and in the writings of HTML, JSON and base64', async () => {
    const key = 'sk-SECRET/0&+"9123456789abcdef';
    const bodies = [
      `Incorrect API key: ${key}`,
      `Incorrect API key: ${key.slice(0, 15)}...`,
      `<p>sk-SECRET/0&amp;&#43;&#34;9123456789abcdef</p>`,
      `<p>sk-SECRET&#x2F;0&amp;+&quot;9123456789abcdef</p>`,
      String.raw`{"key": "sk-SECRET\u002f0\u0026+\"9123456789abcdef"}`,
      `?key=sk-SECRET%2f0%26%2b%229123456789abcdef`,
      `Basic ${Buffer.from(`user:${key}`).toString('base64')}`,
      `Basic ${Buffer.from(`me:${key}@host`).toString('base64url')}`,
    ];
    for (const body of bodies) {
      await start(() => ({ kind: 'status', status: 401, body }));
      const error = await answerQuestions(request(questions(1), { key: `${key}\r\n ` })).catch((e: Error) => e.message);
      expect(error, body).toMatch(/: .{0,30}\*\*\*/);
      expect(error, body).not.toMatch(/SECRET|9123|abcdef/);
      // What is the key's own in base64, whatever stands before it.
      expect(error, body).not.toMatch(/U0VDUkVU|NFQ1JFV|TRUNSRV/);
      await server?.close();
    }
  });

  test('an answer that repeats the key has it nowhere, neither in the predictions nor in the cache', async () => {
    const key = 'sk-SECRET-0123456789abcdef';
    for (const stream of [false, true]) {
      await start(() => ({ kind: stream ? 'stream' : 'text', text: `Your key is ${key}. [1, 1]` }));
      const file = questions(1);
      const { out } = await answerQuestions(request(file, { key, stream }));
      expect(linesOf(out)[1]).toMatchObject({ prediction: 'Your key is ***. [1, 1]' });
      for (const written of [out, request(file).cache]) expect(readFileSync(written, 'utf8')).not.toContain('SECRET');
      await server?.close();
    }
  });

  test('a word that stands for a key where none is needed stays in answers', async () => {
    await start(() => ({ kind: 'text', text: 'none of them' }));
    const { out } = await answerQuestions(request(questions(1), { key: 'none' }));
    expect(linesOf(out)[1]).toMatchObject({ prediction: 'none of them' });
  });

  test('an error, a line or a stream without end is left after a bounded part of it', async () => {
    const endless: [status: number, type: string, piece: string, why: RegExp][] = [
      [500, 'text/plain', 'a'.repeat(65_536), /status 500: a{480}/],
      [200, 'text/event-stream', 'a'.repeat(65_536), /a stream without end/],
      [200, 'application/json', ' '.repeat(65_536), /an answer without end/],
      [200, 'text/event-stream', `: ${'a'.repeat(65_534)}\n`.repeat(64), /a stream without end/],
    ];
    for (const [status, type, piece, why] of endless) {
      await start(() => ({ kind: 'endless', status, type, piece }));
      const result = await answerQuestions(request(questions(1), { tries: 1, timeoutMs: 60_000 }));
      expect(result.failed[0]?.message).toMatch(why);
      await server?.close();
    }
  });

  test('a stream whose server has said all and stays is done', async () => {
    const all = 'data: {"choices":[{"delta":{"content":"[1, 1]"},"finish_reason":"stop"}]}\n\n';
    // Without its last word only the time-out tells that nothing follows.
    for (const [piece, timeoutMs] of [
      [`${all}data: [DONE]\n\n`, 60_000],
      [all, 300],
    ] as const) {
      await start(() => ({ kind: 'held', type: 'text/event-stream', piece }));
      const { out, answered } = await answerQuestions(request(questions(1), { tries: 1, timeoutMs }));
      expect(answered).toBe(1);
      expect(linesOf(out)[1]).toMatchObject({ prediction: '[1, 1]' });
      await server?.close();
    }
  });

  test('counts of tokens that are none do not spoil the sums', async () => {
    const usage = { prompt_tokens: 1.5, completion_tokens: 1e300 };
    const body = JSON.stringify({ choices: [{ message: { content: 'four' } }], usage });
    await start(() => ({ kind: 'garbage', body }));
    expect((await answerQuestions(request(questions(1)))).tokens).toEqual({ input: 2, output: 1 });
  });

  test('no access ends everything at once, and the key stands nowhere', async () => {
    const key = 'sk-very-secret';
    await start(() => ({ kind: 'status', status: 401, body: `the key ${key} is wrong` }));
    const file = questions(20);
    const error: unknown = await answerQuestions(request(file, { key, concurrency: 2 })).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'ENDPOINT_FAILED', message: expect.stringContaining('the key *** is wrong') });
    expect(server!.asked.length).toBeLessThanOrEqual(2);
    expect(server!.asked[0]!.key).toBe(`Bearer ${key}`);
    for (const written of [request(file).out, request(file).cache]) {
      if (existsSync(written)) expect(readFileSync(written, 'utf8')).not.toContain(key);
    }
  });

  test('goes to the named address only: a redirect is not followed', async () => {
    const other = await startChatServer(fine);
    try {
      await start(() => ({ kind: 'redirect', to: other.url }));
      const result = await answerQuestions(request(questions(1), { tries: 1 }));
      expect(result.failed).toHaveLength(1);
      expect(other.asked).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('keeps to the rate', async () => {
    await start();
    const began = performance.now();
    await answerQuestions(request(questions(4), { rate: 600, concurrency: 4 }));
    // Three gaps of 100 ms; never shorter, however fast the machine.
    expect(performance.now() - began).toBeGreaterThanOrEqual(295);
  });

  test('stops before the cost goes over the limit', async () => {
    await start();
    // Each costs 0.11: two fit into 0.3.
    const result = await answerQuestions(request(questions(10), { maxCost: 0.3 }));
    expect(result).toMatchObject({ answered: 2, stopped: 'max-cost', remaining: 8 });
    expect(result.cost).toBeLessThanOrEqual(0.3);
  });
});

describe('going on', () => {
  test('asks only what has no answer yet', async () => {
    await start((asked) => (asked.text.includes('q2') ? { kind: 'status', status: 400 } : fine(asked)));
    const file = questions(4);
    await answerQuestions(request(file));
    await server!.close();
    await start();
    const result = await answerQuestions(request(file));
    expect(server!.asked.map(({ text }) => text)).toEqual(['Question q2']);
    expect(result).toMatchObject({ before: 3, answered: 1, remaining: 0 });
  });

  test('a torn last line is cut off, and its answer comes from the cache', async () => {
    await start();
    const file = questions(3);
    const { out } = await answerQuestions(request(file));
    const text = readFileSync(out, 'utf8');
    writeFileSync(out, text.slice(0, -9));
    appendFileSync(request(file).cache, '{"key": "ab');
    const result = await answerQuestions(request(file));
    expect(server!.asked).toHaveLength(3);
    expect(result).toMatchObject({ before: 2, answered: 1, cached: 1 });
    expect(linesOf(out)).toEqual(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  });

  test('another model, other prompts, or a strange file are not mixed in', async () => {
    await start();
    const file = questions(1);
    await answerQuestions(request(file));
    await expect(answerQuestions(request(file, { model: 'other' }))).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(answerQuestions(request(file, { maxTokens: 5 }))).rejects.toThrow('other settings');
    writeFileSync(join(file, '..', 'mine.jsonl'), '{"id": "q0", "prediction": "x"}\n');
    const mine = join(file, '..', 'mine.jsonl');
    await expect(answerQuestions(request(file, { out: mine }))).rejects.toMatchObject({ code: 'BAD_FILE' });
    expect(readFileSync(mine, 'utf8')).toBe('{"id": "q0", "prediction": "x"}\n');
  });

  test('killed in the middle, a second run asks nothing that was answered', async () => {
    const { asked } = await start(fine, 20);
    const file = questions(40);
    const { out, cache } = request(file);
    const main = join(import.meta.dirname, '..', '..', 'cli', 'main.ts');
    const line = ['answer', '--questions', file, '--endpoint', server!.url, '--model', 'tested', '--out', out];
    const child = spawn(process.execPath, [main, ...line, '--cache', cache, '--concurrency', '2'], { stdio: 'ignore' });
    children.push(child);
    const ended = new Promise((done) => child.on('exit', done));
    while (asked.length < 12 && child.exitCode === null) await new Promise((go) => setTimeout(go, 5));
    child.kill('SIGKILL');
    await ended;
    const known = new Set(linesOf(cache).map(({ text }) => text));
    expect(known.size).toBeGreaterThan(5);
    expect(known.size).toBeLessThan(40);
    const before = asked.length;
    const result = await answerQuestions(request(file));
    expect(result.remaining).toBe(0);
    const again = asked.slice(before).map(({ text }) => `answer to ${text}`);
    expect(again.filter((text) => known.has(text))).toEqual([]);
    expect(again).toHaveLength(40 - known.size);
    expect(
      new Set(
        linesOf(out)
          .slice(1)
          .map(({ id }) => id),
      ).size,
    ).toBe(40);
  });
});

describe('what is refused before anything is sent', () => {
  test('pictures from outside of the folder', async () => {
    await start();
    const folder = folders.make();
    writeFileSync(join(folder, 'secret.png'), PIXEL);
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    for (const image of ['../secret.png', join(folder, 'secret.png')]) {
      await expect(answerQuestions(request(questions(1, inner, image)))).rejects.toMatchObject({ code: 'BAD_FILE' });
    }
    questions(1, inner, 'link.png');
    symlinkSync(join(folder, 'secret.png'), join(inner, 'link.png'));
    await expect(answerQuestions(request(join(inner, 'Q.jsonl')))).rejects.toThrow("lies outside of the file's folder");
    writeFileSync(join(inner, 'Q.images', 'key.png'), '-----BEGIN KEY-----');
    questions(1, inner, 'Q.images/key.png');
    await expect(answerQuestions(request(join(inner, 'Q.jsonl')))).rejects.toThrow('no PNG, JPEG, WebP or GIF');
    expect(server!.asked).toEqual([]);
  });

  test('a torn file of questions, a file of truth, a file without a head', async () => {
    await start();
    const file = questions(2);
    appendFileSync(file, '{"id": "q9"');
    await expect(answerQuestions(request(file))).rejects.toThrow('line 4 is torn off');
    const truth = writeLines(folders.make(), 'Q.jsonl', [head({ holds: 'truth' })]);
    await expect(answerQuestions(request(truth))).rejects.toThrow('it holds the truth');
    const bare = writeLines(folders.make(), 'Q.jsonl', [question('a', clickAt(1, 1))]);
    await expect(answerQuestions(request(bare))).rejects.toThrow('it has no head');
    expect(server!.asked).toEqual([]);
  });

  test('addresses are completed once; those with a password or another protocol are refused', () => {
    expect(endpointUrl('http://h:1/v1/')).toBe('http://h:1/v1/chat/completions');
    expect(endpointUrl('https://h/v1/chat/completions')).toBe('https://h/v1/chat/completions');
    expect(endpointUrl('https://h/openai?api-version=1')).toBe('https://h/openai/chat/completions?api-version=1');
    for (const bad of ['h/v1', 'file:///etc/passwd', 'https://me:secret@h/v1']) {
      expect(() => endpointUrl(bad)).toThrow('--endpoint');
    }
    expect(() => endpointUrl('https://me:secret@h/v1')).not.toThrow('secret');
  });

  test('Retry-After is seconds or a date', () => {
    expect(retryAfter('3')).toBe(3000);
    expect(retryAfter('Thu, 01 Jan 1970 00:00:10 GMT', 4000)).toBe(6000);
    expect(retryAfter('soon')).toBeNull();
    expect(retryAfter(null)).toBeNull();
  });
});
