import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { log } from '../../native/log/log.ts';
import type { WorkspaceInfo } from '../../schemas/api/models.ts';
import { LOGIN_PATH, PROOF_PATH } from '../api/guard.ts';
import { newPagesName, proofOf, sameSecret } from '../api/logins.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { describeHolder, livenessOf } from '../files/process-id.ts';
import type { Home } from '../session/home.ts';

/** The notes by which a second start finds this user's servers, and what it asks of them. */

const runningSchema = z.object({
  origin: z.string().regex(/^http:\/\/[^/@]+$/),
  port: z.int(),
  token: z.string().min(32),
  pid: z.int(),
  /** Tells the process from a later one of the same number, and this machine's start from another. */
  holder: z.object({
    token: z.string(),
    pid: z.int(),
    started: z.string().nullable(),
    machine: z.string(),
    host: z.string().exactOptional(),
    space: z.string().nullable().exactOptional(),
    since: z.string(),
  }),
});
export type Running = z.infer<typeof runningSchema>;

/** The first server's note, and those of others beside it (another port). */
const NOTE = 'server.json';
const NOTES = /^server(-\d+)?\.json$/;
const NAME_FILE = 'pages-name';
const ASK_MS = 5000;

/** Notes a server of this process. Gives the way to take the note back; another server's is never touched. */
export function noteRunning(home: Home, server: Pick<Running, 'origin' | 'port' | 'token'>): () => void {
  const { pid } = process;
  const note: Running = { ...server, pid, holder: describeHolder(randomUUID(), pid) };
  const isFree = !notes(home).some(({ name }) => name === NOTE);
  const file = join(home.config, isFree ? NOTE : `server-${pid}.json`);
  writePrivate(home, file, `${JSON.stringify(note)}\n`);
  return () => {
    if (readNote(file)?.holder.token === note.holder.token) rmSync(file, { force: true });
  };
}

/**
 * The first part of the pages' name, the same at each start: what a browser keeps for a page, and bookmarks, stay good.
 * Nobody else can read it, and a start without a folder that can be written has one of its own.
 */
export function pagesName(home: Home): string {
  const file = join(home.config, NAME_FILE);
  try {
    const kept = readFileSync(file, 'utf8').trim();
    if (/^studio-[0-9a-f]{20}$/.test(kept)) return kept;
  } catch {
    // There is none yet.
  }
  const name = newPagesName();
  writePrivate(home, file, `${name}\n`);
  return name;
}

/** This user's server; `port`: the one of this port. Nothing secret is sent to a server that did not prove to be it. */
export async function findRunning(home: Home, port: number | undefined): Promise<Running | null> {
  for (const { note } of notes(home)) {
    if ((port === undefined || port === note.port) && (await isOurs(note))) return note;
  }
  return null;
}

/** A new address that signs a browser in. */
export async function newLogin(running: Running, kind: 'once' | 'printed'): Promise<string> {
  const response = await ask(running, `${LOGIN_PATH}${kind === 'once' ? '?once' : ''}`, { method: 'POST' });
  const { url } = z.object({ url: z.string() }).parse(await response.json());
  return url;
}

export async function openThere(running: Running, dir: string): Promise<WorkspaceInfo | null> {
  const body = JSON.stringify({ dir, create: true });
  const response = await ask(running, '/api/workspaces/open', { method: 'POST', body });
  // The server checks what it sends by the same schema.
  return response.ok ? ((await response.json()) as WorkspaceInfo) : null;
}

/** The version of the program that runs there; undefined when it does not say. */
export async function versionOf(running: Running): Promise<string | undefined> {
  try {
    const said = z.object({ version: z.string() }).parse(await (await ask(running, '/health')).json());
    return said.version;
  } catch {
    return undefined;
  }
}

const ask = ({ origin, token }: Running, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${origin}${path}`, {
    ...init,
    redirect: 'error',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(ASK_MS),
  });

/** Whoever listens at that port now must know the token, which is not sent for it. */
async function isOurs({ origin, token }: Running): Promise<boolean> {
  const nonce = randomBytes(24).toString('base64url');
  try {
    const response = await fetch(`${origin}${PROOF_PATH}?nonce=${nonce}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(ASK_MS),
    });
    const { proof } = z.object({ proof: z.string().max(100) }).parse(await response.json());
    return response.ok && sameSecret(proof, proofOf(token, nonce));
  } catch {
    return false;
  }
}

/** Notes of processes that run; those of dead ones go. */
function notes(home: Home): { name: string; note: Running }[] {
  let names: string[] = [];
  try {
    names = readdirSync(home.config).filter((name) => NOTES.test(name));
  } catch {
    // No folder, no notes.
  }
  return names.toSorted().flatMap((name) => {
    const file = join(home.config, name);
    const note = readNote(file);
    const liveness = note ? livenessOf(note.holder) : 'dead';
    if (note && liveness === 'alive') return [{ name, note }];
    // One of another container is none of ours to remove.
    if (liveness !== 'dead') return [];
    // Who ends in good order takes the note along: this one was killed, or had no memory left to say a word.
    if (note) log.warn('studio ended without a word', { why: String(note.pid) });
    rmSync(file, { force: true });
    return [];
  });
}

function readNote(file: string): Running | null {
  try {
    return runningSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Readable for this user alone. */
function writePrivate(home: Home, file: string, text: string): void {
  mkdirSync(home.config, { recursive: true, mode: 0o700 });
  const umask = process.umask(0o077);
  try {
    writeFileAtomic(file, text);
  } finally {
    process.umask(umask);
  }
}
