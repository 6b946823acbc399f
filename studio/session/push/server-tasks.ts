import { createHash } from 'node:crypto';
import { libraryContract } from '../../../schemas/api/library.ts';
import type { Attachment, TaskToRecord } from '../../../schemas/api/models.ts';
import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import type { ServerTaskList } from '../../../schemas/api/team-server.ts';
import type { UploadWelcome } from '../../../schemas/api/uploads.ts';
import { errorBody, StudioError } from '../../../schemas/errors.ts';
import { attach, detach, listAttachments } from '../../store/attachments.ts';
import { filesFromServer, noteFromServer, tasksFromServers } from '../../store/recorders.ts';
import type { Software } from '../../store/software.ts';
import { updateTask } from '../../store/task-rows.ts';
import { findStoredTask } from '../../store/tasks.ts';
import { tasksToRecord } from '../../store/to-record.ts';
import type { Workspace } from '../../store/workspace.ts';
import { clockWarning, greet } from './send.ts';
import { askTeam, streamFrom, type TeamServer } from './wire.ts';

/** Tasks of a team's server that are to be recorded on this machine: listed, and taken with their words and files. */

const tasksSchema = libraryContract.tasks.toRecord['~orpc'].outputSchema!;

/** Throws UNREACHABLE, SIGNED_OUT, FORBIDDEN, FUTURE_VERSION. */
async function askTasks(
  server: TeamServer,
  signal: AbortSignal,
): Promise<{ welcome: UploadWelcome; tasks: TaskToRecord[] }> {
  const welcome = await greet(server, signal);
  const tasks = await askTeam(server, `/api/workspaces/${encodeURIComponent(welcome.ws)}/to-record`, tasksSchema, {
    signal,
  });
  return { welcome, tasks };
}

/** So long a page waits for a server that does not answer, ms. */
const ASK_MS = 10_000;

/** The tasks as the server has them now; while it cannot be asked, those that were taken from it before, and why. */
export async function serverTaskList(
  { store }: Workspace,
  server: TeamServer,
  signal: AbortSignal | undefined,
): Promise<ServerTaskList> {
  const { origin } = server;
  const from = await tasksFromServers(store);
  const limit = AbortSignal.timeout(ASK_MS);
  try {
    const { welcome, tasks } = await askTasks(server, signal ? AbortSignal.any([signal, limit]) : limit);
    const { name, email } = welcome.person;
    return {
      origin,
      person: { name, email },
      away: null,
      clock: clockWarning(welcome),
      tasks: tasks.map((one) => ({ ...one, taken: from.get(one.id) === origin })),
    };
  } catch (error) {
    signal?.throwIfAborted();
    const { code, message } = limit.aborted ? errorBody(silent(origin)) : errorBody(error);
    const tasks = (await tasksToRecord(store, null)).filter(({ id }) => from.get(id) === origin);
    const taken = tasks.map((one) => ({ ...one, mine: true, taken: true }));
    return { origin, person: null, away: { code, message }, clock: null, tasks: taken };
  }
}

const silent = (origin: string): StudioError =>
  new StudioError('UNREACHABLE', `${origin} did not answer within ${ASK_MS / 1000} seconds.`, {});

/** A task that was taken, and its files that are not here yet. `ws`: of the server. */
export type FetchedTask = { id: string; ws: string; missing: Attachment[] };

/**
 * Makes a task of the server one of this workspace, under the same id and with the same words; taken again, it has the server's
 * words and files of now. Its recipe and checks are somebody else's: whoever runs them is asked first (play/consent.ts). Throws what
 * `askTasks` throws; UNKNOWN_TASK where the server does not give it to this person, CONFLICT where another task has its id here.
 */
