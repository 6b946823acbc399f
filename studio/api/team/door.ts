import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { putNewest } from '../../../core/newest.ts';
import { log, passedOver } from '../../../native/log/log.ts';
import { errorBody, StudioError } from '../../../schemas/errors.ts';
import { statOf } from '../../files/inside.ts';
import { sharedLook } from '../../session/shared-look.ts';
import { readMeta } from '../../store/meta.ts';
import type { Store } from '../../store/store.ts';
import { errorResponse } from '../errors.ts';
import type { Admitted, Door } from '../handler.ts';
import type { OidcProvider } from '../members/oidc.ts';
import type { SignedIn } from '../members/principal.ts';
import { principalOfSession, principalOfToken, principalOfWork } from '../members/sessions.ts';
import type { AskedStudio, Studio } from '../studio.ts';
import { type Told, toldError, withoutPlaces } from '../told.ts';
import type { TeamUploads } from '../uploads/team-uploads.ts';
import { clientAddress, countedAs, trustedProxies } from './address.ts';
import { memberSettings } from './member-settings.ts';
import { keptCookieOf } from './oidc-routes.ts';
import { insidePath } from './paths.ts';
import { openSignIn } from './sign-in.ts';
import type { SessionCookie, Visit } from './visit.ts';
import { onlyWorkspace } from './workspaces.ts';

/**
 * The door of a team's server. A browser has a session's cookie, a script a token; neither is told anything without. What
 * changes something comes from a page of this server (Origin, Sec-Fetch-Site) or has a token.
 */

type DoorOptions = {
  studio: Studio;
  /** The id of the workspace that is served. */
  ws: string;
  /** Where people find the server. */
  url: URL;
  /** The built pages. */
  pages: string;
  uploads: TeamUploads;
  /** Proxies beside those on this machine. */
  proxies: readonly string[];
  /** Null: people sign in with passwords alone. */
  oidc: OidcProvider | null;
  /** How often those who follow something are looked at again, ms. */
  recheckMs?: number;
  /** Requests of one member that go on at once. */
  mostUnderWay?: number;
  /** The figures of this server, for whoever has the right to data. */
  figures(at: { store: Store; dir: string; streams: number }): Promise<string>;
};

export type TeamDoor = {
  door: Door;
  /** Whose a request is, as far as that is known without a look: for whose turn it is, and for nothing else. */
  whose(request: IncomingMessage): string;
  /** The caller for work of a member that a killed server left; null where they are no member any more. */
  workOf(member: string, job: string): Promise<AskedStudio | null>;
  close(): void;
};

const RECHECK_MS = 2000;
/** A page follows a handful of things. The system's open files are for everybody. */
const MOST_OPEN = 500;
const MINE = /^\/(api|rpc|files|team|metrics)(\/|$)/;

/** A request that goes on, by whom. */
type Live = {
  secret: string;
  kind: 'session' | 'token';
  role: string;
  control: AbortController;
  /** Held as long as it is answered: a request that nobody holds is forgotten with its signal, and then nothing ends its stream. */
  held: readonly unknown[];
};

