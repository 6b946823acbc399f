import { expect, test } from 'vitest';
import type { Blobs } from '../files/blobs/blobs.ts';
import { serveBlob } from './serve-file.ts';

test('what a browser asked for is let go when it goes away before it has read the answer', async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(4)),
    cancel() {
      cancelled = true;
    },
  });
  const stat = { size: 100, tag: 'a', changed: new Date(0) };
  const blobs = { stat: async () => stat, range: () => stream } as unknown as Blobs; // Nothing else of it is asked.
  const gone = new AbortController();
  const request = new Request('http://127.0.0.1/film', { signal: gone.signal });
  const answer = await serveBlob(request, blobs, 'film', { type: 'video/mp4', cache: 'no-store' });
  expect([answer.status, cancelled]).toEqual([200, false]);
  gone.abort();
  await expect.poll(() => cancelled).toBe(true);
});
