import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyText } from '../../test/support/any-text.ts';
import { openQuickBus, type QuickBus } from './dbus.ts';
import { MOST_VALUES } from './dbus-values.ts';
import { type Message, messageOf, signatureOf, startFakeBus, type Typed } from './fake-bus-for-tests.ts';
import { BusError } from './gio.ts';
import type { Variant } from './gvariant.ts';
import { libdbus } from './libdbus.ts';

const BUS = { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', face: 'org.freedesktop.DBus' };
const nameOf = (bus: QuickBus): string =>
  String((bus.ask([{ to: BUS, method: 'GetNameOwner', args: ['org.freedesktop.DBus'] }], 5000)[0] as Variant[])[0]);

describe.runIf(process.platform === 'linux')('on a bus', () => {
  let daemon: ChildProcessWithoutNullStreams;
  let address = '';
  beforeAll(async () => {
    daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address']);
    const [printed] = (await once(daemon.stdout, 'data')) as [Buffer];
    address = printed.toString().trim();
  });
  afterAll(() => void daemon.kill('SIGKILL'));

  test('all that is asked at once is answered, each in its place; errors have the name that they were given', () => {
    const bus = openQuickBus(address);
    const to = { ...BUS, name: 'org.example.Nobody' };
    const [named, nobody, wrong, own] = bus.ask(
      [
        { to: BUS, method: 'NameHasOwner', args: ['org.freedesktop.DBus'] },
        { to, method: 'Any' },
        { to: BUS, method: 'NameHasOwner', args: [5] },
        { to: BUS, method: 'RequestName', args: ['org.example.Own', { uint32: 4 }] },
      ],
      5000,
    );
    expect(named).toEqual([true]);
    expect(nobody).toMatchObject({ name: 'org.freedesktop.DBus.Error.ServiceUnknown' });
    expect(wrong).toMatchObject({ name: 'org.freedesktop.DBus.Error.InvalidArgs' });
    expect(own).toEqual([1]);
    expect(nameOf(bus)).toBe('org.freedesktop.DBus');
    bus.close();
    bus.close();
    expect(bus.isOpen()).toBe(false);
    expect(bus.ask([{ to: BUS, method: 'GetId' }], 5000)[0]).toBeInstanceOf(BusError);
  });

  test('an address that would start a program is refused, and the program is not started', () => {
    const marker = join(mkdtempSync(join(tmpdir(), 'bus-')), 'started');
    const command = `unixexec:path=/bin/touch,argv1=${marker}`;
    for (const one of [command, `${address};${command}`, 'tcp:host=127.0.0.1,port=1', 'autolaunch:'])
      expect(() => openQuickBus(one)).toThrow(BusError);
    expect(existsSync(marker)).toBe(false);
    // libdbus itself would.
    libdbus().open(command, null);
    return expect.poll(() => existsSync(marker)).toBe(true);
  });

  test('names that are none are an error, and do not end this process', () => {
    const bus = openQuickBus(address);
    const bad = [
      ...['', '/', 'a//b', '/a/', '/a//b', '/ä', '/a\0', 'a b', '.', ':', ':1', 'a..b', '1.2', 'x'.repeat(300)],
      ...['\ud800', "/o/'), ('", '/'.repeat(5)],
    ];
    for (const word of bad) {
      const forms = [{ ...BUS, name: word }, { ...BUS, path: word }, { ...BUS, face: word }, BUS];
      const questions = forms.map((to, at) => ({ to, method: at === 3 ? word : 'GetId' }));
      const answers = bus.ask([...questions, { to: BUS, method: 'NameHasOwner', args: [word, [word]] }], 5000);
      // Only '/' is a path.
      expect(
        answers.every((answer) => answer instanceof BusError),
        word,
      ).toBe(word !== '/');
    }
    expect(bus.isOpen()).toBe(true);
    bus.close();
  });

  test('who does not answer is waited for once, however much was asked, and nothing of it comes later', () => {
    const [asks, silent] = [openQuickBus(address), openQuickBus(address)];
    silent.ask([{ to: BUS, method: 'RequestName', args: ['org.example.Silent', { uint32: 4 }] }], 5000);
    const to = { name: 'org.example.Silent', path: '/', face: 'org.example.Face' };
    const began = performance.now();
    const answers = asks.ask(
      Array.from({ length: 50 }, () => ({ to, method: 'Wait' })),
      60,
    );
    expect(performance.now() - began).toBeGreaterThanOrEqual(60);
    expect(answers).toHaveLength(50);
    for (const answer of answers) expect(answer).toMatchObject({ name: 'org.freedesktop.DBus.Error.NoReply' });
    silent.close();
    expect(nameOf(asks)).toBe('org.freedesktop.DBus');
    asks.close();
  });

  test('signals are heard in a turn, also those that came between question and answer', () => {
    const bus = openQuickBus(address);
    const heard: unknown[] = [];
    const match = { sender: null, path: null, face: BUS.face, member: 'NameOwnerChanged' };
    bus.subscribe({ ...match, first: 'org.example.Heard' }, (value, from) => heard.push([value[0], from]));
    bus.subscribe({ ...match, sender: 'org.example.Nobody' }, () => heard.push('never'));
    for (const name of ['org.example.Heard', 'org.example.Other'])
      bus.ask([{ to: BUS, method: 'RequestName', args: [name, { uint32: 4 }] }], 5000);
    expect(heard).toEqual([]);
    bus.turn();
    expect(heard).toEqual([['org.example.Heard', { name: BUS.name, path: BUS.path }]]);
    bus.close();
  });

  test('a bus that dies, and one that is not there, are told', async () => {
    const gone = spawn('dbus-daemon', ['--session', '--nofork', '--print-address']);
    const [printed] = (await once(gone.stdout, 'data')) as [Buffer];
    const bus = openQuickBus(printed.toString().trim());
    gone.kill('SIGKILL');
    await once(gone, 'exit');
    expect(bus.ask([{ to: BUS, method: 'GetId' }], 5000)[0]).toBeInstanceOf(BusError);
    bus.turn();
    expect(bus.isOpen()).toBe(false);
    bus.close();
    expect(() => openQuickBus('unix:path=/nowhere')).toThrow(BusError);
    expect(() => openQuickBus('no address')).toThrow(BusError);
  });
});

describe.runIf(process.platform === 'linux')('whatever is answered', () => {
  let fake: Awaited<ReturnType<typeof startFakeBus>>;
  beforeAll(async () => {
    fake = await startFakeBus();
  });
  afterAll(() => fake.stop());
  const to = { name: ':1.5', path: '/o', face: 'org.example.Face' };
  const asked = (bus: QuickBus, withinMs = 5000) => bus.ask([{ to, method: 'Any' }], withinMs)[0]!;
  const answer = (...values: Typed[]): Message => ({ kind: 'answer', sender: ':1.5', values });

  test('any values come as they were sent', () => {
    const bus = openQuickBus(fake.address);
    fc.assert(
      fc.property(fc.array(typed(3), { maxLength: 4 }), (values) => {
        fake.tell(answer(...values));
        expect(asked(bus)).toEqual(values.map(plainOf));
      }),
      { numRuns: 1000 },
    );
    bus.close();
  });

  test('an answer counts only from whom was asked, and an error is one', () => {
    const bus = openQuickBus(fake.address);
    const [own, others]: Typed[] = [
      { type: 's', value: 'own' },
      { type: 's', value: 'of others' },
    ];
    fake.tell({ ...answer(others!), sender: ':1.6' }, answer(own!), answer(others!));
    expect(asked(bus)).toEqual(['own']);
    fake.tell({ kind: 'error', sender: ':1.5', values: [{ type: 's', value: 'no' }] });
    expect(asked(bus)).toMatchObject({ name: 'org.example.Error.Refused', message: 'no' });
    bus.close();
  });

  test('of values without end the first are read', () => {
    const bus = openQuickBus(fake.address);
    const many = Array.from({ length: 3 * MOST_VALUES }, (_, value): Typed => ({ type: 'u', value }));
    fake.tell(answer({ type: 'a', of: 'u', value: many }, { type: 's', value: 'behind it' }));
    const [values] = asked(bus) as Variant[][];
    expect(values!.length).toBeGreaterThan(MOST_VALUES / 2);
    expect(values!.length).toBeLessThanOrEqual(MOST_VALUES);
    fake.tell(answer({ type: 's', value: 'x'.repeat(1_000_000) }));
    expect(asked(bus)).toEqual(['x'.repeat(1_000_000)]);
    bus.close();
  });

  test('signals to nobody, and those without an end, end with the time of the question', () => {
    const bus = openQuickBus(fake.address);
    const about = { path: '/o', face: 'org.example.Face', member: 'Told' };
    fake.tell(...Array.from({ length: 2000 }, (): Message => ({ kind: 'signal', sender: ':1.5', about, values: [] })));
    expect(asked(bus, 50)).toBeInstanceOf(BusError);
    bus.turn();
    fake.tell(answer({ type: 'i', value: 5 }));
    expect(asked(bus)).toEqual([5]);
    bus.close();
  });

  test('broken messages end in an answer or an error, never in a wait or a crash', () => {
    let bus = openQuickBus(fake.address);
    const places = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(typed(2), { maxLength: 3 }), places, fc.boolean(), (values, changes, isCut) => {
        const { bytes, replyAt } = messageOf(answer(...values));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        // Behind it a whole one: whoever believes a wrong length swallows it.
        const whole = messageOf(answer({ type: 's', value: 'whole' }));
        const told = { bytes: isCut ? bytes.subarray(0, (changes[0]?.[0] ?? 0) % bytes.length) : bytes };
        fake.tellBytes([{ bytes: told.bytes, replyAt: replyAt + 4 <= told.bytes.length ? replyAt : 0 }, whole]);
        const said = asked(bus, 20);
        expect(said instanceof BusError || Array.isArray(said)).toBe(true);
        bus.turn();
        bus.close();
        bus = openQuickBus(fake.address);
      }),
      { numRuns: 500 },
    );
    bus.close();
  });
});

