import { describe, expect, test } from 'vitest';
import { StudioError } from '../../schemas/errors.ts';
import { createBodies } from './bodies.ts';
import type { Principal } from './members/principal.ts';

const memberOf = (id: string): Principal => ({
  kind: 'member',
  id,
  name: id,
  email: `${id}@lab.test`,
  role: 'viewer',
  rights: new Set(),
  by: { kind: 'session', id: 's', endsAt: '' },
});
const ANA = { principal: memberOf('ana') };
const JSON_TYPE = { 'content-type': 'application/json' };
const MB = 1024 * 1024;

const asked = (body: BodyInit, headers: Record<string, string> = JSON_TYPE): Request =>
  new Request('http://studio.test/rpc/x/y', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
const textOf = (request: Request): Promise<string> => request.text();
const refused = { status: 400, code: 'USAGE' };

describe('a body', () => {
  test('comes whole, with its method, headers and end', async () => {
    const bodies = createBodies();
    const text = JSON.stringify({ json: { goal: 'Zeichne „Ünï“ 漢字 \u0000 "[[[" {' } });
    expect(await bodies(asked(text), ANA, textOf)).toBe(text);
    const told = async ({ method, headers, url }: Request) => [method, headers.get('x-a'), url];
    expect(await bodies(asked('{}', { ...JSON_TYPE, 'x-a': '1' }), ANA, told)).toEqual([
      'POST',
      '1',
      'http://studio.test/rpc/x/y',
    ]);
    expect(await bodies(asked(''), ANA, textOf)).toBe('');
    expect(await bodies(new Request('http://studio.test/rpc/x/y'), ANA, textOf)).toBe('');
  });

  test.each([
    ['lists in lists', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['objects in objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['millions of empty lists', `[${'[],'.repeat(3_000_000)}[]]`],
    ['millions of empty objects', `[${'{},'.repeat(3_000_000)}{}]`],
    ['millions of numbers', `[${'1,'.repeat(3_000_000)}1]`],
    ['more bytes than are taken', `"${'x'.repeat(33 * MB)}"`],
  ])('of %s is not read as JSON', async (_what, body) => {
    await expect(createBodies()(asked(`{"json":${body}}`), ANA, textOf)).rejects.toMatchObject(refused);
  });

  test('that is no JSON is short', async () => {
    const bodies = createBodies();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await bodies(asked('a=1', form), ANA, textOf)).toBe('a=1');
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/jsonx', ''])
      await expect(bodies(asked('a=1&'.repeat(50_000), { 'content-type': type }), ANA, textOf)).rejects.toMatchObject(
        refused,
      );
  });
});

test('one member holds so much of the memory at once, whatever others do, and has it again afterwards', async () => {
  const bodies = createBodies();
  const open = () => {
    const held = Promise.withResolvers<void>();
    // 31 MB came, and the rest does not come.
    const body = new ReadableStream<Uint8Array>({
      start(to) {
        to.enqueue(new Uint8Array(31 * MB));
        void held.promise.then(() => to.error(new Error('gone')));
      },
    });
    return { end: () => held.resolve(), over: bodies(asked(body), ANA, textOf).catch(() => 'over') };
  };
  const both = [open(), open()];
  const large = `"${'x'.repeat(5 * MB)}"`;
  const fault = () =>
    bodies(asked(large), ANA, textOf).then(
      () => null,
      (error: unknown) => error,
    );
  let refusal = await fault();
  // Until both are read as far as they came.
  while (refusal === null) refusal = await fault();
  expect(refusal).toMatchObject({ status: 429, code: 'TOO_MANY_TRIES' });
  expect(await bodies(asked('1'), ANA, textOf)).toBe('1');
  for (const principal of [memberOf('ben'), { kind: 'account' } as const])
    expect(await bodies(asked(large), { principal }, textOf)).toBe(large);
  for (const one of both) one.end();
  expect(await Promise.all(both.map(({ over }) => over))).toEqual(['over', 'over']);
  expect(await bodies(asked(large), ANA, textOf)).toBe(large);
});

test('of a call that its caller may not make, no more than the beginning is read', async () => {
  let sent = 0;
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(to) {
        sent++;
        to.enqueue(new Uint8Array(50_000).fill(0x20));
        if (sent === 200) to.close();
      },
    });
  const mayAsk = () => Promise.reject(new StudioError('FORBIDDEN', 'Not yours.', {}));
  const bodies = createBodies();
  await expect(bodies(asked(body()), { ...ANA, mayAsk }, textOf)).rejects.toMatchObject({ status: 403 });
  expect(sent).toBeLessThan(8);
  expect(await bodies(asked('{"a":1}'), { ...ANA, mayAsk }, textOf)).toBe('{"a":1}');
});

test('large bodies of one member are worked at one at a time, small ones and those of others beside them', async () => {
  const bodies = createBodies();
  const large = `"${'x'.repeat(2 * MB)}"`;
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let atWork = 0;
  const work = async (request: Request): Promise<void> => {
    await request.text();
    atWork++;
    begun.resolve();
    await gate.promise;
  };
  const both = [bodies(asked(large), ANA, work), bodies(asked(large), ANA, work)];
  await begun.promise;
  expect(await bodies(asked('1'), ANA, textOf)).toBe('1');
  expect(await bodies(asked(large), { principal: memberOf('ben') }, textOf)).toBe(large);
  expect(atWork).toBe(1);
  gate.resolve();
  await Promise.all(both);
  expect(atWork).toBe(2);
});
