import { createHash, timingSafeEqual } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  bodyBytes,
  readBegin,
  readEnd,
  readPicture,
  SCREEN_ROUTES,
  type ScreenBegin,
  type ScreenEnd,
  type ScreenPicture,
} from '../../schemas/screen-source.ts';
import type { OutsidePictures } from './contract.ts';

type PictureListener = {
  /** In the form of SCREEN_ROUTES.clock. */
  now(): { t: number; fps: number; zeroUs: number };
  /** Somebody is there: any request. */
  onSign(): void;
  onBegin(begin: ScreenBegin): void;
  /** `pixels` is only there until this returns. */
  onPicture(picture: ScreenPicture, pixels: Uint8Array): void;
  onEnd(end: ScreenEnd): void;
};

/** Takes pictures of the screen from another process (schemas/screen-source.ts). Resolves once it listens. */
export async function listenForPictures(at: OutsidePictures, to: PictureListener): Promise<{ close(): void }> {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = digest(`Bearer ${at.token}`);
  let incoming = new Uint8Array(0);
  let isBusy = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<number> {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), wanted)) return 403;
    to.onSign();
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://screen');
    if (pathname === SCREEN_ROUTES.clock && request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(to.now()));
      return 200;
    }
    if (request.method !== 'POST') return 405;
    if (pathname === SCREEN_ROUTES.begin) {
      const begin = readBegin(searchParams);
      if (begin) to.onBegin(begin);
      return begin ? 204 : 400;
    }
    if (pathname === SCREEN_ROUTES.end) {
      const end = readEnd(searchParams);
      if (end) to.onEnd(end);
      return end ? 204 : 400;
    }
    if (pathname !== SCREEN_ROUTES.picture) return 404;
    const picture = readPicture(searchParams);
    if (!picture) return 400;
    // One after another: two at once would mix their pixels.
    if (isBusy) return 409;
    isBusy = true;
    try {
      const bytes = bodyBytes(picture);
      if (incoming.length < bytes) incoming = new Uint8Array(bytes);
      if (!(await readInto(request, incoming, bytes))) return 400;
      to.onPicture(picture, incoming.subarray(0, bytes));
      return 204;
    } finally {
      isBusy = false;
    }
  }

  const server = createServer((request, response) => {
    answer(request, response)
      .catch(() => 500)
      .then((status) => {
        if (response.writableEnded) return;
        response.statusCode = status;
        response.end();
        // The rest of a body that nobody wants.
        request.resume();
      });
  });
  // The host keeps its connections; one that is closed while a picture is on its way would end the sharing.
  server.keepAliveTimeout = 0;
  rmSync(at.path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: at.path, readableAll: false, writableAll: false }, resolve);
  });
  chmodSync(at.path, 0o600);
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** True when the body had exactly `bytes` bytes. */
async function readInto(request: IncomingMessage, target: Uint8Array, bytes: number): Promise<boolean> {
  let done = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (done + chunk.length > bytes) return false;
    target.set(chunk, done);
    done += chunk.length;
  }
  return done === bytes;
}
