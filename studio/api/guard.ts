import { StudioError } from '../../schemas/errors.ts';
import { errorResponse } from './errors.ts';
import { type Logins, proofOf, sameSecret, sessionOf } from './logins.ts';

/** Where browsers are signed in, by a cookie. */
export type BrowserDoor = {
  /** `host:port` of the pages. Cookies know no ports: no other server may be reached under this name. */
  host: string;
  /** Cookies know no ports, so that of a second server of the same name needs another one. */
  cookie: string;
  logins: Logins;
  /**
   * Every browser of today says at a loopback address what a request was made by (Sec-Fetch-Site); a cookie without it comes
   * from a program that was given it. False for addresses of the network, where browsers leave it out.
   */
  tellsSite: boolean;
};

/** Who may ask: a browser on this machine that was signed in, or a script that knows the token. */
type GuardOptions = {
  /** This start's secret. */
  token: string;
  /** `host:port` as a Host header may say it: 127.0.0.1:4747, localhost:4747. */
  hosts: readonly string[];
  /** Null: nobody but who has the token (the desktop app's host). */
  browsers: BrowserDoor | null;
  /** The values that an Origin header may have. Default: `http://` and each of the hosts. */
  origins?: readonly string[];
};

/** The answer that refuses; null: go on. */
export type Guard = (request: Request) => Response | null;

/** Answers with `proofOf` what was asked, to anybody. */
export const PROOF_PATH = '/proof';
/** POST with the token: a new address that signs a browser in. */
export const LOGIN_PATH = '/login';
/** The part of an address that signs in. */
const CODE = 'code';
const MOST_NONCE = 100;

/** An address of the pages with a code in it. */
export const loginAddress = ({ host, logins }: BrowserDoor, kind: 'once' | 'printed'): string =>
  `http://${host}/?${CODE}=${logins.issue(kind)}`;

/**
 * Refuses (403 FORBIDDEN) every request that names another Host (DNS rebinding), comes from another Origin or site, or
 * lacks the token or a session. `GET …?code=` of a page sets the session's cookie and goes on to the same address without the
 * code, so that it is in no history and no Referer.
 */
export function createGuard({ token, hosts, browsers, origins: named }: GuardOptions): Guard {
  const origins = new Set(named ?? hosts.map((host) => `http://${host}`));
  const session = browsers && sessionOf(token, browsers.host);

  const hasSession = (request: Request, host: string): boolean => {
    if (!browsers || session === null || host !== browsers.host) return false;
    const given = cookieOf(request.headers.get('cookie') ?? '', browsers.cookie);
    if (given === undefined || !sameSecret(given, session)) return false;
    const site = request.headers.get('sec-fetch-site');
    return site === null ? !browsers.tellsSite : site === 'same-origin' || site === 'none';
  };

  return (request) => {
    const url = new URL(request.url);
    const host = (request.headers.get('host') ?? url.host).toLowerCase();
    if (!hosts.includes(host)) return refuse('for another host');
    const origin = request.headers.get('origin');
    if (origin !== null && !origins.has(origin)) return refuse('from another origin');
    if (url.pathname === PROOF_PATH) return prove(token, url.searchParams.get('nonce') ?? '');

    const code = url.searchParams.get(CODE);
    const isPage = !/^\/(api|rpc|files)(\/|$)/.test(url.pathname);
    if (browsers && isPage && code !== null && request.method === 'GET') {
      return signIn(request, { url, host, code, browsers, session: session ?? '', known: hasSession(request, host) });
    }
    // Another port of this machine is the same "site": its pages' requests carry our cookie, but say so here.
    const site = request.headers.get('sec-fetch-site');
    if (site === 'cross-site' || site === 'same-site') return refuse('from another page');

    const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (bearer !== undefined && !sameSecret(bearer, token)) return refuse('with a wrong token');
    if (bearer === undefined && !hasSession(request, host)) return refuse('without its token');
    if (url.pathname !== LOGIN_PATH) return null;
    // A page cannot ask for codes: they would outlive it.
    if (!browsers || bearer === undefined || request.method !== 'POST') return refuse('without its token');
    return Response.json({ url: loginAddress(browsers, url.searchParams.has('once') ? 'once' : 'printed') });
  };
}

type SigningIn = {
  url: URL;
  host: string;
  code: string;
  browsers: BrowserDoor;
  session: string;
  /** This browser is signed in already: an old code does no harm then. */
  known: boolean;
};

function signIn(request: Request, { url, host, code, browsers, session, known }: SigningIn): Response {
  // A browser that looks ahead, or a program that makes a preview of a link, must not use it up.
  if (request.headers.has('sec-purpose') || request.headers.get('purpose') === 'prefetch') return refuse('too early');
  if (host !== browsers.host) {
    // The name of this machine that was typed instead: the pages have one of their own. Told to who has a code alone.
    if (!browsers.logins.knows(code)) return refuse('with a code that is used or too old');
    url.host = browsers.host;
    return goOn(`http://${browsers.host}${pathOf(url)}`);
  }
  url.searchParams.delete(CODE);
  if (known) return goOn(pathOf(url));
  if (!browsers.logins.take(code)) return refuse('with a code that is used or too old');
  return goOn(pathOf(url), `${browsers.cookie}=${session}; Path=/; HttpOnly; SameSite=Strict`);
}

/** A path that begins with two slashes would be another host's address. */
const pathOf = (url: URL): string => `${url.pathname.replace(/^\/+/, '/')}${url.search}`;

/**
 * A page that goes on by itself, not a redirect: what a browser was sent to from a file or another program counts as
 * cross-site through all redirects, and a strict cookie is then not sent. The page's own step is same-origin.
 */
function goOn(address: string, cookie?: string): Response {
  const to = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Trajectory Studio</title><meta http-equiv="refresh" content="0;url=${to}"></head><body><p><a href="${to}">Continue to Trajectory Studio</a></p></body></html>`;
  const headers = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  });
  if (cookie !== undefined) headers.append('set-cookie', cookie);
  return new Response(html, { headers });
}

function prove(token: string, nonce: string): Response {
  if (!/^[A-Za-z0-9_-]+$/.test(nonce) || nonce.length > MOST_NONCE) return refuse('without a question');
  return Response.json({ proof: proofOf(token, nonce) }, { headers: { 'cache-control': 'no-store' } });
}

function refuse(why: string): Response {
  const message = `This request came ${why}. Open the address that \`npm start\` printed; where the studio runs already, \`npm start\` prints a new one.`;
  return errorResponse(new StudioError('FORBIDDEN', message, {}));
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}
