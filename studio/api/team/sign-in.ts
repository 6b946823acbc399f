import { z } from 'zod';
import { log } from '../../../native/log/log.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { OIDC_CALLBACK, SIGN_ROUTES } from '../../../schemas/team-terms.ts';
import type { Store } from '../../store/store.ts';
import { errorResponse } from '../errors.ts';
import { acceptInvitation, lookAtInvitation } from '../members/invitations.ts';
import { countTries } from '../members/limits.ts';
import type { OidcProvider } from '../members/oidc.ts';
import { beginSession, endSessionOf, memberWithPassword, principalOfSession } from '../members/sessions.ts';
import { type Told, toldError } from '../told.ts';
import { countedAs } from './address.ts';
import { jsonBody } from './json-body.ts';
import { openOidcRoutes } from './oidc-routes.ts';
import type { SessionCookie, Visit } from './visit.ts';

/** The plain routes by which browsers sign in and out (SIGN_ROUTES): the only ones that answer a stranger. */

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
  /** Where people find the server. */
  url: URL;
  /** As a stranger is told a text. */
  told: Told;
  /** Null: nobody signs in by OpenID Connect here. */
  oidc: OidcProvider | null;
};

/** Days of a session by OpenID Connect. */
const OIDC_DAYS = 1;

/** `session`: its secret; `kept`: what signing in by OpenID Connect left in the browser on the way. */
export type VisitCookies = { session: string | undefined; kept: string | undefined };

export type SignIn = {
  answer(visit: Visit, path: string, cookies: VisitCookies): Promise<Response>;
  /** Throws TOO_MANY_TRIES for a place that has guessed too often. */
  refuseGuesses(visit: Visit): void;
  guessed(visit: Visit): void;
};

export function openSignIn({ store, cookie, tell, url, told, oidc }: SignInOptions): SignIn {
  const [here, everywhere, place] = [HERE, EVERYWHERE, PLACE].map((limit) => countTries(limit)) as [
    ReturnType<typeof countTries>,
    ReturnType<typeof countTries>,
    ReturnType<typeof countTries>,
  ];
  const placeOf = ({ address }: Visit): string => countedAs(address);
  const refuseGuesses = (visit: Visit): void => place.refuse(placeOf(visit));
  const guessed = (visit: Visit): void => place.failed(placeOf(visit));

  async function signIn(visit: Visit): Promise<Response> {
    const { email, password } = await jsonBody(visit.request, signInSchema);
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

  const begin = async (at: Store, member: string): Promise<Response> =>
    answered({ ok: true }, await beginCookie(at, member));

  async function beginCookie(at: Store, member: string, days?: number): Promise<string> {
    const { secret, endsAt } = await beginSession(at, member, days);
    const seconds = Math.floor((Date.parse(endsAt) - Date.now()) / 1000);
    return `${cookie.name}=${secret}; Max-Age=${seconds}; ${cookie.attributes}`;
  }

  const byOidc =
    oidc &&
    openOidcRoutes({
      provider: oidc,
      url,
      store,
      tell,
      refuseGuesses,
      guessed,
      session: (at, member) => beginCookie(at, member, OIDC_DAYS),
    });

  /** A code that does not hold counts as a guess, and until it is known to hold: of many at once no more are looked at. */
  async function counted<T>(visit: Visit, work: () => Promise<T>): Promise<T> {
    refuseGuesses(visit);
    guessed(visit);
    let isGuess = false;
    try {
      return await work();
    } catch (error) {
      isGuess = error instanceof StudioError && error.code === 'SIGNED_OUT';
      throw error;
    } finally {
      if (!isGuess) place.undo(placeOf(visit));
    }
  }

  async function route(visit: Visit, path: string, session: string | undefined): Promise<Response> {
    const answer = await byOidc?.answer(visit, path);
    if (answer) return answer;
    if (path === SIGN_ROUTES.signIn) return signIn(visit);
    if (path === SIGN_ROUTES.look) {
      const { code } = await jsonBody(visit.request, codeSchema);
      return answered(await counted(visit, async () => lookAtInvitation(await store(), code)));
    }
    if (path === SIGN_ROUTES.accept) {
      const given = await jsonBody(visit.request, acceptSchema);
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
    async answer(visit, path, { session, kept }) {
      try {
        // The sign-in service sends the browser here: by GET, and from a page of another server.
        if (byOidc && path === OIDC_CALLBACK && visit.request.method === 'GET') return await byOidc.back(visit, kept);
        if (visit.request.method !== 'POST') throw new StudioError('USAGE', `${path} is sent to with POST.`, {});
        // Another page could sign somebody in as somebody else, whose work they would then do.
        if (!visit.isOwnPage) throw new StudioError('FORBIDDEN', 'Sign in on a page of this server.', {});
        return await route(visit, path, session);
      } catch (error) {
        const response = errorResponse(toldError(error, told));
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
