import { log, passedOver } from '../../../native/log/log.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { OIDC_CALLBACK } from '../../../schemas/team-terms.ts';
import { wholeUpTo } from '../../files/bounded.ts';
import { OidcFault } from './oidc-fault.ts';
import type { OidcAccount, OidcDomains } from './oidc-members.ts';
import { oidcFaultOf } from './oidc-reasons.ts';
import { isThisMachine } from './url.ts';

/**
 * Signing in by OpenID Connect: the authorization code flow with PKCE, state and nonce, by openid-client. The signature of the
 * ID token is looked at as well, though it comes over TLS from the service itself.
 */

export type OidcWishes = OidcDomains & {
  issuer: URL;
  /** The id under which this server is registered there. */
  client: string;
  /** Null: a public client, which PKCE alone holds. */
  secret: string | null;
  /** As the page calls the service. */
  name: string;
};

/** Beside the browser's session, while it is at the service. */
export type OidcKept = { state: string; nonce: string; verifier: string };

export type OidcProvider = {
  readonly wishes: OidcWishes;
  /** Asks the service for its description, which else happens when somebody signs in first. Throws OidcFault. */
  look(): Promise<void>;
  /** `again`: the service is to ask for its password once more, whatever session it has. Throws OidcFault. */
  begin(again: boolean): Promise<{ url: URL; kept: OidcKept }>;
  /** `search`: of the address that the service sent the browser back to. Throws OidcFault. */
  finish(search: string, kept: OidcKept): Promise<OidcAccount>;
  /** Where the browser ends its session at the service; null: it has no such address. Throws OidcFault. */
  endUrl(): Promise<URL | null>;
};

type Library = typeof import('openid-client');

const TIMEOUT_SECONDS = 10;
/** Clocks of ordinary machines are seconds apart at most. */
const TOLERANCE_SECONDS = 120;
/** The description of the service, its keys apart: it may move its addresses. ms. */
const KEPT_MS = 3_600_000;
/** Descriptions, keys and tokens are a few kB. */
const MOST_ANSWER = 1 << 20;

const NOT_INSTALLED =
  'Signing in by OpenID Connect needs the package openid-client, which is not installed with the studio. Install it beside the studio with `npm install openid-client@6.9.0`, then start again.';

/** Throws USAGE for an issuer that is no address, or that is asked without encryption. */
export function issuerOf(text: string): URL {
  const wrong = (why: string) =>
    new StudioError('USAGE', `--oidc ${text.slice(0, 200)}: ${why}. Write it as https://id.lab.org/realms/lab.`, {
      issuer: text,
    });
  if (!URL.canParse(text)) throw wrong('it is no address');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw wrong('an issuer has neither a name to sign in with nor anything behind a ? or #');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisMachine(url)))
    throw wrong('it must be asked with https; http is for trying on this machine alone');
  return url;
}

/** `origin`: where people find this server. Throws NO_LIBRARY where openid-client is not installed. */
export async function openOidc(wishes: OidcWishes, origin: string): Promise<OidcProvider> {
  const library = await import('openid-client').catch((error: unknown) => {
    throw new StudioError('NO_LIBRARY', NOT_INSTALLED, { library: 'openid-client' }, { cause: error });
  });
  const service = describedService(library, wishes);
  const redirect = `${origin}${OIDC_CALLBACK}`;
  return {
    wishes,
    async look() {
      await service.described();
    },
    async begin(again) {
      const kept = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      };
      const url = library.buildAuthorizationUrl(await service.described(), {
        redirect_uri: redirect,
        scope: 'openid email profile',
        state: kept.state,
        nonce: kept.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(kept.verifier),
        code_challenge_method: 'S256',
        ...(again && { prompt: 'login' }),
      });
      return { url, kept };
    },
    async finish(search, { state, nonce, verifier }) {
      const described = await service.described();
      try {
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        const tokens = await library.authorizationCodeGrant(described, new URL(`${redirect}${search}`), checks);
        const claims = tokens.claims();
        if (claims === undefined) throw new OidcFault('odd');
        if (claims.iat > Date.now() / 1000 + TOLERANCE_SECONDS) throw new OidcFault('clock');
        // Many services tell the address there alone.
        const hasInfo = described.serverMetadata().userinfo_endpoint !== undefined;
        const more =
          claims.email === undefined && hasInfo
            ? await library.fetchUserInfo(described, tokens.access_token, claims.sub)
            : claims;
        return accountOf(described.serverMetadata().issuer, claims.sub, more);
      } catch (error) {
        throw oidcFaultOf(error, service.clockIsOff());
      }
    },
    async endUrl() {
      const described = await service.described();
      if (described.serverMetadata().end_session_endpoint === undefined) return null;
      return library.buildEndSessionUrl(described, {});
    },
  };
}

