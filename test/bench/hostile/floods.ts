import { randomUUID } from 'node:crypto';
import type { Person } from '../../support/team-processes.ts';
import { sleep } from '../../support/until.ts';
import type { Attack, Place } from './place.ts';

/** One member's requests without end: many at once, and for seconds as many as are answered. */

/** Asks `count` times at once; gives how often each code came. */
async function flood(count: number, ask: (n: number) => Promise<unknown>): Promise<string> {
  const codes = new Map<string, number>();
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const code = await ask(n).then(
        () => 'ok',
        (error: unknown) => codeOf(error),
      );
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }),
  );
  return [...codes].map(([code, n]) => `${n} ${code}`).join(', ');
}

const EVERYTHING = { kind: 'filter' as const, filter: {} };
const WISHES = { formats: [{ name: 'agentnet' }], source: EVERYTHING, all: true };

const codeOf = (error: unknown): string => String(Reflect.get(Object(error), 'code') ?? error).slice(0, 60);

/** So long a flood goes on, ms. */
const LASTS_MS = 8000;

/** `atOnce` requests are on their way all the time; gives how often each code came. */
async function steadily(atOnce: number, ask: () => Promise<unknown>): Promise<string> {
  const codes = new Map<string, number>();
  const end = performance.now() + LASTS_MS;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        const code = await ask().then(
          () => 'ok',
          (error: unknown) => codeOf(error),
        );
        codes.set(code, (codes.get(code) ?? 0) + 1);
        // A refusal is told at once; a script that asks again at once is a flood all the same.
        if (code !== 'ok') await sleep(1);
      }
    }),
  );
  return [...codes].map(([code, n]) => `${n} ${code}`).join(', ');
}

/** A call with a body that was written before, so that the attacker's program has nothing to do. */
async function post({ server }: Place, { cookie }: Person, call: string, body: Buffer<ArrayBuffer>): Promise<void> {
  const answer = await fetch(`${server.origin}/rpc/${call}`, {
    method: 'POST',
    headers: { cookie, origin: server.origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`);
}

/** A gesture of about 20 MB over records that are none. */
function largeGesture(ws: string, recording: string): Buffer<ArrayBuffer> {
  const change = { op: 'add', record: { kind: 'label', action: randomUUID(), element: 'x'.repeat(900) } };
  const transaction = { id: randomUUID(), label: 'Large', changes: Array.from({ length: 20_000 }, () => change) };
  return Buffer.from(JSON.stringify({ json: { ws, recording, transaction } }));
}

export const FLOODS: readonly Attack[] = [
  {
    name: 'burst: 200 exports',
    run: async (place) => {
      const said = await flood(200, (n) =>
        place.manager.api.exports.start({ ws: place.ws, out: `flood-${n}`, wishes: WISHES }),
      );
      const jobs = await place.victim.api.jobs.list({ ws: place.ws });
      return `${said}; ${jobs.filter(({ state }) => state === 'waiting').length} jobs wait`;
    },
  },
  {
    name: 'burst: 300 statistics',
    run: ({ viewer, ws }) => flood(300, () => viewer.api.dataset.statistics({ ws, source: EVERYTHING })),
  },
  {
    name: 'burst: 300 previews',
    run: ({ viewer, ws }) => flood(300, () => viewer.api.exports.preview({ ws, wishes: WISHES })),
  },
  { name: 'burst: 400 lists', run: ({ viewer, ws }) => flood(400, () => viewer.api.recordings.list({ ws })) },
  { name: 'burst: 400 rows', run: ({ viewer, ws }) => flood(400, () => viewer.api.dataset.rows({ ws })) },
  {
    name: 'burst: 300 tokens',
    run: ({ viewer, ws }) =>
      flood(300, (n) => viewer.api.team.makeToken({ ws, name: `t${n}`, scopes: ['see'], days: 1 })),
  },
  {
    name: 'steady: 200 cheap calls',
    run: ({ viewer }) => steadily(200, () => viewer.api.team.me()),
  },
  {
    name: 'steady: 200 refused calls',
    run: ({ viewer, ws }) => steadily(200, () => viewer.api.team.members({ ws })),
  },
  {
    name: 'steady: 100 lists',
    run: ({ viewer, ws }) => steadily(100, () => viewer.api.recordings.list({ ws })),
  },
  {
    name: 'steady: 100 dear calls',
    run: ({ viewer, ws }) => steadily(100, () => viewer.api.dataset.statistics({ ws, source: EVERYTHING })),
  },
  {
    name: 'steady: 8 bodies of 20 MB',
    run: (place) => {
      const body = largeGesture(place.ws, place.recording);
      return steadily(8, () => post(place, place.viewer, 'annotation/apply', body));
    },
  },
  {
    name: 'steady: 8 bodies of 20 MB of a member who may',
    run: (place) => {
      const body = largeGesture(place.ws, place.recording);
      return steadily(8, () => post(place, place.manager, 'annotation/apply', body));
    },
  },
  {
    name: 'steady: 100 unknown sessions',
    run: (place) => {
      const body = Buffer.from('{}');
      return steadily(100, () =>
        post(
          place,
          { ...place.viewer, cookie: `${place.viewer.cookie.split('=')[0]}=${randomUUID()}` },
          'team/me',
          body,
        ),
      );
    },
  },
];
