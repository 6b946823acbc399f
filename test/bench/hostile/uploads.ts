import fs from 'node:fs';
import path from 'node:path';
import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import { progress } from '../../support/bench.ts';
import { plainLibrary, recordingEntries, writeHostileArchive } from '../../support/hostile-archives.ts';
import type { Person } from '../../support/team-processes.ts';
import { sleep } from '../../support/until.ts';
import { type Attack, MOST_MS, type Place } from './place.ts';

/** Archives that lie, are too large, or have no end. */

/** Sends the archive as one upload; gives what the receipt says in the end. */
async function send({ server, ws }: Place, { cookie, api }: Person, file: string): Promise<string> {
  const bytes = fs.statSync(file).size;
  const headers = { cookie, origin: server.origin, 'sec-fetch-site': 'same-origin', 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${server.origin}${FILE_ROUTES.uploads(ws)}`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes) },
  });
  if (begun.status !== 201) return `not begun: ${begun.status} ${(await begun.text()).slice(0, 200)}`;
  const at = begun.headers.get('location') ?? '';
  const body = await fs.openAsBlob(file);
  const sent = await fetch(`${server.origin}${at}`, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body,
  });
  if (sent.status !== 204) return `not sent: ${sent.status} ${(await sent.text()).slice(0, 200)}`;
  const upload = at.split('/').at(-1) ?? '';
  for (const until = performance.now() + MOST_MS; performance.now() < until; await sleep(100)) {
    const { state, error, recordings } = await api.uploads.receipt({ ws, upload });
    if (state === 'taken') return `taken: ${recordings.length}`;
    if (state === 'refused') return `refused: ${error?.code} ${error?.message.slice(0, 160)}`;
    if (error && performance.now() > until - MOST_MS + 20_000)
      return `goes on after ${error.code}: ${error.message.slice(0, 160)}`;
  }
  return 'not over';
}

let made = 0;
const tarOf = ({ folder }: Place, entries: Parameters<typeof writeHostileArchive>[1]): string => {
  const file = path.join(folder, `hostile-${made++}.tar`);
  const bytes = writeHostileArchive(file, entries);
  progress(`    ${(bytes / 1e6).toFixed(0)} MB`);
  return file;
};
const one = (
  place: Place,
  id: string,
  wishes: Parameters<typeof recordingEntries>[1] = {},
  library: object = {},
): string => tarOf(place, { recordings: [id], entries: [plainLibrary(library), ...recordingEntries(id, wishes)] });

const MOVE = '{"type":"move","t":1000000,"x":10,"y":10}\n';
const CLICKS =
  '{"type":"down","t":1000000,"x":10,"y":10,"button":"left"}\n{"type":"up","t":1000000,"x":10,"y":10,"button":"left"}\n';

export const UPLOAD_ATTACKS: readonly Attack[] = [
  {
    name: 'manifest of 60 MB',
    run: (place) =>
      send(
        place,
        place.recorder,
        tarOf(place, {
          recordings: ['r1'],
          entries: [plainLibrary(), ...recordingEntries('r1')],
          manifest: ({ files }) => ({
            files: [
              ...files,
              ...Array.from({ length: 480_000 }, (_, n) => ({
                path: `recordings/r1/${n}`,
                bytes: 0,
                sha256: '0'.repeat(64),
              })),
            ],
          }),
        }),
      ),
  },
  {
    name: 'manifest of 30 million nulls',
    run: (place) =>
      send(
        place,
        place.recorder,
        tarOf(place, {
          recordings: ['r1'],
          entries: [plainLibrary(), ...recordingEntries('r1')],
          manifest: ({ files }) => ({
            files,
            more: Array.from({ length: 12_000_000 }, () => 0)
              .map(() => [0])
              .slice(0, 12_000_000),
          }),
        }),
      ),
  },
  {
    name: 'library of 300,000 tasks',
    run: (place) => {
      const software = [{ id: 'hs', name: 'HS', prefix: 'HS', platforms: '', aliases: [], executables: [] }];
      const tasks = Array.from({ length: 300_000 }, (_, n) => ({
        id: `HS_${n}`,
        software: 'hs',
        goal: `Goal ${n}`,
        state: 'open',
        platform: '',
        sourceUrl: '',
        notes: '',
      }));
      return send(place, place.recorder, one(place, 'r2', {}, { software, tasks }));
    },
  },
  {
    name: 'ten million events',
    run: (place) => send(place, place.recorder, one(place, 'r3', { events: MOVE.repeat(10_000), times: 1000 })),
  },
  {
    name: 'two million clicks',
    run: (place) => send(place, place.recorder, one(place, 'r4', { events: CLICKS.repeat(10_000), times: 200 })),
  },
  {
    name: 'a truncated archive',
    run: async (place) => {
      const file = one(place, 'r5', { more: [{ path: 'screen.mkv', bytes: Buffer.alloc(1 << 20, 1), times: 50 }] });
      fs.truncateSync(file, 45_000_000);
      return send(place, place.recorder, file);
    },
  },
  {
    name: 'a manifest that says 190 GB',
    run: (place) =>
      send(
        place,
        place.recorder,
        tarOf(place, {
          recordings: ['r6'],
          entries: [plainLibrary(), ...recordingEntries('r6')],
          manifest: ({ files }) => ({
            files: [...files, { path: 'recordings/r6/screen.mkv', bytes: 190e9, sha256: '0'.repeat(64) }],
          }),
        }),
      ),
  },
  {
    name: 'a line of 300 MB',
    run: (place) => send(place, place.recorder, one(place, 'r7', { events: Buffer.alloc(1 << 20, 0x20), times: 300 })),
  },
  {
    name: 'two hundred thousand small files',
    run: (place) =>
      send(
        place,
        place.recorder,
        one(place, 'r8', {
          more: Array.from({ length: 150_000 }, (_, n) => ({ path: `keyframes/${n}.png`, bytes: '' })),
        }),
      ),
  },
];
