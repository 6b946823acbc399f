import { createHash } from 'node:crypto';
import { askedLine } from '../../core/play/asked.ts';
import type { Check } from '../../schemas/checks.ts';
import type { AskedSetup } from '../../schemas/consent.ts';
import { StudioError } from '../../schemas/errors.ts';
import { readBounded } from '../files/bounded.ts';
import { hashInside } from '../files/hash.ts';
import { statOf } from '../files/inside.ts';
import { attachedFiles } from '../store/attachments.ts';
import { MOST_TASK_FILE_BYTES, newestOfRole } from '../store/task-files.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Asker, agreedBy, keepAgreed } from './agreed.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { recipeOfTask } from './recipe.ts';
import { canHaveOwnNetwork } from './stage/own-network.ts';
import { startedBy } from './stage/set-stage.ts';

/**
 * A recipe starts programs with the rights of whoever plays it. One that this person did not write, nor agreed to, is asked about
 * before anything of it runs, and again when anything of it changes.
 */

export type AskedKind = AskedSetup['kind'];
const BOTH: readonly AskedKind[] = ['recipe', 'checks'];

/** What of a task is to be asked about first; empty: it is the asker's own, or was agreed to. Throws BAD_FILE, FUTURE_VERSION. */
export async function askedOf(
  workspace: Workspace,
  task: string,
  asker: Asker,
  kinds: readonly AskedKind[] = BOTH,
): Promise<AskedSetup[]> {
  const all = await everythingOf(workspace, task, kinds);
  if (all.length === 0) return [];
  const agreed = agreedBy(workspace, asker);
  return all.filter(({ hash }) => !agreed.has(hash)).map(({ file: _file, ...asked }) => asked);
}

/** Throws NOT_AGREED with what is asked, where anything is. */
export async function needAgreed(
  workspace: Workspace,
  task: string,
  asker: Asker,
  kinds: readonly AskedKind[] = BOTH,
): Promise<void> {
  const asked = await askedOf(workspace, task, asker, kinds);
  if (asked.length > 0) throw notAgreed(task, asked);
}

/** What of these tasks is to be asked about, in lines, for whoever was sent them. A file that cannot be read is passed over. */
export async function broughtLines(workspace: Workspace, tasks: readonly string[], asker: Asker): Promise<string[]> {
  const lines: string[] = [];
  for (const task of tasks) {
    for (const asked of await askedOf(workspace, task, asker).catch(() => []))
      lines.push(`${task}: ${askedLine(asked)}`);
  }
  return lines;
}

export function notAgreed(task: string, asked: readonly AskedSetup[]): StudioError {
  const flags = asked.map(({ hash }) => `--trust ${hash.slice(0, SHOWN)}`).join(' ');
  return new StudioError(
    'NOT_AGREED',
    `Nothing was run: you did not write ${asked.map((one) => `the ${one.kind} of ${task}`).join(' and ')}, nor agreed to ${asked.length > 1 ? 'them' : 'it'} yet. ${asked.map(askedLine).join(' ')} \`tasks trust ${task}\` shows all of it and remembers your answer; ${flags} agrees here and now.`,
    { task, asked },
  );
}

/** So much of a text of the recipe is shown, characters. */
const MOST_SHOWN = 4000;
/** So many characters of a hash are shown and taken. */
const SHOWN = 16;

/**
 * Remembers that the asker agrees to what the task has now. Each of `hashes` is whole or its first 16 characters or more. Throws
 * USAGE for one that is not the hash of anything there: it was changed meanwhile.
 */
export async function agreeTo(
  workspace: Workspace,
  task: string,
  asker: Asker,
  hashes: readonly string[],
): Promise<void> {
  const all = await everythingOf(workspace, task, BOTH);
  const found = hashes.map((wanted) => {
    const one = wanted.length >= SHOWN && all.find(({ hash }) => hash.startsWith(wanted.toLowerCase()));
    if (one) return one.hash;
    const now = all.map(({ kind, hash }) => `the ${kind} ${hash.slice(0, SHOWN)}`).join(', ');
    throw new StudioError(
      'USAGE',
      `“${wanted.slice(0, 80)}” is not the hash of what ${task} has (${now || 'it has neither a recipe nor checks'}). It may have been changed: look at it again with \`tasks trust ${task}\`.`,
      { task },
    );
  });
  keepAgreed(workspace, asker, found);
}

