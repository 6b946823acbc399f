import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toRecords } from '../../../core/annotate/document.ts';
import { nameElement } from '../../../core/annotate/edit.ts';
import { errorBody, isPassing } from '../../../schemas/errors.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { addClicks, errorOf } from '../../documents/clicks-for-tests.ts';
import { openDocuments } from '../../documents/documents.ts';
import { reviewGate } from '../../documents/review/gate.ts';
import { insertPerson, listPeople } from '../people.ts';
import { temporaryFolders } from '../recording-for-tests.ts';
import { linesSince } from '../transactions.ts';
import type { Workspace } from '../workspace.ts';
import { openPostgresStore } from './open.ts';
import { openServer, type PostgresServer } from './server.ts';
import { postgresWorkspace } from './workspace.ts';

/** The server ends, or the network is cut, in the middle of work: what was answered is there, once, and work goes on. */

const ID = '3f2a9c1e';
const folders = temporaryFolders();
let postgres: TestPostgres;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let server: PostgresServer;
let workspace: Workspace;

beforeAll(async () => {
  postgres = await startPostgres();
  const address = new URL(await postgres.make());
  proxy = await startProxy(Number(address.port));
  address.port = String(proxy.port);
  server = await openServer(address.href);
  workspace = postgresWorkspace(folders.make(), await openPostgresStore(server), server);
  await insertPerson(workspace.store, { id: 'ada', name: 'Ada', email: null });
  addClicks(workspace, ID);
  await workspace.syncIndex();
});
afterAll(async () => {
  await server?.close().catch(() => undefined);
  proxy?.close();
  postgres?.stop();
  folders.clean();
});

/** Passes everything on to a port; `cut` ends every connection at once, as a network does. */
async function startProxy(to: number) {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of [...open]) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close() {
      server.close();
      cut();
    },
  };
}

/** As a page does: what passes is sent again under the same id until it is answered. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(errorBody(error).code)) throw error;
      await sleep(20);
    }
  }
}

test('connections that are cut and a server that crashes and comes again lose no gesture and do none twice', async () => {
  const documents = openDocuments(workspace, reviewGate());
  const { steps } = await documents.openRecording(ID);
  await documents.get(ID);
  const names = Array.from({ length: 24 }, (_, at) => `name ${at}`);
  /** What happens while a gesture is on its way, every third time. */
  const faults = [async () => proxy.cut(), () => postgres.crash(), async () => proxy.cut(), () => postgres.restart()];
  for (const [at, name] of names.entries()) {
    const records = toRecords((await patiently(() => documents.get(ID))).records);
    const changes = nameElement(records, steps[0]!.id, name, 'hand');
    const gesture = { id: randomUUID(), label: name, changes };
    const sent = patiently(() => documents.apply(ID, gesture, 'ada'));
    if (at % 3 === 0) {
      // Another moment of the gesture each time.
      await sleep(at / 3);
      await faults[(at / 3) % faults.length]!();
    }
    await sent;
  }
  const labels = (await patiently(() => linesSince(workspace.store, ID, 1))).map(({ label }) => label);
  expect(labels).toEqual(names);
  await documents.close();
});

test('a question waits for a server that comes back, and says why when it does not', async () => {
  proxy.cut();
  expect((await listPeople(workspace.store)).map(({ name }) => name)).toEqual(['Ada']);
  await postgres.pause();
  const { code, message } = await errorOf(listPeople(workspace.store));
  expect([code, message]).toEqual(['WORKSPACE_BUSY', expect.stringMatching(/does not answer/)]);
  await postgres.resume();
  await patiently(() =>
    workspace.store.transaction((trx) => insertPerson(trx, { id: 'ben', name: 'Ben', email: null })),
  );
  expect(await listPeople(workspace.store)).toHaveLength(2);
});
