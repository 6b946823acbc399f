import { createHash, timingSafeEqual } from 'node:crypto';
import { StudioError } from '../../schemas/errors.ts';
import { errorResponse } from './errors.ts';

/** Who may ask: a browser on this machine that was opened with the token, or a script that knows it. */
type GuardOptions = {
  /** This start's secret. */
  token: string;
  /** `host:port` as a Host header may say it: 127.0.0.1:4747, localhost:4747. */
  hosts: readonly string[];
  /** Cookies know no ports, so that of a second server on this machine needs another name. */
  cookie: string;
  /** What an Origin header may say. Default: `http://` and each of the hosts. */
  origins?: readonly string[];
};

/** Null: go on. Else the answer. */
export type Guard = (request: Request) => Response | null;

/**
 * Refuses (403 FORBIDDEN) every request that names another Host (DNS rebinding), comes from another Origin or site, or
 * lacks the token. `GET …?token=` of a page sets the cookie and goes to the same address without it, so that the token
 * stands in no history and no Referer.
 */
export function createGuard({ token, hosts, cookie, origins: named }: GuardOptions): Guard {
  const isToken = sameAs(token);
  const origins = new Set(named ?? hosts.map((host) => `http://${host}`));
  return (request) => {
    const url = new URL(request.url);
    const host = request.headers.get('host') ?? url.host;
    if (!hosts.includes(host.toLowerCase())) return refuse('for another host');
    const origin = request.headers.get('origin');
    if (origin !== null && !origins.has(origin)) return refuse('from another origin');

    const given = url.searchParams.get('token');
    const isPage = request.method === 'GET' && !/^\/(api|rpc|files)(\/|$)/.test(url.pathname);
    if (isPage && given !== null) {
      if (!isToken(given)) return refuse('with a wrong token');
      url.searchParams.delete('token');
      // A path that begins with two slashes would be another host's address.
      const location = `${url.pathname.replace(/^\/+/, '/')}${url.search}`;
      const headers = new Headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      headers.append('set-cookie', `${cookie}=${token}; Path=/; HttpOnly; SameSite=Strict`);
      return new Response(null, { status: 303, headers });
    }
    // Another port of this machine is the same "site": its pages' requests carry our cookie, but say so here.
    const site = request.headers.get('sec-fetch-site');
    if (site === 'cross-site' || site === 'same-site') return refuse('from another page');

    const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    const secret = bearer ?? cookieOf(request.headers.get('cookie') ?? '', cookie);
    if (secret !== undefined && isToken(secret)) return null;
    return refuse(secret === undefined ? 'without its token' : 'with a wrong token');
  };
}

function refuse(why: string): Response {
  const message = `This request came ${why}. Open the address that \`npm start\` printed, with its token.`;
  return errorResponse(new StudioError('FORBIDDEN', message, {}));
}

/** Compares in a time that tells nothing of how much was right. */
function sameAs(token: string): (given: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = digest(token);
  return (given) => timingSafeEqual(digest(given), wanted);
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}
