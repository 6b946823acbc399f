import { appendFileSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { lastBytesIn } from '../files/bounded.ts';
import type { Workspace } from '../store/workspace.ts';

/**
 * What people agreed to have run on this machine, by the hash of its content. It belongs to the account and not to a workspace:
 * whoever sends a workspace would send their own agreement with it.
 */

/** Who asks to have something run. */
export type Asker = {
  /** The account's own settings folder. */
  config: string;
  /** The person of the page; null: the command line, which is the account itself. */
  person: string | null;
  /** The page is on this machine. */
  isLocal: boolean;
};

const FILE = 'agreed.jsonl';
/** The newest 20,000 answers or so count. */
const MOST_BYTES = 4_000_000;

const lineSchema = z.object({
  workspace: z.string(),
  hash: z.string(),
  person: z.string().nullable(),
  local: z.boolean(),
  at: z.string(),
});
type Line = z.infer<typeof lineSchema>;

/** The hashes that `asker` agreed to in this workspace. A line that cannot be read counts as no answer: it is asked again. */
export function agreedBy({ dir }: Pick<Workspace, 'dir'>, asker: Asker): Set<string> {
  const workspace = placeOf(dir);
  return new Set(
    linesOf(asker.config)
      .filter((line) => line.workspace === workspace && isOf(line, asker))
      .map(({ hash }) => hash),
  );
}

/** Remembers it. Throws what writing throws. */
export function keepAgreed({ dir }: Pick<Workspace, 'dir'>, asker: Asker, hashes: readonly string[]): void {
  const known = agreedBy({ dir }, asker);
  const fresh = hashes.filter((hash) => !known.has(hash));
  if (fresh.length === 0) return;
  const { config, person, isLocal: local } = asker;
  const workspace = placeOf(dir);
  const at = new Date().toISOString();
  mkdirSync(config, { recursive: true });
  // One write at the end of the file: two programs do not write into each other, and a line that was cut off is passed over.
  const lines = fresh.map((hash) => JSON.stringify({ workspace, hash, person, local, at } satisfies Line));
  appendFileSync(join(config, FILE), `\n${lines.join('\n')}\n`, { mode: 0o600 });
}

/** The account's own answers count for its pages here, and those of its pages for its commands; nobody else's for anybody. */
function isOf(line: Line, { person, isLocal }: Asker): boolean {
  if (line.person === person && (person !== null || line.local === isLocal)) return true;
  return isLocal && line.local && (person === null || line.person === null);
}

function linesOf(config: string): Line[] {
  let text: string;
  try {
    text = lastBytesIn(config, FILE, MOST_BYTES).toString('utf8');
  } catch {
    return []; // Nobody agreed to anything yet, or it cannot be read: then it is asked again.
  }
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      return [lineSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

function placeOf(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    return dir;
  }
}
