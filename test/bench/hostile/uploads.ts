import fs from 'node:fs';
import path from 'node:path';
import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import { progress } from '../../support/bench.ts';
import { plainLibrary, recordingEntries, writeHostileArchive } from '../../support/hostile-archives.ts';
import type { Person } from '../../support/team-processes.ts';
import { sleep } from '../../support/until.ts';
import { filmThatSays, hugeFilm } from './films.ts';
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

/** A recording of this film is taken in, and then all is asked for that is made of films. */
async function filmed(place: Place, id: string, film: Buffer, width: number, height: number): Promise<string> {
  const display = { id: 1, name: 'display 1', x: 0, y: 0, width, height, scale: 1, primary: true };
  const recording = {
    displays: [{ t: 0, displays: [display] }],
    segments: [{ index: 0, file: 'screen.mkv', width, height, firstFrame: 0, frames: 2 }],
    counts: { frames: 2, dropped: 0, late: 0, black: 0, ticks: 300, events: 2 },
  };
  const frames = '{"i":0,"pts":0,"t":500000}\n{"i":1,"pts":100,"t":2000000}\n';
  const more = [{ path: 'screen.mkv', bytes: film }];
  const said = await send(place, place.recorder, one(place, id, { events: CLICKS, frames, more, recording }));
  if (!said.startsWith('taken')) return said;
  const { server, ws, manager } = place;
  const headers = { cookie: manager.cookie, origin: server.origin, 'sec-fetch-site': 'same-origin' };
  const asked = [
    ...[0, 0, 0, 1].map((n) => FILE_ROUTES.frame(ws, id, n)),
    FILE_ROUTES.smallPicture(ws, id, 'medium'),
    FILE_ROUTES.playback(ws, id),
  ];
  const answers = await Promise.all(
    asked.map(async (at) => {
      const answer = await fetch(`${server.origin}${at}`, { headers });
      const bytes = (await answer.arrayBuffer()).byteLength;
      return `${answer.status} ${(bytes / 1e3).toFixed(0)} kB`;
    }),
  );
  const jobs = async () => (await manager.api.jobs.list({ ws })).filter(({ subject }) => subject === id);
  for (const until = performance.now() + 120_000; performance.now() < until; await sleep(500))
    if ((await jobs()).every(({ finishedAt }) => finishedAt !== null)) break;
  const ended = (await jobs()).map(
    ({ kind, state, error }) => `${kind} ${state} ${error?.message.slice(0, 120) ?? ''}`,
  );
  return `${said}; ${answers.join(', ')}; ${ended.join('; ')}`;
}

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
    name: 'a film of 16,000 x 16,000 pixels',
    run: (place) => filmed(place, 'r9', hugeFilm(place.folder, 16_000, 16_000), 16_000, 16_000),
  },
  {
    name: 'a film that says 100,000 x 100,000 pixels',
    run: (place) =>
      filmed(place, 'r10', filmThatSays(hugeFilm(place.folder, 64, 64), 100_000, 100_000), 100_000, 100_000),
  },
  {
    name: 'a film of 16,000 x 16,000 pixels that says less',
    run: (place) => filmed(place, 'r11', hugeFilm(place.folder, 16_000, 16_000), 1280, 720),
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