export async function takeTask(
  workspace: Workspace,
  server: TeamServer,
  id: string,
  signal: AbortSignal,
): Promise<FetchedTask> {
  const { welcome, tasks } = await askTasks(server, signal);
  const wanted = tasks.find((one) => one.id === id);
  if (!wanted) {
    throw new StudioError(
      'UNKNOWN_TASK',
      `${server.origin} has no open task ${id.slice(0, 60)} that you are to record.`,
      {
        task: id.slice(0, 60),
      },
    );
  }
  const { store } = workspace;
  const known = await findStoredTask(store, id);
  const isFromThere = (await tasksFromServers(store)).get(id) === server.origin;
  if (known && !isFromThere && known.goal !== '' && known.goal !== wanted.goal) throw otherTask(id, known.goal);
  const software = await softwareFor(workspace, wanted.software);
  if (known && known.software_id !== software.id) throw otherTask(id, known.goal);
  await workspace.ensureTask({ id, software, goal: wanted.goal });
  const { goal, platform, sourceUrl, notes, kind } = wanted;
  await updateTask(store, id, { goal, platform, sourceUrl, notes, kind, state: 'open' });
  await dropOldFiles(workspace, id, wanted.attachments);
  const ids = wanted.attachments.map((one) => one.id);
  await noteFromServer(store, id, server.origin, ids);
  const here = new Set((await listAttachments(store, id)).map((one) => one.id));
  return { id, ws: welcome.ws, missing: wanted.attachments.filter((one) => !here.has(one.id)) };
}

/**
 * Removes the copies of files that the server has no longer, and those of a recipe and of checks that something newer stands before
 * here: they are fetched again, so that the server's count. Files that somebody added here stay.
 */
async function dropOldFiles(workspace: Workspace, task: string, wanted: readonly Attachment[]): Promise<void> {
  const { store } = workspace;
  const [came, now] = [new Set(await filesFromServer(store, task)), new Set(wanted.map(({ id }) => id))];
  const here = await listAttachments(store, task);
  const newest = new Map(here.map(({ role, id }) => [role, id]));
  for (const { id, role } of here) {
    const isBehind = (role === 'recipe' || role === 'checks') && newest.get(role) !== id;
    if (now.has(id) ? isBehind : came.has(id)) await detach(workspace, id);
  }
}

const otherTask = (task: string, goal: string): StudioError =>
  new StudioError(
    'CONFLICT',
    `This workspace has another task ${task} ("${goal.slice(0, 100)}"). Record for the server in a workspace of its own: an empty folder.`,
    { task },
  );

async function softwareFor(workspace: Workspace, wanted: TaskToRecord['software']): Promise<Software> {
  const known = (await workspace.listSoftware()).find(({ id }) => id === wanted.id);
  return known ?? workspace.addSoftware(wanted);
}

/** So long the server may read a large file to tell its hash, ms. */
const HASH_MS = 600_000;
const hashSchema = libraryContract.tasks.attachmentHash['~orpc'].outputSchema!;

/**
 * Fetches files of a task that was taken, each compared with the hash that the server tells of it. Throws what `askTeam` throws;
 * UNREACHABLE for one that came otherwise than it is there: nothing of it is kept.
 */
export async function fetchFiles(
  workspace: Workspace,
  server: TeamServer,
  { id: task, ws, missing }: FetchedTask,
  { signal, report }: { signal: AbortSignal; report(share: number, message: string): void },
): Promise<number> {
  for (const [at, { id, role, name, bytes }] of missing.entries()) {
    report(at / missing.length, name);
    const place = `/api/workspaces/${encodeURIComponent(ws)}/attachments/${encodeURIComponent(id)}/sha256`;
    const { sha256 } = await askTeam(server, place, hashSchema, { signal, silenceMs: HASH_MS });
    const otherwise = new StudioError(
      'UNREACHABLE',
      `"${name}" came otherwise than it is at ${server.origin}. Nothing of it was kept; begin this again.`,
      {},
    );
    const body = comparedWith(streamFrom(server, FILE_ROUTES.attachment(ws, id), { signal }), sha256, otherwise);
    await attach(workspace, { id, task, role, name, body, signal, mostBytes: bytes });
  }
  return missing.length;
}

/** Hands pieces on; throws `otherwise` at their end where their hash is not this one, so that whoever takes them keeps none. */
async function* comparedWith(
  pieces: AsyncIterable<Buffer>,
  sha256: string,
  otherwise: StudioError,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== sha256) throw otherwise;
}
