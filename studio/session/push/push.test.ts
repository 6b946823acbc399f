import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { labelId } from '../../../core/annotate/ids.ts';
import { emptyLabel } from '../../../core/annotate/label.ts';
import { ARCHIVE_VERSION, VERSION_WITHOUT_COMPOSITIONS } from '../../../schemas/archive.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { changeRole } from '../../api/members/members.ts';
import { ACCOUNT } from '../../api/members/principal.ts';
import { openDocuments } from '../../documents/documents.ts';
import { reviewGate } from '../../documents/review/gate.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import type { Workspace } from '../../store/workspace.ts';
import { trashRecording } from '../recordings.ts';
import { readJournal } from './journal.ts';
import { type Pushed, type PushWishes, pushRecording } from './push.ts';
import { clockWarning } from './send.ts';
import { QUICK, type TeamWithWire, teamWithWire } from './team-for-tests.ts';

const folders = temporaryFolders();
let team: TeamWithWire;
let token: string;
beforeAll(async () => {
  team = await teamWithWire(folders.make());
  ({ token } = await team.token('recorder', ['see', 'record']));
});
afterAll(async () => {
  await team.close();
  folders.clean();
});

const push = (workspace: Workspace, id: string, more: Partial<PushWishes> = {}): Promise<Pushed> =>
  pushRecording(workspace, id, {
    server: { origin: team.origin, token },
    voice: false,
    free: false,
    version: '0.1.0',
    signal: new AbortController().signal,
    report: () => undefined,
    patience: QUICK,
    chunkBytes: 64 * 1024,
    ...more,
  });
const videoAt = (dir: string, id: string): Buffer => readFileSync(join(dir, 'recordings', id, 'screen.mkv'));
const uploadsLeft = (): string[] =>
  existsSync(join(team.dir, 'uploads'))
    ? readdirSync(join(team.dir, 'uploads')).filter((name) => name.endsWith('.part'))
    : [];
let n = 0;
const newId = (): string => `20260504-102030-push${String(++n).padStart(4, '0')}`;

