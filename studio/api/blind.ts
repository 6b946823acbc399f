import { PERSON_HEADER } from '../../schemas/api/routes.ts';
import { namesKept, refuseNamed, withoutNamed } from '../agents/compositions/kept.ts';
import type { OpenWorkspace } from '../session/open-workspace.ts';
import type { AskedStudio } from './studio.ts';

export function personIn(headers: Headers): string | undefined {
  const given = headers.get(PERSON_HEADER);
  if (given === null || given === '' || given.length > 1000) return undefined;
  try {
    return decodeURIComponent(given);
  } catch {
    return undefined;
  }
}

/**
 * A call as somebody may make it who does a composition blind: one that names a task or a recording of it is refused with
 * CONFLICT, and lists are without them. The compositions' own calls say for themselves what is kept.
 */
export async function blindly<R extends { output: unknown }>(
  { context, path, input }: { context: AskedStudio; path: readonly string[]; input: unknown },
  next: () => PromiseLike<R> | R,
): Promise<R> {
  const ws: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'ws') : undefined;
  if (typeof ws !== 'string' || path[0] === 'compositions') return next();
  const open = await context.workspaces.get(ws).catch(() => null);
  // A workspace that cannot be opened is for the call itself to say.
  if (open === null) return next();
  const named: unknown = Reflect.get(input as object, 'person');
  const person = typeof named === 'string' ? named : context.person;
  const kept = await namesKept(open.workspace, person);
  if (kept.size === 0) return next();
  refuseNamed(input, kept);
  const result = await next();
  const { output } = result;
  return { ...result, output: withoutNamed(output, kept) };
}

/**
 * The same for a plain route below /files, which names one of them. `person` undefined: a browser of a machine of one's own shows
 * a picture by its address alone, which does not say for whom.
 */
export async function refuseKeptFile(
  { workspace }: OpenWorkspace,
  person: string | undefined,
  named: { recording: string } | { task: string },
): Promise<void> {
  if (person !== undefined) refuseNamed(named, await namesKept(workspace, person));
}