function typed(depth: number): fc.Arbitrary<Typed> {
  const text = anyText().map((value) => value.replaceAll('\0', '').toWellFormed());
  const simple = fc.oneof(
    text.map((value): Typed => ({ type: 's', value })),
    fc.constantFrom('/', '/o', '/o/a_1').map((value): Typed => ({ type: 'o', value })),
    fc.constantFrom('', 's', 'a{sv}', '(ii)').map((value): Typed => ({ type: 'g', value })),
    fc.nat(255).map((value): Typed => ({ type: 'y', value })),
    fc.nat(1).map((value): Typed => ({ type: 'b', value })),
    fc.integer({ min: -32_768, max: 32_767 }).map((value): Typed => ({ type: 'n', value })),
    fc.nat(65_535).map((value): Typed => ({ type: 'q', value })),
    fc.integer().map((value): Typed => ({ type: 'i', value })),
    fc.nat(4_294_967_295).map((value): Typed => ({ type: 'u', value })),
    fc.double({ noNaN: true }).map((value): Typed => ({ type: 'd', value })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value): Typed => ({ type: 'x', value })),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value): Typed => ({ type: 't', value })),
  );
  if (depth === 0) return simple;
  const deeper = typed(depth - 1);
  const list = fc.tuple(deeper, fc.nat(4)).map(([one, times]): Typed => {
    return { type: 'a', of: signatureOf(one), value: Array.from({ length: times }, () => one) };
  });
  const dictionary = fc.tuple(fc.uniqueArray(text, { maxLength: 3 }), deeper).map(([keys, value]): Typed => {
    const entries = keys.map((key): Typed => ({ type: 'e', value: [{ type: 's', value: key }, value] }));
    return { type: 'a', of: `{s${signatureOf(value)}}`, value: entries };
  });
  return fc.oneof(
    simple,
    list,
    dictionary,
    fc.array(deeper, { minLength: 1, maxLength: 3 }).map((value): Typed => ({ type: 'r', value })),
    deeper.map((value): Typed => ({ type: 'v', value })),
  );
}

function plainOf(one: Typed): Variant {
  switch (one.type) {
    case 'b':
      return one.value === 1;
    case 'x':
    case 't':
      return Number.isSafeInteger(Number(one.value)) ? Number(one.value) : one.value;
    case 'v':
      return plainOf(one.value);
    case 'a':
      if (!one.of.startsWith('{')) return one.value.map(plainOf);
      return Object.fromEntries(one.value.map((entry) => plainOf(entry) as [string, Variant]));
    case 'r':
    case 'e':
      return one.value.map(plainOf);
    default:
      return one.value;
  }
}
