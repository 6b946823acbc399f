import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '../../schemas/api/contract.ts';
import { FILE_ROUTES, PERSON_HEADER } from '../../schemas/api/routes.ts';
import { tr } from '../language/tr.ts';
import { isAbort, toError } from '../ui/errors.ts';
import { reportLost, reportRefused, reportUp } from './connection.ts';
import { keptPerson } from './kept-person.ts';
import { paths } from './paths.ts';
import { isTeamPage } from './team-page.ts';

export { toError };

/** For places where a person is not signed in yet, and no page waits to be healed. */
const isSignInAddress = (): boolean => location.pathname === paths.signIn || location.pathname === paths.invitation;

/** Fetch that tells the connection's state: a request that never reached the studio, and one that did. */
export async function studioFetch(request: Request | string, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(request, { ...init, credentials: 'same-origin' });
    // On a team's server 403 is about what was asked, and 401 about who asks; elsewhere there is no 401.
    if (response.status === (isTeamPage ? 401 : 403) && !isSignInAddress()) reportRefused();
    else reportUp();
    return response;
  } catch (error) {
    if (!isAbort(error)) reportLost();
    throw error;
  }
}

/** The JSON of a plain route. A refusal is thrown as `client` throws it: with `code`, `message` and `data`. */
export async function studioJson(address: string, init?: RequestInit): Promise<unknown> {
  const response = await studioFetch(address, init);
  const answer: unknown = await response.json().catch((error: unknown) => {
    if (isAbort(error)) throw error;
    return null;
  });
  if (response.ok && answer !== null) return answer;
  const body = typeof answer === 'object' && answer !== null ? answer : {};
  const { code, message } = toError(
    'code' in body ? body : new Error(tr('The studio answered {status}.', { status: response.status })),
  );
  throw Object.assign(new Error(message), { code, data: 'details' in body ? body.details : null });
}

const link = new RPCLink({
  url: () => `${location.origin}/rpc`,
  fetch: (request, init) => studioFetch(request, init),
  // For calls that have no place for who asks.
  headers: (_options, _path, input) => personHeader(input),
});

function personHeader(input: unknown): Record<string, string> {
  const ws: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'ws') : undefined;
  const person = typeof ws === 'string' ? keptPerson(ws) : null;
  return person === null ? {} : { [PERSON_HEADER]: encodeURIComponent(person.toWellFormed()) };
}

/** The API, typed by its contract. Errors carry `code` and `message`: read them with `toError`. */
export const client: ContractRouterClient<Contract> = createORPCClient(link);

/** Addresses of the plain routes: pictures, the playback copy, attachments. */
export const fileUrl = {
  ...FILE_ROUTES,
  upload: (ws: string, to: { task: string; role: string; name: string; person?: string }): string =>
    `/files/${encodeURIComponent(ws)}/attachments?${new URLSearchParams(to)}`,
} as const;
