import type { z } from 'zod';
import { StudioError } from '../../../schemas/errors.ts';
import { wholeUpTo } from '../../files/bounded.ts';

/** Fits a password, a name and a code, bytes. */
const MOST_BODY = 10_000;

/** Throws USAGE for a body that is too long, no JSON, or of other fields. */
export async function jsonBody<T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\b/i.test(type))
    throw new StudioError('USAGE', 'Send JSON with `Content-Type: application/json`.', {});
  const bytes = request.body && (await wholeUpTo(request.body, MOST_BODY));
  if (request.body && bytes === null)
    throw new StudioError('USAGE', `Nothing longer than ${MOST_BODY} bytes is taken here.`, {});
  let value: unknown;
  try {
    value = JSON.parse(bytes?.toString('utf8') ?? '');
  } catch (error) {
    throw new StudioError('USAGE', 'The body of the request is no JSON.', {}, { cause: error });
  }
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw new StudioError('USAGE', `${issue?.path.join('.') || 'input'}: ${issue?.message ?? 'does not fit'}.`, {});
}
