import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TRANSCRIPT_FILE, takeTranscript, voiceOf } from '../recordings/voice.ts';
import { VOICE_FILE, wavHeader } from '../recordings/voice-file.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { voiceToSend, writeDownVoice } from './write-down.ts';

/** A scripted server of /audio/transcriptions, and what it was sent. */
type Asked = { path: string; key: string | undefined; fields: Record<string, string>; wav: Buffer };
const asked: Asked[] = [];
let answer: (n: number) => { status?: number; body: string };
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const form = await new Response(Buffer.concat(chunks), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData();
  const file = form.get('file');
  const fields = Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  const wav = file instanceof File ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
  asked.push({ path: request.url ?? '', key: request.headers.authorization, fields, wav });
  const { status = 200, body } = answer(asked.length - 1);
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
});
let endpoint: string;
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => new Promise((done) => server.close(done)));

const folders = temporaryFolders();
afterEach(() => {
  folders.clean();
  asked.length = 0;
});

const RATE = 16_000;
/** A recording whose sound is [seconds, height] one after the other. */
function withSound(...parts: [number, number][]): string {
  const folder = writeSample(folders.make(), sampleRecording({ voice: { rate: RATE } }), []);
  const samples = Int16Array.from(
    parts.flatMap(([s, height]) => Array.from({ length: s * RATE }, (_, n) => Math.round(height * Math.sin(n / 3)))),
  );
  const sound = Buffer.from(samples.buffer);
  writeFileSync(join(folder, VOICE_FILE), Buffer.concat([wavHeader(sound.length), sound]));
  return folder;
}
const options = (more: object = {}) => ({
  endpoint,
  model: 'whisper-1',
  language: null,
  timed: true,
  key: 'sk-very-secret-key',
  rate: null,
  timeoutMs: 20_000,
  tries: 2,
  backoffMs: 1,
  ...more,
});
const segments = (...parts: [number, number, string][]) =>
  JSON.stringify({
    text: parts.map(([, , text]) => text).join(' '),
    segments: parts.map(([start, end, text]) => ({ id: 0, start, end, text, tokens: [] })),
  });

describe('the voice written down by a model', () => {
  test('goes out as sound between pauses with the key, and comes back on the recording’s clock', async () => {
    const folder = withSound([2, 5], [3, 8000], [2, 5], [1, 8000], [3, 5]);
    answer = () => ({
      body: segments([0.5, 2, ' First I open\nthe menu '], [2.5, 900, 'then <save> & go'], [4, 5, ' ']),
    });
    expect(await voiceToSend(folder, true)).toEqual({ pieces: 1, us: 6_600_000 });
    expect(asked).toEqual([]);
    const { lines } = await writeDownVoice(folder, options({ language: 'en' }));
    const from = 1_700_000;
    expect(lines).toEqual([
      { start: from + 500_000, end: from + 2_000_000, text: 'First I open the menu' },
      { start: from + 2_500_000, end: from + 6_600_000, text: 'then <save> & go' },
    ]);
    expect(asked).toMatchObject([
      {
        path: '/v1/audio/transcriptions',
        key: 'Bearer sk-very-secret-key',
        fields: {
          model: 'whisper-1',
          response_format: 'verbose_json',
          'timestamp_granularities[]': 'segment',
          language: 'en',
        },
      },
    ]);
    const whole = readFileSync(join(folder, VOICE_FILE));
    const { wav } = asked[0]!;
    expect(wav.subarray(0, 44)).toEqual(wavHeader(wav.length - 44));
    expect(wav.subarray(44).equals(whole.subarray(44 + 2 * 1.7 * RATE, 44 + 2 * 8.3 * RATE))).toBe(true);
  });

  test('without times each breath goes by itself, and is a line', async () => {
    const folder = withSound([2, 5], [3, 8000], [2, 5], [35, 8000], [2, 5]);
    answer = (n) => ({ body: JSON.stringify({ text: ['Open', '', 'Save'][n] }) });
    const { lines } = await writeDownVoice(folder, options({ timed: false, key: null }));
    expect(lines).toEqual([
      { start: 1_700_000, end: 5_300_000, text: 'Open' },
      { start: 36_700_000, end: 42_300_000, text: 'Save' },
    ]);
    expect(asked.map(({ key, fields }) => [key, fields.response_format])).toEqual(Array(3).fill([undefined, 'json']));
  });

  test('more than ten minutes go in pieces', async () => {
    const folder = withSound([290, 900], [2, 0], [310, 900], [2, 0], [1, 900]);
    answer = () => ({ body: segments([0, 1, 'x']) });
    const { lines } = await writeDownVoice(folder, options());
    expect(asked.length).toBe(2);
    expect(lines.map(({ start }) => start)).toEqual([0, expect.any(Number)]);
    expect(asked.every(({ wav }) => wav.length < 25_000_000)).toBe(true);
  });

  test.each([
    ['one that refuses', { status: 401, body: '{"error":{"message":"bad sk-very-secret-key"}}' }, /status 401/],
    ['one that is no transcript', { body: '{"choices": []}' }, /no transcript in JSON/],
    ['one that is no JSON', { body: '<html>' }, /no transcript in JSON/],
    ['one without times', { body: '{"text": "Open the menu"}' }, /not when/],
    ['one that heard nothing', { body: segments() }, /heard nothing/],
    ['times that are none', { body: '{"text":"x","segments":[{"start":-1,"end":"a","text":"x"}]}' }, /no transcript/],
  ])('of %s nothing is taken, and the transcript is as it was', async (_, body, why) => {
    const folder = withSound([1, 8000]);
    await takeTranscript(folder, 'WEBVTT\n\n00:00.000 --> 00:01.000\nBefore\n');
    const before = readFileSync(join(folder, TRANSCRIPT_FILE));
    answer = () => body;
    const error: unknown = await writeDownVoice(folder, options()).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'ENDPOINT_FAILED', message: expect.stringMatching(why) });
    expect(String(error)).not.toContain('very-secret');
    expect(readFileSync(join(folder, TRANSCRIPT_FILE))).toEqual(before);
  });

  test('nothing is sent of silence, of a recording without sound, or to what is no address', async () => {
    for (const folder of [withSound([3, 0]), writeSample(folders.make(), sampleRecording(), [])])
      for (const go of [() => voiceToSend(folder, true), () => writeDownVoice(folder, options())])
        await expect(go()).rejects.toMatchObject({ code: 'USAGE' });
    await expect(writeDownVoice(withSound([1, 8000]), options({ endpoint: 'ftp://x' }))).rejects.toMatchObject({
      code: 'USAGE',
    });
    expect(asked).toEqual([]);
    expect((await voiceOf(withSound([1, 8000]))).lines).toEqual([]);
  });

  test('who stops it waits for nothing', async () => {
    const stop = new AbortController();
    answer = () => {
      stop.abort(new Error('stopped'));
      return { status: 500, body: '' };
    };
    const folder = withSound([1, 8000]);
    await expect(writeDownVoice(folder, options({ signal: stop.signal }))).rejects.toThrow('stopped');
    expect(asked).toHaveLength(1);
  });
});