describe('a recording goes to the server', () => {
  test('whole, with its task; the same again is the same one', async () => {
    const id = newId();
    const workspace = await team.machine([id]);
    const sent = await push(workspace, id.slice(0, -1) + id.at(-1));
    expect(sent).toMatchObject({ recording: id, known: false, failures: 0, bare: true, freed: false });
    expect(sent.sentBytes).toBe(sent.bytes);
    expect(videoAt(team.dir, id).equals(videoAt(workspace.dir, id))).toBe(true);
    const entry = await team.open.workspace.getRecording(id);
    expect([entry.task, entry.state]).toEqual(['GIMP_1', 'recorded']);
    expect(uploadsLeft()).toEqual([]);
    expect(readdirSync(join(workspace.dir, 'outgoing', id))).toEqual(['push.json']);
    const again = await push(workspace, id);
    expect(again).toMatchObject({ known: false, confirmed: sent.confirmed });
    // It was found by its list of files: nothing but questions went over the wire.
    expect(again.sentBytes).toBe(0);
    // Removed at the server, what it once confirmed counts no more.
    await trashRecording(team.open.workspace, id);
    expect((await push(workspace, id)).sentBytes).toBe(sent.bytes);
    const other = await team.machine([id]);
    // Another machine's recording of the same id is another one, which is said, and stays there.
    await expect(push(other, id, { free: true })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(existsSync(join(other.dir, 'recordings', id))).toBe(true);
    expect((await team.open.workspace.listRecordings()).filter((one) => one.id === id)).toHaveLength(1);
  });

  test('freed only when it is asked for, and after every hash was confirmed', async () => {
    const [id, other] = [newId(), newId()];
    const workspace = await team.machine([id, other]);
    const sent = await push(workspace, id, { free: true });
    expect([sent.freed, existsSync(join(workspace.dir, 'recordings', id))]).toEqual([true, false]);
    expect(readdirSync(join(workspace.dir, 'trash'))).toEqual([]);
    expect(readJournal(workspace, id)?.confirmedAt).not.toBeNull();
    writeFileSync(join(workspace.dir, 'recordings', other, 'voice.wav'), 'sound');
    await expect(push(workspace, other, { free: true })).rejects.toThrow('has a voice');
    expect(existsSync(join(workspace.dir, 'recordings', other))).toBe(true);
  });

  test('somebody who manages brings the work on it; a recorder the recording alone', async () => {
    const [id, other] = [newId(), newId()];
    const workspace = await team.machine([id, other]);
    const documents = openDocuments(workspace, reviewGate());
    for (const one of [id, other]) {
      await documents.get(one);
      const label = { ...emptyLabel(`${one}:0`), id: labelId(`${one}:0`), element: 'Crop tool' };
      await documents.apply(one, { id: randomUUID(), label: 'Name', changes: [{ op: 'add', record: label }] }, 'me');
    }
    await documents.close();
    const { token: managers } = await team.token('manager', ['see', 'record', 'manage']);
    expect(await push(workspace, id, { server: { origin: team.origin, token: managers } })).toMatchObject({
      bare: false,
    });
    expect(await push(workspace, other)).toMatchObject({ bare: true });
    const states = await team.open.workspace.listRecordings();
    expect(states.filter((one) => one.id === id || one.id === other).map((one) => [one.id, one.state])).toEqual(
      expect.arrayContaining([
        [id, 'annotating'],
        [other, 'recorded'],
      ]),
    );
    const labels = async (recording: string): Promise<string[]> =>
      (await team.open.unchecked.documents.history(recording, { limit: 9 })).map(({ label }) => label);
    expect([await labels(id), await labels(other)]).toEqual([['Name', 'Begin'], ['Begin']]);
  });
});

describe('a connection that breaks', () => {
  test('cut twenty times: at most one piece is sent again each time, and what arrives is what was sent', async () => {
    const id = newId();
    const chunkBytes = 128 * 1024;
    const workspace = await team.machine([id], 4_000_000);
    // Somewhere in each stretch: within a piece, between two, in a question.
    let times = 0;
    team.wire.cutAfter(() => 60_000 + ((times++ * 77_777) % 150_000), 20);
    const before = team.wire.cuts();
    const sent = await push(workspace, id, { chunkBytes });
    expect(team.wire.cuts() - before).toBe(20);
    expect(sent.sentBytes - sent.bytes).toBeLessThanOrEqual(20 * chunkBytes);
    expect(videoAt(team.dir, id).equals(videoAt(workspace.dir, id))).toBe(true);
  });

  test('wherever it is cut, and however often the sender begins anew (law)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (cuts, stops) => {
          const id = newId();
          const workspace = await team.machine([id], 200_000);
          const next = cuts.values();
          team.wire.cutAfter(() => next.next().value ?? Number.POSITIVE_INFINITY, cuts.length);
          let pushed: Pushed | null = null;
          for (let tries = 0; pushed === null && tries < 20; tries++) {
            const patience = stops ? { ...QUICK, giveUpMs: 0 } : QUICK;
            pushed = await push(workspace, id, { patience, chunkBytes: 32_768 }).catch((error: unknown) => {
              if (error instanceof StudioError && error.details.passes === true) return null;
              throw error;
            });
          }
          team.wire.cutAfter(() => Number.POSITIVE_INFINITY, 0);
          expect(pushed).not.toBeNull();
          expect(videoAt(team.dir, id).equals(videoAt(workspace.dir, id))).toBe(true);
          expect(uploadsLeft()).toEqual([]);
        },
      ),
      { numRuns: 8 },
    );
  });

  test('stopped, it goes on after what arrived; its note holds no token', async () => {
    const id = newId();
    const workspace = await team.machine([id], 1_000_000);
    const control = new AbortController();
    const report = (_share: number, message: string): void => {
      if (message.startsWith('sending: 0.5')) control.abort();
    };
    await expect(push(workspace, id, { signal: control.signal, report })).rejects.toMatchObject({ code: 'CANCELLED' });
    const text = readdirSync(join(workspace.dir, 'outgoing', id))
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join(workspace.dir, 'outgoing', id, name), 'utf8'))
      .join('');
    expect(text).not.toContain(token);
    expect(existsSync(join(workspace.dir, 'recordings', id, 'push.json'))).toBe(false);
    const sent = await push(workspace, id);
    expect(sent.sentBytes).toBeLessThan(600_000);
  });

  test('the server begins anew in the middle, and after the last byte', async () => {
    const id = newId();
    const workspace = await team.machine([id], 1_000_000);
    let restarted = 0;
    const report = (_share: number, message: string): void => {
      const wanted = ['sending: 0.3', 'at the server'][restarted];
      if (wanted === undefined || !message.startsWith(wanted)) return;
      restarted++;
      void team.restart();
    };
    const sent = await push(workspace, id, { report });
    expect(sent.confirmed).toBeGreaterThan(2);
    expect(restarted).toBeGreaterThan(0);
    expect(videoAt(team.dir, id).equals(videoAt(workspace.dir, id))).toBe(true);
    expect(uploadsLeft()).toEqual([]);
  });

  test('begun again while the server begins anew: it is waited for, as long as a part of it is there', async () => {
    const id = newId();
    const workspace = await team.machine([id], 1_000_000);
    const control = new AbortController();
    const stop = (_share: number, message: string): void => {
      if (message.startsWith('sending: 0.5')) control.abort();
    };
    await expect(push(workspace, id, { signal: control.signal, report: stop })).rejects.toThrow('stopped');
    team.wire.refuse(true);
    const patience = { ...QUICK, giveUpMs: 0 };
    await expect(push(workspace, id, { patience })).rejects.toMatchObject({ code: 'UNREACHABLE' });
    const said: string[] = [];
    const report = (_share: number, message: string): void => {
      said.push(message);
      if (said.length === 2) team.wire.refuse(false);
    };
    const sent = await push(workspace, id, { report });
    expect(sent.sentBytes).toBeLessThan(600_000);
    expect(said.slice(0, 2).join('\n')).toMatch(/was lost .*Trying again in 1 s\n.*Trying again in/);
  });

  test('nothing answers: it is tried again, and said', async () => {
    const id = newId();
    const workspace = await team.machine([id]);
    team.wire.refuse(true);
    await expect(push(workspace, id)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    const said: string[] = [];
    team.wire.refuse(false);
    const report = (_share: number, message: string): void => {
      said.push(message);
      if (said.filter((one) => one.startsWith('sending: 0.1')).length === 1 && message.startsWith('sending: 0.1')) {
        team.wire.refuse(true);
        setTimeout(() => team.wire.refuse(false), 200);
      }
    };
    await push(workspace, id, { report, chunkBytes: 65_536 });
    expect(said.join('\n')).toMatch(/was lost .*Trying again in/);
  });
});

