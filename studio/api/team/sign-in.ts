import { z } from 'zod';
import { log } from '../../../native/log/log.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { SIGN_ROUTES } from '../../../schemas/team-terms.ts';
import type { Store } from '../../store/store.ts';
import { acceptInvitation, lookAtInvitation } from '../../team/invitations.ts';
import { countTries } from '../../team/limits.ts';
import { beginSession, endSessionOf, memberWithPassword, principalOfSession } from '../../team/sessions.ts';
import { errorResponse } from '../errors.ts';
import { countedAs } from './address.ts';

/** The plain routes by which browsers sign in and out (SIGN_ROUTES): the only ones that answer a stranger. */

/** A request as the door has looked at it. */
export type Visit = {
  request: Request;
  /** The request's id in the log. */
  id: string;
  /** Whose it is, on the network. */
  address: string;
  /** A page of this server asks, as its browser says. */
  isOwnPage: boolean;
};

/** Fits a password, a name and a code, bytes. */
const MOST_BODY = 10_000;
const MINUTES_15 = 15 * 60_000;
/** For one address that is signed in with, from one place. */
const HERE = { most: 10, ms: MINUTES_15 };
/** For it from everywhere: a person is not kept out by one who guesses, but a thousand machines guess slowly. */
const EVERYWHERE = { most: 100, ms: MINUTES_15 };
/** From one place, whoever is signed in as; a whole lab may share it. */
const PLACE = { most: 60, ms: MINUTES_15 };

const signInSchema = z.object({ email: z.string().max(200), password: z.string().max(1000) });
const codeSchema = z.object({ code: z.string().max(200) });
const acceptSchema = codeSchema.extend({
  password: z.string().max(1000),
  name: z.string().trim().max(100).default(''),
});

type SignInOptions = {
  store(): Promise<Store>;
  cookie: SessionCookie;
  /** Somebody new is in the workspace. */
  tell(): void;
};

/** `attributes`: what stands after its name and value. */
export type SessionCookie = { name: string; attributes: string };

export type SignIn = {
  answer(visit: Visit, path: string, session: string | undefined): Promise<Response>;
  /** Throws TOO_MANY_TRIES for a place that has guessed too often. */
  refuseGuesses(visit: Visit): void;
  guessed(visit: Visit): void;
};

export function openSignIn({ store, cookie, tell }: SignInOptions): SignIn {
  const [here, everywhere, place] = [HERE, EVERYWHERE, PLACE].map((limit) => countTries(limit)) as [
    ReturnType<typeof countTries>,
    ReturnType<typeof countTries>,
    ReturnType<typeof countTries>,
  ];
  const placeOf = ({ address }: Visit): string => countedAs(address);
  const refuseGuesses = (visit: Visit): void => place.refuse(placeOf(visit));
  const guessed = (visit: Visit): void => place.failed(placeOf(visit));

  async function signIn(visit: Visit): Promise<Response> {
    const { email, password } = await body(visit.request, signInSchema);
    const who = email.trim().toLowerCase();
    const fromHere = `${placeOf(visit)} ${who}`;
    refuseGuesses(visit);
    here.refuse(fromHere);
    everywhere.refuse(who);
    // Counted before it is known: of a hundred at once no more are tried than one after another.
    guessed(visit);
    here.failed(fromHere);
    everywhere.failed(who);
    const at = await store();
    const member = await memberWithPassword(at, who, password);
    if (!member) {
      log.warn('sign in refused', { request: visit.id });
      throw new StudioError('SIGNED_OUT', 'The e-mail address or the password is not right.', { field: 'password' });
    }
    here.forget(fromHere);
    everywhere.forget(who);
    // Not forgotten: whoever has an account could wash every guess at others' away by signing in.
    place.undo(placeOf(visit));
    log.info('signed in', { request: visit.id, person: member.id });
    return begin(at, member.id);
  }

  async function begin(at: Store, member: string): Promise<Response> {
    const { secret, endsAt } = await beginSession(at, member);
    const seconds = Math.floor((Date.parse(endsAt) - Date.now()) / 1000);
    return answered({ ok: true }, `${cookie.name}=${secret}; Max-Age=${seconds}; ${cookie.attributes}`);
  }

  /** A code that does not hold counts as a guess. */
  async function counted<T>(visit: Visit, work: () => Promise<T>): Promise<T> {
    refuseGuesses(visit);
    try {
      return await work();
    } catch (error) {
      if (error instanceof StudioError && error.code === 'SIGNED_OUT') guessed(visit);
      throw error;
    }
  }

  async function route(visit: Visit, path: string, session: string | undefined): Promise<Response> {
    if (path === SIGN_ROUTES.signIn) return signIn(visit);
    if (path === SIGN_ROUTES.look) {
      const { code } = await body(visit.request, codeSchema);
      return answered(await counted(visit, async () => lookAtInvitation(await store(), code)));
    }
    if (path === SIGN_ROUTES.accept) {
      const given = await body(visit.request, acceptSchema);
      const at = await store();
      const id = await counted(visit, () => acceptInvitation(at, given));
      log.info('invitation accepted', { request: visit.id, person: id });
      tell();
      return begin(at, id);
    }
    if (path === SIGN_ROUTES.signOut) {
      const at = await store();
      const found = session === undefined ? null : await principalOfSession(at, session);
      if (found) await endSessionOf(at, found.member);
      if (found) log.info('signed out', { request: visit.id, person: found.member.id });
      return answered({ ok: true }, `${cookie.name}=; Max-Age=0; ${cookie.attributes}`);
    }
    throw new StudioError('UNKNOWN_FILE', `There is no ${path}.`, {});
  }

  return {
    refuseGuesses,
    guessed,
    async answer(visit, path, session) {
      try {
        if (visit.request.method !== 'POST') throw new StudioError('USAGE', `${path} is sent to with POST.`, {});
        // Another page could sign somebody in as somebody else, whose work they would then do.
        if (!visit.isOwnPage) throw new StudioError('FORBIDDEN', 'Sign in on a page of this server.', {});
        return await route(visit, path, session);
      } catch (error) {
        const response = errorResponse(error);
        const seconds: unknown = error instanceof StudioError ? error.details.seconds : undefined;
        if (response.status === 429) response.headers.set('retry-after', String(seconds));
        return response;
      }
    },
  };
}

function answered(value: object, setCookie?: string): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  if (setCookie !== undefined) headers.append('set-cookie', setCookie);
  return Response.json(value, { headers });
}

/** Throws USAGE for a body that is too long, no JSON, or of other fields. */
async function body<T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\b/i.test(type))
    throw new StudioError('USAGE', 'Send JSON with `Content-Type: application/json`.', {});
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BODY) throw new StudioError('USAGE', `Nothing longer than ${MOST_BODY} bytes is taken here.`, {});
    chunks.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new StudioError('USAGE', 'The body of the request is no JSON.', {}, { cause: error });
  }
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw new StudioError('USAGE', `${issue?.path.join('.') || 'input'}: ${issue?.message ?? 'does not fit'}.`, {});
}
