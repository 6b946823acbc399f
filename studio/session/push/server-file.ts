import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StudioError } from '../../../schemas/errors.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { readVersioned } from '../../files/versioned.ts';
import type { TeamServer } from './wire.ts';

/**
 * The team's server that this account sends its recordings to, with the token for it: one file among the account's own settings,
 * which nobody else can read. It belongs to no workspace, so no export, archive, backup or log takes it along.
 */

const FILE = 'team-server.json';

const fileSchema = z.object({
  version: z.literal(1),
  origin: z.string(),
  token: z.string().min(1).max(200),
});
/** Null where none was named. Throws BAD_FILE for a file that cannot be read. */
export function readServer(config: string): TeamServer | null {
  try {
    const { version: _version, ...server } = readVersioned(config, FILE, { schema: fileSchema, newest: 1 });
    return server;
  } catch (error) {
    if (error instanceof StudioError && isMissing(error)) return null;
    throw error;
  }
}

const isMissing = ({ cause }: StudioError): boolean => cause instanceof StudioError && cause.details.missing === true;

/** For its owner alone (0600). */
export function keepServer(config: string, server: TeamServer): void {
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const umask = process.umask(0o077);
  try {
    writeFileAtomic(join(config, FILE), `${JSON.stringify({ version: 1, ...server })}\n`);
  } finally {
    process.umask(umask);
  }
}

export const forgetServer = (config: string): void => rmSync(join(config, FILE), { force: true });

/**
 * The origin of an address that somebody typed or copied from a browser. Throws USAGE for what is none; for http but on this
 * machine, since the token would travel for everybody to read.
 */
export function serverOrigin(text: string): string {
  const wrong = (why: string): StudioError =>
    new StudioError('USAGE', `${text.slice(0, 200)}: ${why}. Write it as https://studio.lab.org.`, { field: 'to' });
  if (!URL.canParse(text)) throw wrong('it is no address');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw wrong('it is no address of a web page');
  if (url.username !== '' || url.password !== '') throw wrong('a name or password in it is not taken');
  const isHere = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);
  if (url.protocol === 'http:' && !isHere)
    throw wrong('the token would travel unencrypted: http is for this machine alone');
  return url.origin;
}

/** Throws USAGE for what is no token of a team's server. */
export function checkedToken(text: string): string {
  const token = text.trim();
  if (/^tst_[\w-]{20,80}$/.test(token)) return token;
  throw new StudioError(
    'USAGE',
    "That is no token of a team's server: it begins with tst_, as `tokens make` prints it there.",
    { field: 'token' },
  );
}

/** The server of this account. Throws USAGE where none was named, BAD_FILE. */
export function theServer(config: string): TeamServer {
  const server = readServer(config);
  if (server) return server;
  throw new StudioError(
    'USAGE',
    "No team's server was named on this machine. Name it with `connect`, or on the page My work.",
    {},
  );
}