export function openTeamDoor(options: DoorOptions): TeamDoor {
  const { studio, ws, url, recheckMs = RECHECK_MS, mostUnderWay = MOST_OPEN } = options;
  const proxies = trustedProxies(options.proxies);
  const store = async (): Promise<Store> => (await studio.workspaces.get(ws)).workspace.store;
  const workspaces = onlyWorkspace(studio.workspaces, ws);
  const live = new Set<Live>();
  /** How many of them each member has. */
  const underWay = new Map<string, number>();
  const cookie = cookieFor(url);
  const whose = createWhose(cookie.name, proxies);
  const look = createLook(store);
  const tell = () => tellPeople(studio, ws);
  const told: Told = (text) => withoutPlaces(workspaces.dir())(text);
  const signIn = openSignIn({ store, cookie, tell, url, told, oidc: options.oidc });

  /** Somebody who was signed out, or has another role, follows nothing any more. */
  async function recheck(): Promise<void> {
    const known = new Map<string, Promise<string | null>>();
    for (const one of [...live]) {
      const asked = known.get(one.secret) ?? look(one.kind, one.secret).then((found) => found?.member.role ?? null);
      known.set(one.secret, asked);
      if ((await asked) !== one.role) one.control.abort(signedOut());
    }
  }
  const timer = setInterval(() => {
    if (live.size > 0) recheck().catch(passedOver('sessions not looked at', { workspace: ws }));
  }, recheckMs);
  timer.unref();

  async function admit(request: Request, peer: string | undefined): Promise<Response | Admitted> {
    const { pathname } = new URL(request.url);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (pathname === '/health' && isRead) return Response.json({ ok: true });
    if (pathname === '/ready' && isRead) return ready(store, ws, options.pages);
    const host = request.headers.get('host') ?? '';
    if (host.toLowerCase() !== url.host) {
      return refuse(
        `This server is ${url.origin}; the request came for another host. A proxy must hand the Host header on.`,
      );
    }
    const origin = request.headers.get('origin');
    if (origin !== null && origin !== url.origin) return refuse('The request came from a page of another server.');

    const id = randomUUID();
    const visit: Visit = {
      request,
      id,
      address: clientAddress(peer, request.headers.get('x-forwarded-for'), proxies),
      isOwnPage: isOwnPage(request, origin),
    };
    const bearer = bearerIn(request.headers.get('authorization') ?? '');
    const cookies = request.headers.get('cookie') ?? '';
    const session = cookieIn(cookies, cookie.name);
    if (pathname.startsWith('/team/')) {
      const answer = await signIn.answer(visit, pathname, { session, kept: cookieIn(cookies, keptCookieOf(url).name) });
      if (pathname.endsWith('/sign-out')) await recheck();
      return answer;
    }

    if (bearer !== undefined) {
      signIn.refuseGuesses(visit);
      const found = await look('token', bearer);
      if (found && pathname === '/metrics' && isRead) return metrics(found.member);
      if (found) return enter(visit, { secret: bearer, kind: 'token' }, found);
      signIn.guessed(visit);
      return errorResponse(new StudioError('SIGNED_OUT', 'This token is not known, was revoked, or has ended.', {}));
    }
    const found = session === undefined ? null : await look('session', session);
    if (session !== undefined && found) {
      if (MINE.test(pathname) && !visit.isOwnPage && !(isRead && isDirect(request))) {
        return refuse('The request came from no page of this server. A script sends a token of its own.');
      }
      if (pathname === '/metrics' && isRead) return metrics(found.member);
      return enter(visit, { secret: session, kind: 'session' }, found);
    }
    if (isRead && !MINE.test(pathname)) return { request, context: strangers, isStranger: true };
    return errorResponse(signedOut());
  }

  function enter(
    { request, id }: Visit,
    by: Pick<Live, 'secret' | 'kind'>,
    { member, settings }: { member: SignedIn; settings: string },
  ): Admitted | Response {
    whose.know(by.secret, member.id);
    const control = new AbortController();
    const signal = AbortSignal.any([request.signal, control.signal]);
    const admitted = new Request(request, { signal });
    const one: Live = { ...by, role: member.role, control, held: [request, signal, admitted] };
    const own = underWay.get(member.id) ?? 0;
    if (own >= mostUnderWay) return tooMany(own);
    if (!request.signal.aborted) {
      live.add(one);
      underWay.set(member.id, own + 1);
      // It comes at the end of every answer as well.
      request.signal.addEventListener('abort', () => leave(one, member.id), { once: true });
    }
    const context = { ...contextOf(member, settings), request: id };
    return { request: admitted, context, isStranger: false };
  }

  function leave(one: Live, member: string): void {
    live.delete(one);
    const left = (underWay.get(member) ?? 0) - 1;
    if (left > 0) underWay.set(member, left);
    else underWay.delete(member);
  }

  const contextOf = (member: SignedIn, settings: string): AskedStudio => ({
    ...strangers,
    principal: member,
    settings: memberSettings(settings, member.id, store),
    // Managers name files of the server.
    ...(!member.rights.has('manage') && { told }),
  });

  /** People who annotate blind do not have this right: how much is approved may tell. */
  async function metrics(member: SignedIn): Promise<Response> {
    if (!member.rights.has('data')) return refuse('Figures want the right "data".');
    const dir = (await studio.workspaces.get(ws)).workspace.dir;
    const text = await options.figures({ store: await store(), dir, streams: live.size });
    return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } });
  }

  /** What a request is answered with before it is known whose it is; it asks for the pages alone. */
  const strangers: AskedStudio = {
    ...studio,
    workspaces,
    uploads: options.uploads,
    isLocal: false,
    // No right at all.
    principal: NOBODY,
    path: (text, field) => insidePath(workspaces.dir(), text, field),
  };
  return {
    // A failure before it is known who asks is told as to a stranger.
    door: (request, peer) => admit(request, peer).catch((error: unknown) => errorResponse(toldError(error, told))),
    whose: whose.of,
    async workOf(member, job) {
      const found = await principalOfWork(await store(), member, job);
      return found && contextOf(found.member, found.settings);
    },
    close() {
      clearInterval(timer);
      for (const { control } of live) control.abort(signedOut());
    },
  };
}