/** The service as it describes itself, asked for when it is needed; and whether its clock is another. */
function describedService(library: Library, { issuer, client, secret }: OidcWishes) {
  let skewMs = 0;
  const clockIsOff = (): boolean => Math.abs(skewMs) > TOLERANCE_SECONDS * 1000;
  const ask = async (url: string, options: object): Promise<Response> => {
    const answer = await fetch(url, options);
    const date = Date.parse(answer.headers.get('date') ?? '');
    if (!Number.isNaN(date)) skewMs = date - Date.now();
    return bounded(answer);
  };
  const describe = async () => {
    try {
      const config = await library.discovery(
        issuer,
        client,
        { [library.clockTolerance]: TOLERANCE_SECONDS },
        secret === null ? library.None() : withSecret(library, secret),
        {
          [library.customFetch]: ask,
          timeout: TIMEOUT_SECONDS,
          execute: [
            library.enableNonRepudiationChecks,
            ...(issuer.protocol === 'http:' ? [library.allowInsecureRequests] : []),
          ],
        },
      );
      if (clockIsOff()) log.warn('clock of the sign in service is another', { ms: Math.round(skewMs) });
      return config;
    } catch (error) {
      throw oidcFaultOf(error, false);
    }
  };
  let known: { at: number; config: ReturnType<typeof describe> } | null = null;
  return {
    clockIsOff,
    described(): ReturnType<typeof describe> {
      const now = Date.now();
      if (known && now - known.at < KEPT_MS && now >= known.at) return known.config;
      const asked = { at: now, config: describe() };
      known = asked;
      // Asked again by the next who signs in.
      asked.config.catch(() => {
        if (known === asked) known = null;
      });
      return asked.config;
    },
  };
}

/** In the head of the request, as every service must take it but some do not; those say so. */
function withSecret(library: Library, secret: string): ReturnType<Library['ClientSecretBasic']> {
  const [basic, post] = [library.ClientSecretBasic(secret), library.ClientSecretPost(secret)];
  return (service, ...rest) => {
    const taken = service.token_endpoint_auth_methods_supported;
    const inBody =
      taken !== undefined && !taken.includes('client_secret_basic') && taken.includes('client_secret_post');
    (inBody ? post : basic)(service, ...rest);
  };
}

/** Throws OidcFault for an answer that is longer than any of a real service. */
async function bounded(answer: Response): Promise<Response> {
  const body = answer.body && (await wholeUpTo(answer.body, MOST_ANSWER));
  if (answer.body && body === null) throw new OidcFault('odd');
  const { status, statusText, headers } = answer;
  return new Response(body?.length ? new Uint8Array(body) : null, { status, statusText, headers });
}

/** `claims`: of the ID token or of the service's user info. */
function accountOf(issuer: string, subject: string, claims: object): OidcAccount {
  const claim = (name: string): unknown => Reflect.get(claims, name);
  const told = claim('email');
  const email = typeof told === 'string' ? told.trim().toLowerCase() : '';
  const isAddress = email.length <= 200 && /^[^\s@<>"]+@[^\s@<>"]+$/.test(email);
  const name = [claim('name'), claim('preferred_username')].find((one) => typeof one === 'string' && one.trim() !== '');
  return {
    issuer,
    subject,
    email: isAddress && claim('email_verified') === true ? email : null,
    name: typeof name === 'string' ? name : '',
  };
}

/** At the start: an administrator sees at once that a service cannot be asked; people with a password sign in all the same. */
export async function tryOidc(provider: OidcProvider, tell: (text: string) => void): Promise<void> {
  try {
    await provider.look();
  } catch (error) {
    if (!(error instanceof OidcFault)) throw error;
    const { href } = provider.wishes.issuer;
    const why =
      error.why === 'away'
        ? 'it does not answer'
        : error.why === 'issuer'
          ? 'it calls itself otherwise; --oidc must be written exactly as the service has it'
          : 'what it answers is no description of an OpenID Connect service';
    tell(`warning: nobody can sign in by ${href} now: ${why}. It is asked again when somebody tries.`);
    passedOver('sign in service not described')(error);
  }
}
