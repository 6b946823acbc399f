import { z } from 'zod';
import { log } from '../../../native/log/log.ts';
import { OIDC_CALLBACK, type OidcFailure, SIGN_ROUTES } from '../../../schemas/team-terms.ts';
import type { Store } from '../../store/store.ts';
import type { OidcKept, OidcProvider } from '../members/oidc.ts';
import { OidcFault } from '../members/oidc-fault.ts';
import { memberOfAccount } from '../members/oidc-members.ts';
import { jsonBody } from './json-body.ts';
import type { SessionCookie, Visit } from './visit.ts';

/**
 * Signing in by OpenID Connect: to the service and back. Between the two the browser keeps state, nonce and PKCE's verifier in a
 * cookie of its own; this server keeps nothing, so any of its processes may go on.
 */

type OidcRoutes = {
  provider: OidcProvider;
  /** Where people find the server. */
  url: URL;
  store(): Promise<Store>;
  /** Somebody new is in the workspace. */
  tell(): void;
  refuseGuesses(visit: Visit): void;
  guessed(visit: Visit): void;
  /** The cookie of a new session of this member. */
  session(store: Store, member: string): Promise<string>;
};

/** How long somebody may be at the service. */
const WAY_SECONDS = 600;
const MOST_WAY_ON = 1000;
/** The page that has the reasons in the languages of the pages. */
const SIGN_IN_PAGE = '/sign-in';

const beginSchema = z.object({ to: z.string().max(MOST_WAY_ON).default('/'), again: z.boolean().default(false) });
const keptSchema = z.object({
  state: z.string().min(20).max(200),
  nonce: z.string().min(20).max(200),
  verifier: z.string().min(20).max(200),
  to: z.string().max(MOST_WAY_ON),
  /** When it began, ms since 1970. */
  at: z.number(),
});
type Kept = z.infer<typeof keptSchema>;

/** SameSite=Lax: a page of another server, the service's, leads back. */
export function keptCookieOf({ protocol, port }: URL): SessionCookie {
  const isSecure = protocol === 'https:';
  return {
    name: isSecure ? '__Host-studio-oidc' : `studio-team-oidc-${port || '80'}`,
    attributes: `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  };
}

export function openOidcRoutes({ provider, url, store, tell, refuseGuesses, guessed, session }: OidcRoutes) {
  const cookie = keptCookieOf(url);
  const noMore = `${cookie.name}=; Max-Age=0; ${cookie.attributes}`;

  async function begin(visit: Visit): Promise<Response> {
    const { to, again } = await jsonBody(visit.request, beginSchema);
    refuseGuesses(visit);
    try {
      const { url: there, kept } = await provider.begin(again);
      const answer = Response.json({ url: there.href });
      const text = writeKept({ ...kept, to, at: Date.now() });
      answer.headers.append('set-cookie', `${cookie.name}=${text}; Max-Age=${WAY_SECONDS}; ${cookie.attributes}`);
      return answer;
    } catch (error) {
      const why = whyOf(visit, error);
      return Response.json({ url: `${url.origin}${failedPath(why, to)}` });
    }
  }

  async function end(visit: Visit): Promise<Response> {
    await jsonBody(visit.request, z.object({}));
    const there = await provider.endUrl().catch((error: unknown) => {
      whyOf(visit, error);
      return null;
    });
    return Response.json({ url: there?.href ?? null });
  }

  /** Always leads on to a page, with a session or with the reason why there is none. */
  async function back(visit: Visit, text: string | undefined): Promise<Response> {
    const kept = readKept(text);
    let to: string;
    const cookies = [noMore];
    try {
      refuse(visit);
      if (kept === null || Math.abs(Date.now() - kept.at) > WAY_SECONDS * 1000) throw new OidcFault('late');
      const at = await store();
      const account = await provider.finish(new URL(visit.request.url).search, kept);
      const { id, isNew } = await memberOfAccount(at, account, provider.wishes);
      cookies.push(await session(at, id));
      log.info('signed in', { request: visit.id, person: id, by: 'oidc' });
      if (isNew) tell();
      to = wayOn(url, kept.to);
    } catch (error) {
      const why = whyOf(visit, error);
      if (why !== 'away' && why !== 'denied' && why !== 'tries') guessed(visit);
      to = `${url.origin}${failedPath(why, kept?.to ?? '/')}`;
    }
    const headers = new Headers({ location: to, 'cache-control': 'no-store' });
    for (const one of cookies) headers.append('set-cookie', one);
    return new Response(null, { status: 303, headers });
  }

  function refuse(visit: Visit): void {
    try {
      refuseGuesses(visit);
    } catch (error) {
      throw new OidcFault('tries', { cause: error });
    }
  }

  return {
    back,
    async answer(visit: Visit, path: string): Promise<Response | null> {
      if (path === SIGN_ROUTES.oidcBegin) return begin(visit);
      if (path === SIGN_ROUTES.oidcEnd) return end(visit);
      return null;
    },
  };
}

function whyOf(visit: Visit, error: unknown): OidcFailure {
  const why = error instanceof OidcFault ? error.why : 'odd';
  const cause: unknown = error instanceof OidcFault ? (error.cause ?? error) : error;
  log.warn('sign in refused', { request: visit.id, by: 'oidc', why, error: cause });
  return why;
}

const failedPath = (why: OidcFailure, to: string): string =>
  `${SIGN_IN_PAGE}?${new URLSearchParams({ failed: why, ...(to !== '/' && { to }) })}`;

/** The page that was asked for, whole: `//other.example` in its path is then no other server. */
function wayOn({ origin }: URL, to: string): string {
  const found = URL.canParse(to, origin) ? new URL(to, origin) : null;
  const isOwn = found?.origin === origin && to.startsWith('/') && !found.pathname.startsWith(OIDC_CALLBACK);
  return found && isOwn ? found.href : `${origin}/`;
}

const writeKept = (kept: OidcKept & { to: string; at: number }): string =>
  Buffer.from(JSON.stringify(kept)).toString('base64url');

/** Null: none, or no such thing. */
function readKept(text: string | undefined): Kept | null {
  if (text === undefined || text.length > 4000) return null;
  try {
    const { data } = keptSchema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return data ?? null;
  } catch {
    return null;
  }
}
