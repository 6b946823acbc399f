import { previewInput } from '../../schemas/api/datasets.ts';
import { StudioError } from '../../schemas/errors.ts';
import { wholeUpTo } from '../files/bounded.ts';
import type { OpenWorkspace } from '../session/open-workspace.ts';
import type { Principal } from './members/principal.ts';
import { ownPerson } from './rights.ts';
import { PassedOn, writeSlowly } from './write-slowly.ts';

/**
 * The pages' two longest answers as plain routes: JSON that was written once, or in another thread, and is sent as it is. A
 * procedure would check, walk and write megabytes anew on the thread that answers everybody else.
 */

/** Longer than any question for a preview, bytes. */
const MOST_QUESTION = 10_000;
const previewQuestion = previewInput.omit({ ws: true });

/** Steps, frames and geometry of a recording, which change with its raw files and with the rules alone. */
export async function answerPage(
  request: Request,
  open: OpenWorkspace,
  recording: string,
  cache: string,
): Promise<Response> {
  const { bytes, tag } = await open.as(undefined).recordings.page(recording);
  const headers = { 'cache-control': cache, etag: `"${tag}"` };
  if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers });
  return json(request.method === 'HEAD' ? null : bytes, headers);
}

/** The preview of an export, as the thread that made it wrote it. */
export async function answerPreview(request: Request, open: OpenWorkspace, principal: Principal): Promise<Response> {
  const { success, data, error } = previewQuestion.safeParse(await question(request));
  if (!success) {
    const [issue] = error.issues;
    throw new StudioError('USAGE', `${issue?.path.join('.') || 'input'}: ${issue?.message ?? 'does not fit'}.`, {});
  }
  const { person, wishes } = data;
  const bytes = await open.as(ownPerson(principal, person)).dataset.preview(wishes, { signal: request.signal });
  return json(bytes, { 'cache-control': 'no-store' });
}

function json(bytes: Uint8Array<ArrayBuffer> | null, headers: Readonly<Record<string, string>>): Response {
  return new Response(bytes && writeSlowly(new PassedOn(bytes)), {
    headers: { ...headers, 'content-type': 'application/json' },
  });
}

async function question(request: Request): Promise<unknown> {
  const bytes = request.body && (await wholeUpTo(request.body, MOST_QUESTION));
  if (request.body && bytes === null)
    throw new StudioError('USAGE', `A question takes at most ${MOST_QUESTION} bytes.`, {});
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '');
  } catch (error) {
    throw new StudioError('USAGE', 'The body of the request is no JSON.', {}, { cause: error });
  }
}
