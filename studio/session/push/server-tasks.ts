import { libraryContract } from '../../../schemas/api/library.ts';
import type { Attachment, TaskToRecord } from '../../../schemas/api/models.ts';
import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import type { ServerTaskList } from '../../../schemas/api/team-server.ts';
import type { UploadWelcome } from '../../../schemas/api/uploads.ts';
import { errorBody, StudioError } from '../../../schemas/errors.ts';
import { attach, detach, listAttachments } from '../../store/attachments.ts';
import { noteFromServer, tasksFromServers } from '../../store/recorders.ts';
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
 * words of now. Throws what `askTasks` throws; UNKNOWN_TASK where the server does not give it to this person, CONFLICT where
 * another task has its id here.
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
  await noteFromServer(store, id, server.origin);
  const here = new Set((await listAttachments(store, id)).map((one) => one.id));
  return { id, ws: welcome.ws, missing: wanted.attachments.filter((one) => !here.has(one.id)) };
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

/** Fetches files of a task that was taken. Throws what `askTeam` throws; UNREACHABLE for one that came incomplete. */
export async function fetchFiles(
  workspace: Workspace,
  server: TeamServer,
  { id: task, ws, missing }: FetchedTask,
  { signal, report }: { signal: AbortSignal; report(share: number, message: string): void },
): Promise<number> {
  for (const [at, { id, role, name, bytes }] of missing.entries()) {
    report(at / missing.length, name);
    const body = streamFrom(server, FILE_ROUTES.attachment(ws, id), { signal });
    const came = await attach(workspace, { id, task, role, name, body, signal, mostBytes: bytes });
    if (came.bytes === bytes) continue;
    await detach(workspace, id);
    throw new StudioError('UNREACHABLE', `"${name}" came incomplete from ${server.origin}. Begin this again.`, {});
  }
  return missing.length;
}