describe('refusals in words', () => {
  const answering = async (status: number, type: string, body: string, headers: object = {}) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
  };
  const told = async (origin: string, own = token): Promise<StudioError> => {
    const id = newId();
    const workspace = await team.machine([id], 1000);
    const error: unknown = await push(workspace, id, { server: { origin, token: own } }).catch((thrown) => thrown);
    if (!(error instanceof StudioError)) throw new Error('It was not refused by one of ours.');
    expect(error.message).not.toContain(own);
    return error;
  };

  test('another page, a page that sends on, a proxy without a server, an older server', async () => {
    const cases = [
      [200, 'text/html', '<html><title>Welcome to nginx!</title>', {}, 'UNREACHABLE', '"Welcome to nginx!"'],
      [404, 'text/html', 'x', {}, 'UNREACHABLE', 'older version takes no recordings'],
      [
        302,
        'text/html',
        '',
        { location: 'https://login.lab.org/x' },
        'UNREACHABLE',
        'sends on to https://login.lab.org',
      ],
      [502, 'text/html', '', {}, 'UNREACHABLE', 'finds no studio behind it'],
      [200, 'application/json', '{"ws":1}', {}, 'FUTURE_VERSION', 'One of both is older'],
      [200, 'application/json', '{"ws":', {}, 'UNREACHABLE', "no team's server"],
    ] as const;
    for (const [status, type, body, headers, code, words] of cases) {
      const other = await answering(status, type, body, headers);
      const error = await told(other.origin);
      other.close();
      expect([body, error.code, error.message]).toEqual([body, code, expect.stringContaining(words)]);
    }
  });

  test('a server that speaks otherwise', async () => {
    const welcome = {
      ws: 'x',
      workspace: 'x',
      version: '9.0',
      protocol: 1,
      archives: ARCHIVE_VERSION,
      tokenEndsAt: null,
    };
    const person = { id: 'x', name: 'x', email: 'x' };
    const more = { person, whole: true, mostBytes: 1, now: new Date().toISOString() };
    for (const [change, words] of [
      [{ protocol: 2 }, 'newer than this one'],
      [{ protocol: 0 }, 'older than this one'],
      // The least that an archive of a recording is.
      [{ archives: VERSION_WITHOUT_COMPOSITIONS - 1 }, 'does not read archives of version 2'],
    ] as const) {
      const other = await answering(200, 'application/json', JSON.stringify({ ...welcome, ...more, ...change }));
      expect((await told(other.origin)).message).toContain(words);
      other.close();
    }
  });

  test('an older server takes what it can read: this is refused for its size, after its version was found good', async () => {
    const more = {
      person: { id: 'x', name: 'x', email: 'x' },
      whole: true,
      mostBytes: 1,
      now: new Date().toISOString(),
    };
    const welcome = { ws: 'x', workspace: 'x', version: '0.0.9', protocol: 1, tokenEndsAt: null, ...more };
    const archives = VERSION_WITHOUT_COMPOSITIONS;
    const other = await answering(200, 'application/json', JSON.stringify({ ...welcome, archives }));
    expect(await told(other.origin)).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('--upload-limit'),
    });
    other.close();
  });

  test('a right that is taken away in the middle stops it at once, and says so', async () => {
    const id = newId();
    const workspace = await team.machine([id], 1_000_000);
    const { id: member, token: own } = await team.token('recorder', ['see', 'record']);
    let begun = 0;
    const changed: Promise<unknown>[] = [];
    const report = (_share: number, message: string): void => {
      begun += message.includes('Trying again') ? 1 : 0;
      if (message.startsWith('sending: 0.3') && changed.length === 0)
        changed.push(changeRole(team.open.workspace.store, ACCOUNT, member, 'viewer'));
    };
    const server = { origin: team.origin, token: own };
    const refused = push(workspace, id, { server, report });
    await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(refused).rejects.not.toMatchObject({ details: { passes: true } });
    expect([begun, changed.length]).toEqual([0, 1]);
  });

  test('no name, nothing there, no encryption', async () => {
    expect((await told('https://no-such-name.invalid')).message).toMatch(/is not known|was lost/);
    expect((await told(`https://127.0.0.1:${team.wire.port}`)).code).toBe('UNREACHABLE');
    const gone = await answering(200, 'text/html', '');
    gone.close();
    expect((await told(gone.origin)).message).toContain('Nothing listens');
  });

  test('a token that is unknown, has ended, or gives no right', async () => {
    expect(await told(team.origin, `tst_${'a'.repeat(43)}`)).toMatchObject({ code: 'SIGNED_OUT' });
    const { token: viewers } = await team.token('viewer', ['see']);
    expect(await told(team.origin, viewers)).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('wants the right "record"'),
    });
    const { token: narrow } = await team.token('recorder', ['see']);
    expect(await told(team.origin, narrow)).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('one that is larger than the server takes', async () => {
    const small = await teamWithWire(folders.make(), { mostBytes: 50_000 });
    const { token: own } = await small.token('recorder', ['see', 'record']);
    const id = newId();
    const workspace = await small.machine([id], 100_000);
    const server = { origin: small.origin, token: own };
    await expect(push(workspace, id, { server })).rejects.toThrow('--upload-limit');
    await small.close();
  });

  test('a clock that is wrong is told', () => {
    const now = '2026-05-04T10:00:00.000Z';
    const at = (minutes: number) =>
      clockWarning({ now } as Parameters<typeof clockWarning>[0], Date.parse(now) + minutes * 60_000);
    expect(at(1)).toBeNull();
    expect(at(61)).toContain('61 minutes ahead');
    expect(at(-61)).toContain('61 minutes behind');
  });
});