/**
 * Does what changes a task's files by the asker's own hand: what was theirs before stays theirs, and so is what `made` names. All
 * else is asked about as before.
 */
export async function byOwnHand<T>(
  workspace: Workspace,
  task: string,
  asker: Asker,
  made: AskedKind | null,
  change: () => Promise<T>,
): Promise<T> {
  const before = await theirs(workspace, task, asker);
  const done = await change();
  const after = await everythingOf(workspace, task, BOTH).catch(() => []);
  // By its file: what somebody else stored meanwhile is not theirs.
  const own = after.filter(({ kind, file }) => kind === made || before.get(kind) === file);
  keepAgreed(
    workspace,
    asker,
    own.map(({ hash }) => hash),
  );
  return done;
}

async function theirs(workspace: Workspace, task: string, asker: Asker): Promise<Map<AskedKind, string>> {
  const agreed = agreedBy(workspace, asker);
  // One that cannot be read is nobody's: it could not be shown.
  const all = await everythingOf(workspace, task, BOTH).catch(() => []);
  return new Map(all.filter(({ hash }) => agreed.has(hash)).map(({ kind, file }) => [kind, file]));
}

type Found = AskedSetup & { file: string };

async function everythingOf(workspace: Workspace, task: string, kinds: readonly AskedKind[]): Promise<Found[]> {
  const recipe = kinds.includes('recipe') ? await recipeAsked(workspace, task) : null;
  const checks = kinds.includes('checks') ? await checksAsked(workspace, task) : null;
  return [recipe, checks].filter((one) => one !== null);
}

async function recipeAsked(workspace: Workspace, task: string): Promise<Found | null> {
  const [file, recipe] = [await newestOfRole(workspace, task, 'recipe'), await recipeOfTask(workspace, task)];
  if (file === null || !recipe) return null;
  const attached = await attachedFiles(workspace.store, task);
  const hash = createHash('sha256').update('recipe\n').update(readBounded(file, MOST_TASK_FILE_BYTES));
  const files: AskedSetup['files'] = [];
  for (const put of recipe.files) {
    if ('folder' in put) {
      files.push({ to: put.to, from: null, bytes: null, text: null, as: 'folder' });
      continue;
    }
    if (!('attachment' in put)) {
      files.push({ to: put.to, from: null, bytes: Buffer.byteLength(put.text), text: put.text.slice(0, MOST_SHOWN) });
      continue;
    }
    // A program of the recipe may be one of them: another file under the same name is another recipe.
    const path = attached.get(put.attachment);
    const size = path === undefined ? null : (statOf(workspace.dir, path)?.size ?? null);
    const content = path === undefined || size === null ? 'missing' : await hashInside(workspace.dir, path);
    hash.update(`\n${JSON.stringify([put.attachment, content])}`);
    const unpacked = 'unpack' in put && { as: 'unpacked' as const };
    files.push({ to: put.to, from: put.attachment, bytes: size, text: null, ...unpacked });
  }
  const programs = startedBy(recipe).map(({ command, args, env }) => ({ command, args, env }));
  const { network } = recipe;
  const ownServers = network && !canHaveOwnNetwork();
  return { kind: 'recipe', task, hash: hash.digest('hex'), programs, files, network, ownServers, checks: [], file };
}

async function checksAsked(workspace: Workspace, task: string): Promise<Found | null> {
  const [file, checks] = [await newestOfRole(workspace, task, 'checks'), await checksOfTask(workspace, task)];
  if (file === null || !checks) return null;
  const hash = createHash('sha256').update('checks\n').update(readBounded(file, MOST_TASK_FILE_BYTES)).digest('hex');
  const looked = checks.checks.map((check) => ({ id: check.id, kind: check.kind, at: placeOf(check) }));
  return { kind: 'checks', task, hash, programs: [], files: [], network: false, checks: looked, file };
}

/** What a check looks at: the file and what it asks of it, the window, the place. */
function placeOf(check: Check): string {
  const { id: _id, kind: _kind, weight: _weight, ...rest } = check;
  return Object.entries(rest)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
    .slice(0, 400);
}
