import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createServer as createVite, type Plugin, type ProxyOptions } from 'vite';

/**
 * `npm run dev`: the pages with hot reload, before a studio that is started again when its source changes.
 *
 *     npm run dev -- [--port 4800] [--workspace W]
 *
 * Vite serves the pages at an address of its own, without the content security policy that the studio gives them, and hands
 * everything else to the studio as it is: cookies, Host and Origin are those of the studio's own pages, so its guard judges
 * each request as ever. The studio has its own home folder (build/dev-home, or TRAJECTORY_STUDIO_HOME) and keeps its port and
 * token over a restart: open pages stay signed in.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAIN = join(ROOT, 'studio', 'cli', 'main.ts');
/** What the studio runs; the pages' own source is Vite's affair. */
const SOURCES = ['schemas', 'core', 'native', 'studio'];
/** An editor may write several files at once; they are one change. */
const QUIET_MS = 100;
/** A studio that does not close by then is killed. */
const CLOSE_MS = 5000;

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4800' }, workspace: { type: 'string', short: 'w' } },
});
const pagesPort = Number(values.port);
const studioPort = await freePort();
const token = randomBytes(32).toString('base64url');

type Running = { child: ChildProcess; url: Promise<string> };
let running = startStudio();
let isEnding = false;

/** Starts the studio; `url` is the address that signs a browser in, once it listens. */
function startStudio(): Running {
  const words = ['serve', '--json', '--no-build', '--port', String(studioPort)];
  if (values.workspace !== undefined) words.push('--workspace', values.workspace);
  const child = spawn(process.execPath, [MAIN, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { TRAJECTORY_STUDIO_HOME: join(ROOT, 'build', 'dev-home'), ...process.env, TRAJECTORY_STUDIO_TOKEN: token },
  });
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  // A studio that ends early is waited for by requests, or by nobody.
  url.catch(() => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as { url?: string; error?: { message: string } };
    if (said.url !== undefined) resolve(said.url);
  });
  child.once('exit', () => reject(new Error('The studio ended. Save a change to start it again.')));
  return { child, url };
}

async function end({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS);
  await ended;
  clearTimeout(late);
}

/** Settled when the newest change runs; null while nothing is on its way. Requests wait for it. */
let restarting: Promise<void> | null = null;
/** When the last change was seen, ms. */
let changedAt = 0;
function restart(): void {
  changedAt = performance.now();
  restarting ??= startAgain().finally(() => {
    restarting = null;
  });
}

async function startAgain(): Promise<void> {
  for (let seen = 0; seen !== changedAt && !isEnding; ) {
    while (performance.now() - changedAt < QUIET_MS) await new Promise((done) => setTimeout(done, QUIET_MS));
    seen = changedAt;
    await end(running);
    running = startStudio();
    await running.url.then(
      () => say(`the studio runs again, ${((performance.now() - seen) / 1000).toFixed(1)} s after the change`),
      () => say('the studio does not start; its own words are above'),
    );
  }
}

const say = (text: string): void => void process.stderr.write(`dev: ${text}\n`);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('The system gives no port.');
  return address.port;
}

/** Asked of the studio: its procedures and files, and the address that signs a browser in. */
const isStudios = (url: string): boolean => /^\/(rpc|api|files|health|login|proof)([/?]|$)|[?&]code=/.test(url);

/** Requests wait while the studio is started again. */
const waitForStudio: Plugin = {
  name: 'wait-for-studio',
  configureServer(server) {
    server.middlewares.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
      if (!isStudios(request.url ?? '')) return next();
      (restarting ?? running.url)
        .then(() => running.url)
        .then(
          () => next(),
          (error: Error) => response.writeHead(503, { 'content-type': 'text/plain' }).end(error.message),
        );
    });
  },
};

const own = (host: string): string => host.replace(`:${pagesPort}`, `:${studioPort}`);
const toStudio: ProxyOptions = {
  target: `http://127.0.0.1:${studioPort}`,
  configure(proxy) {
    proxy.on('proxyReq', (asked, request) => {
      asked.setHeader('host', own(request.headers.host ?? ''));
      if (request.headers.origin !== undefined) asked.setHeader('origin', own(request.headers.origin));
    });
  },
};

const vite = await createVite({
  configFile: join(ROOT, 'renderer', 'vite.config.ts'),
  plugins: [waitForStudio],
  // What a build for users keeps stays as it is.
  cacheDir: join(ROOT, 'build', 'vite'),
  clearScreen: false,
  logLevel: 'warn',
  server: {
    host: '127.0.0.1',
    port: pagesPort,
    strictPort: true,
    cors: false,
    // The packages may be linked from elsewhere.
    fs: { allow: [ROOT, realpathSync(join(ROOT, 'node_modules'))] },
    proxy: { '^/(rpc|api|files|health|login|proof)([/?]|$)': toStudio, '^/[^?]*[?]([^#]*&)?code=': toStudio },
  },
});
vite.watcher.add(SOURCES.map((folder) => join(ROOT, folder)));
vite.watcher.on('all', (_event, file) => {
  const isSource = SOURCES.some((folder) => file.startsWith(join(ROOT, folder)));
  if (isSource && /\.(ts|json)$/.test(file) && !/\.test\.ts$/.test(file) && !isEnding) restart();
});

const stop = (): void => {
  if (isEnding) return;
  isEnding = true;
  void Promise.all([vite.close(), end(running)]).then(() => process.exit(0));
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);

const url = await running.url;
await vite.listen();
process.stdout.write(`${url.replace(`:${studioPort}/`, `:${pagesPort}/`)}\n`);
say('the address signs a browser in. Pages reload by themselves; Ctrl+C ends it.');
