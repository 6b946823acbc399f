import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

/** A real service of OpenID Connect (oidc-provider) on loopback, whose accounts and lies a test says. */

export const CLIENT = { id: 'studio', secret: 'a secret of the client' } as const;

type Account = { email?: string; email_verified?: boolean; name?: string };
type Claims = Record<string, unknown>;

export type SignInService = {
  issuer: string;
  /** By the name that is typed in its own page; any password is taken. */
  accounts: Map<string, Account>;
  /** Null: it tells the truth. */
  lies: {
    /** The ID token's claims before they are signed. */
    claims?: (claims: Claims) => Claims;
    /** How the token is signed: by another key of the same id, by none, or by the client's secret. */
    signed?: 'by another' | 'not' | 'by the secret';
    /** Its clock goes before ours by so many ms. */
    clockMs?: number;
    /** It answers so many bytes in place of a token. */
    bytes?: number;
    status?: number;
  };
  /** As a browser: from the address at which it asks who it is, to the one that it sends the browser back to. */
  signIn(url: string, login: string): Promise<URL>;
  close(): Promise<void>;
};

const KEY_ID = 'key-1';

/** `redirect`: where it may send browsers. `port` 0: any. */
export async function startSignInService(redirect: string, port = 0): Promise<SignInService> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  const accounts: SignInService['accounts'] = new Map();
  const service: SignInService = {
    issuer,
    accounts,
    lies: {},
    signIn: (url, login) => walk(issuer, url, login),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const provider = newProvider(issuer, redirect, privateKey, accounts);
  provider.use(async (context, next) => {
    await next();
    const { clockMs, bytes, status } = service.lies;
    if (clockMs !== undefined && !context.res.headersSent)
      context.res.setHeader('date', new Date(Date.now() + clockMs).toUTCString());
    if (context.path !== '/token') return;
    if (status !== undefined) context.status = status;
    if (bytes !== undefined) context.body = 'x'.repeat(bytes);
    const token: unknown = typeof context.body === 'object' && context.body && Reflect.get(context.body, 'id_token');
    if (typeof token === 'string')
      Reflect.set(context.body as object, 'id_token', told(token, service.lies, privateKey, other));
  });
  server.on('request', provider.callback());
  return service;
}

function newProvider(issuer: string, redirect: string, key: KeyObject, accounts: Map<string, Account>): Provider {
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirect],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context: unknown, id: string) => {
      const account = accounts.get(id);
      return account && { accountId: id, claims: async () => ({ sub: id, ...account }) };
    },
    // Nobody is asked whether this server may know them, as in a lab of one's own.
    loadExistingGrant: async (context: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  });
  return provider;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The token as the lies have it; else as it is. */
function told(
  token: string,
  { claims, signed, clockMs }: SignInService['lies'],
  key: KeyObject,
  other: KeyObject,
): string {
  if (!claims && !signed && clockMs === undefined) return token;
  const [head = '', body = ''] = token.split('.');
  const read = (text: string): Claims => JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  const real = read(body);
  const shift = (clockMs ?? 0) / 1000;
  const moved = { ...real, iat: Number(real.iat) + shift, exp: Number(real.exp) + shift };
  const all = part(claims ? claims(moved) : moved);
  if (signed === 'not') return `${part({ alg: 'none' })}.${all}.`;
  if (signed === 'by the secret') {
    const text = `${part({ alg: 'HS256' })}.${all}`;
    return `${text}.${Buffer.from(CLIENT.secret).toString('base64url')}`;
  }
  const text = `${head}.${all}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), signed ? other : key).toString('base64url')}`;
}

/** Follows what the service says, with its cookies, through its form, until it leads away from it. */
async function walk(issuer: string, from: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(from);
  let form: URLSearchParams | null = null;
  for (let steps = 0; steps < 12; steps++) {
    if (url.origin !== issuer) return url;
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    });
    form = null;
    for (const one of answer.headers.getSetCookie()) {
      const [pair = ''] = one.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const text = await answer.text();
    const next = answer.headers.get('location');
    if (next !== null) url = new URL(next, issuer);
    else if (text.includes('name="login"')) form = new URLSearchParams({ prompt: 'login', login, password: 'x' });
    else throw new Error(`${answer.status} ${url.href}: ${text.slice(0, 400)}`);
  }
  throw new Error('The service leads nowhere.');
}