/** Secrets that let somebody in, with their member; the oldest are forgotten. */
const MOST_KNOWN = 5000;

/** Whose secrets were let in lately. One that was ended meanwhile is still its member's where turns are taken. */
function createWhose(cookie: string, proxies: BlockList) {
  const members = new Map<string, string>();
  return {
    of({ headers, socket }: IncomingMessage): string {
      const secret = bearerIn(headers.authorization ?? '') ?? cookieIn(headers.cookie ?? '', cookie);
      const forwarded = String(headers['x-forwarded-for'] ?? '');
      const known = secret === undefined ? undefined : members.get(secret);
      return known ?? countedAs(clientAddress(socket.remoteAddress, forwarded, proxies));
    },
    know(secret: string, member: string): void {
      putNewest(members, secret, member, MOST_KNOWN);
    },
  };
}

async function ready(store: () => Promise<Store>, ws: string, pages: string): Promise<Response> {
  try {
    await readMeta(await store(), 'version');
    if (statOf(pages, 'index.html') === null) throw new Error('no pages');
    return Response.json({ ready: true });
  } catch (error) {
    log.warn('not ready', { workspace: ws, error });
    // Another program has to be started; "it waits for the database" would tell an administrator nothing.
    const { code } = errorBody(error);
    return Response.json(code === 'OUTDATED' ? { ready: false, code } : { ready: false }, { status: 503 });
  }
}

const NOBODY: SignedIn = {
  kind: 'member',
  id: '',
  name: '',
  email: '',
  role: 'viewer',
  rights: new Set(),
  by: { kind: 'session', id: '', endsAt: '' },
};

const find = (store: Store, kind: 'session' | 'token', secret: string) =>
  kind === 'session' ? principalOfSession(store, secret) : principalOfToken(store, secret);

const tellPeople = (studio: Studio, ws: string): void =>
  void studio.workspaces
    .get(ws)
    .then(({ changes }) => changes.publish({ what: 'people' }))
    .catch(passedOver('people not told'));

/** Four hundred requests of one session at once are two looks at the database, each after those that share it came. */
const createLook = (store: () => Promise<Store>) =>
  sharedLook(
    async (kind: 'session' | 'token', secret: string) => find(await store(), kind, secret),
    () => undefined,
  );

const signedOut = (): StudioError =>
  new StudioError('SIGNED_OUT', 'You are not signed in, or no more. Sign in again.', {});

function tooMany(own: number): Response {
  const message = `${own} requests of yours are under way. Close some pages of the studio, or stop the script that asks.`;
  const answer = errorResponse(new StudioError('TOO_MANY_TRIES', message, { seconds: 5 }));
  answer.headers.set('retry-after', '5');
  return answer;
}

const refuse = (message: string): Response => errorResponse(new StudioError('FORBIDDEN', message, {}));

/** Said by every browser of today of what a page asks for. */
function isOwnPage(request: Request, origin: string | null): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  return site === 'same-origin' || origin !== null;
}

/** A person typed the address, or opened a picture in a tab of its own: only a read, whose answer no other page gets. */
const isDirect = (request: Request): boolean => {
  const site = request.headers.get('sec-fetch-site');
  return site === 'none' || site === null;
};

/**
 * With https a name that browsers keep to this host alone and to encrypted connections. Cookies know no ports: http is for
 * trying on one machine, where two servers may run.
 */
function cookieFor(url: URL): SessionCookie {
  const isSecure = url.protocol === 'https:';
  return {
    name: isSecure ? '__Host-studio' : `studio-team-${url.port || '80'}`,
    attributes: `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
  };
}

const bearerIn = (header: string): string | undefined => /^Bearer +(\S+)$/i.exec(header)?.[1];

/** The first of this name. */
function cookieIn(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
