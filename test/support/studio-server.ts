import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import type { Contract } from '../../schemas/api/contract.ts';
import { CLI } from './cli.ts';
import { mustNotWarn, type Started, start } from './process.ts';
import { until } from './until.ts';

/** The studio's server as a user has it: `serve` in a process of its own, with a home of its own. */

export type StudioServer = {
  /** Where the pages are, for a browser: `http://studio-….localhost:PORT`. Node does not know that name. */
  origin: string;
  /** The address that was printed: opening it signs a browser in, for some minutes. */
  address: string;
  /** A new such address, as a second start would print it. */
  login(): Promise<string>;
  token: string;
  port: number;
  home: string;
  process: Started;
  api: ContractRouterClient<Contract>;
  /** A request with the token, and with these headers. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
};

export type ServerOptions = {
  /** Kept after the end; a new one otherwise (see `studioHome`). */
  home: string;
  port?: number;
  env?: NodeJS.ProcessEnv;
};

export type StudioHome = { home: string; dir(name: string): string; remove(): void };

/** A folder for the user's settings and for workspaces; `remove` deletes it. */
export function studioHome(): StudioHome {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'trajectory-studio-page-'));
  const home = path.join(parent, 'home');
  fs.mkdirSync(home);
  return {
    home,
    dir: (name) => path.join(parent, name),
    remove: () => fs.rmSync(parent, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const readySchema = z.object({ url: z.string(), origin: z.string(), token: z.string(), port: z.int() });

/** Starts the server and resolves when it answers. */
export async function startServer({ home, port = 0, env }: ServerOptions): Promise<StudioServer> {
  const args = [CLI, 'serve', '--port', String(port), '--json'];
  const started = await start(process.execPath, args, {
    env: { ...process.env, ...env, TRAJECTORY_STUDIO_HOME: home },
  });
  try {
    const line = await until(
      'the address of the server',
      () => {
        if (started.exit()) throw new Error(`serve ended at once: ${started.stderr()}${started.stdout()}`);
        return /^\{.*\}$/m.exec(started.stdout())?.[0];
      },
      // The first start builds the pages.
      { timeoutMs: 180_000, seen: started.stderr },
    );
    const { url: address, origin, token, port: taken } = readySchema.parse(JSON.parse(line));
    const headers = { authorization: `Bearer ${token}` };
    const link = new RPCLink({ url: `${origin}/rpc`, headers: () => headers });
    const server: StudioServer = {
      origin: new URL(address).origin,
      address,
      token,
      port: taken,
      async login() {
        const answer = await server.ask('/login', { method: 'POST' });
        return readySchema.pick({ url: true }).parse(await answer.json()).url;
      },
      home,
      process: started,
      api: createORPCClient(link),
      ask: (where, init = {}) =>
        fetch(`${origin}${where}`, { redirect: 'manual', ...init, headers: { ...headers, ...init.headers } }),
      async stop() {
        await started.stop();
        mustNotWarn(started);
      },
    };
    await until('the server to answer', () => server.ask('/').then((answer) => answer.ok));
    return server;
  } catch (error) {
    await started.stop();
    throw error;
  }
}
