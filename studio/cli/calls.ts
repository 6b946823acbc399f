import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '../../schemas/api/contract.ts';
import { StudioError } from '../../schemas/errors.ts';
import { apiErrorBody } from '../api/errors.ts';
import { ACCOUNT } from '../api/members/principal.ts';
import type { Studio } from '../api/studio.ts';
import { userHome } from '../session/home.ts';
import { openSession } from '../session/open-workspace.ts';
import { realDir, typedPath, workspaceId } from '../session/recent.ts';
import type { CliContext } from './context.ts';
import { findRunning, versionOf } from './running.ts';

/** Calls of the API by the two words of their place in the contract; the workspace is filled in. */
export type Call = (path: CallPath, input: object) => Promise<unknown>;
export type CallPath = readonly [room: string, name: string];

/** The handlers of some calls, loaded when there is no running studio to ask. */
export type Handlers = () => Promise<object>;

/**
 * Gives `work` the calls on the workspace in `dir`: of the running studio where it knows the workspace, so that its pages see
 * at once what is changed; else (or with `own`) of a session in this process, which is closed afterwards. Errors are StudioErrors.
 */
export async function withCalls<T>(
  { dir, handlers, context, own = false }: { dir: string; handlers: Handlers; context: CliContext; own?: boolean },
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const there = own ? null : await callsThere(dir, context);
  if (there) return work(there);
  const open = await openSession(dir, { create: false, brief: true, config: userHome().config });
  try {
    return await work(await callsHere(open, handlers, context));
  } finally {
    await open.close();
  }
}

async function callsHere(
  open: Awaited<ReturnType<typeof openSession>>,
  handlers: Handlers,
  { version }: CliContext,
): Promise<Call> {
  const [{ call }, procedures] = await Promise.all([import('@orpc/server'), handlers()]);
  // Calls on a workspace ask no more of the studio than this.
  const studio = {
    version,
    home: userHome(),
    isLocal: true,
    principal: ACCOUNT,
    path: typedPath,
    workspaces: { get: async () => open },
  } as unknown as Studio;
  return async ([room, name], input) => {
    const procedure = Reflect.get(Reflect.get(procedures, room), name) as Parameters<typeof call>[0];
    return said(() => call(procedure, { ...input, ws: open.id }, { context: studio }));
  };
}

/** The whole id of a recording. Throws UNKNOWN_RECORDING, AMBIGUOUS_ID. */
export async function findRecording(call: Call, recording: unknown): Promise<string> {
  const { id } = (await call(['recordings', 'find'], { recording })) as { id: string }; // The contract says so.
  return id;
}

/** The id of a person, by it or their name. Throws USAGE with who there is. */
export async function idOfPerson(call: Call, person: unknown): Promise<string> {
  const { id } = (await call(['people', 'find'], { person })) as { id: string }; // The contract says so.
  return id;
}

/** Null when no studio runs, another version of it does, or it does not know this workspace. */
async function callsThere(dir: string, { version }: CliContext): Promise<Call | null> {
  const running = await findRunning(userHome(), undefined);
  if (running === null || (await versionOf(running)) !== version) return null;
  const [{ createORPCClient }, { RPCLink }] = await Promise.all([import('@orpc/client'), import('@orpc/client/fetch')]);
  const { origin, token } = running;
  const link = new RPCLink({ url: `${origin}/rpc`, headers: { authorization: `Bearer ${token}` } });
  const client: ContractRouterClient<Contract> = createORPCClient(link);
  const ws = workspaceId(realDir(dir));
  const known = await client.workspaces.recent().catch(() => []);
  if (!known.some(({ id }) => id === ws)) return null;
  return ([room, name], input) => {
    const call = Reflect.get(Reflect.get(client, room), name) as (input: object) => Promise<unknown>;
    return said(() => call({ ...input, ws }));
  };
}

async function said(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    // `fetch` throws this when nobody answers any more.
    if (error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message)) {
      throw new StudioError(
        'INTERRUPTED',
        'The running studio ended before it answered. Run the command again; what it had done already stays.',
        {},
        { cause: error },
      );
    }
    const { code, message, details } = apiErrorBody(error);
    throw new StudioError(code, message, details, { cause: error });
  }
}
