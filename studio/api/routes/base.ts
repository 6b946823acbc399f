import { type AnyProcedure, implement } from '@orpc/server';
import { log, passedOver } from '../../../native/log/log.ts';
import { contract } from '../../../schemas/api/contract.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import { breathe } from '../../store/breathe.ts';
import type { AskedBy } from '../../store/jobs/queue.ts';
import { blindly } from '../blind.ts';
import { checkedContract } from '../checked-contract.ts';
import { apiErrorBody, toOrpcError } from '../errors.ts';
import { refuseCall } from '../rights.ts';
import type { AskedStudio, Studio } from '../studio.ts';

/**
 * The contract to be implemented, with the studio as context. Every error leaves a procedure as one of ours. Between the work
 * and the check of its answer others are let in: a list of a thousand recordings takes some dozens of ms in each.
 */
export const api = implement(checkedContract(contract))
  .$context<AskedStudio>()
  // The answer is checked around the last of the two, so after the pause.
  .$config({ initialOutputValidationIndex: -1 })
  .use(async ({ next, context, path, procedure }, input: unknown) => {
    const begun = performance.now();
    const facts = () => ({ ...askedOf(input, context), name: path.join('.'), ms: performance.now() - begun });
    try {
      refuseCall(context.principal, path.join('.'), input);
      const result = await next();
      if (performance.now() - begun > SLOW_MS) log.info('slow request', facts());
      // On a server that several people work on: who changed what.
      else if (context.principal.kind === 'member' && changes(procedure)) log.info('changed', facts());
      else log.debug('request', facts());
      return result;
    } catch (error) {
      const { code } = apiErrorBody(error);
      log[code === 'INTERNAL' ? 'error' : 'info']('request refused', { ...facts(), code, error });
      await closeDamaged(error, context, input);
      throw toOrpcError(error);
    }
  })
  .use(async ({ next, context, path }, input: unknown) => blindly({ context, path, input }, () => next()))
  .use(async ({ next }) => {
    const result = await next();
    await breathe();
    return result;
  });

/** An answer that takes longer is in the log, ms. */
const SLOW_MS = 1000;

/** The facts of a request that may be in the log: who asks, and the ids. */
function askedOf(
  input: unknown,
  { principal, request }: AskedStudio,
): { person?: string; recording?: string; workspace?: string; request?: string; by?: string } {
  const asked = typeof input === 'object' && input !== null ? input : {};
  const { person, recording, ws } = asked as Record<string, unknown>;
  const member = principal.kind === 'member' ? principal : null;
  return {
    ...(member ? { person: member.id, by: member.by.kind } : typeof person === 'string' && { person }),
    ...(request !== undefined && { request }),
    ...(typeof recording === 'string' && { recording }),
    ...(typeof ws === 'string' && { workspace: ws }),
  };
}

const changes = (procedure: AnyProcedure): boolean => (procedure['~orpc'].route.method ?? 'POST') !== 'GET';

/** The next request opens it anew, so that a database that was put back is found without a restart. */
async function closeDamaged(error: unknown, studio: Studio, input: unknown): Promise<void> {
  if (!(error instanceof StudioError) || error.code !== 'WORKSPACE_DAMAGED') return;
  const id: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'ws') : undefined;
  if (typeof id === 'string')
    await studio.workspaces.drop(id).catch(passedOver('damaged workspace not closed', { workspace: id }));
}

/** Errors that come while a stream goes on. */
export async function* safely<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    throw toOrpcError(error);
  }
}

export const OK = { ok: true } as const;

/** The calls that begin jobs, by their place in the contract: what may be begun again (begin-again.ts). */
export const JOB_CALLS = [
  'recordings.import',
  'recordings.export',
  'recordings.prepare',
  'dataset.findDuplicates',
  'dataset.freeze',
  'exports.start',
  'exports.validate',
  'archives.make',
  'archives.take',
  'evaluate.makeQuestions',
  'evaluate.takeQuestions',
  'evaluate.score',
  'evaluate.judge',
  'judges.ask',
  'candidates.ask',
  'compositions.makeInstances',
  'runs.model',
  'play.start',
  'play.verify',
  'teamServer.push',
] as const;

/** Jobs of one member of a team that wait or are at work: a hundred would hide those of others, and fill the disk. */
const MOST_JOBS_EACH = 50;

/** The call that begins a job, by which it can be begun again. */
export function askedBy(
  { principal }: Pick<AskedStudio, 'principal'>,
  name: (typeof JOB_CALLS)[number],
  { ws: _, ...input }: Readonly<Record<string, unknown>>,
): AskedBy {
  const said = typeof input.person === 'string' ? input.person : undefined;
  return principal.kind === 'member'
    ? { name, input, person: principal.id, most: MOST_JOBS_EACH }
    : { name, input, person: said };
}

/** The member of a team whose turn work takes. */
export const turnOf = ({ principal }: Pick<AskedStudio, 'principal'>): string | undefined =>
  principal.kind === 'member' ? principal.id : undefined;

/** Tells every page that something in the library changed. */
export const tell = (
  open: OpenWorkspace,
  ...what: ('tasks' | 'recordings' | 'software' | 'people' | 'compositions')[]
): void => {
  for (const one of what) open.changes.publish({ what: one });
};
