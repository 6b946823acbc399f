import type { OidcFailure } from '../../../schemas/team-terms.ts';
import { OidcFault } from './oidc-fault.ts';

/** Errors of openid-client as reasons that a person can be told. */

/**
 * By the library's codes, and the claim that did not fit. `clockIsOff`: the service's answers have another time than this
 * machine, so a token that has ended tells of the clocks.
 */
export function oidcFaultOf(error: unknown, clockIsOff: boolean): OidcFault {
  if (error instanceof OidcFault) return error;
  const found = reasonOf(error);
  const why = found === 'expired' && clockIsOff ? 'clock' : found;
  return new OidcFault(why, { cause: error });
}

function reasonOf(error: unknown): OidcFailure {
  const code = fieldOf(error, 'code');
  const claim = claimOf(error);
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'expired';
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') {
    return claim === 'aud' || claim === 'azp'
      ? 'audience'
      : claim === 'iss'
        ? 'issuer'
        : claim === 'nonce'
          ? 'nonce'
          : 'odd';
  }
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return 'issuer';
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    const said = fieldOf(error, 'error');
    if (said === 'access_denied' || said === 'login_required' || said === 'interaction_required') return 'denied';
    return said === 'server_error' || said === 'temporarily_unavailable' ? 'away' : 'client';
  }
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') return fieldOf(error, 'error') === 'invalid_grant' ? 'used' : 'client';
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return 'client';
  if (code === 'OAUTH_KEY_SELECTION_FAILED' || code === 'OAUTH_UNSUPPORTED_OPERATION') return 'signature';
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return 'away';
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return statusOf(error) >= 500 ? 'away' : 'odd';
  if (code === 'OAUTH_INVALID_RESPONSE') return ofResponse(error);
  // What fetch throws for a service that cannot be reached; the library wraps it without a code.
  return isOfNetwork(error) ? 'away' : 'odd';
}

/** The library has one code for these; its words tell them apart, and those that change become `odd`. */
function ofResponse(error: unknown): OidcFailure {
  const words = chain(error)
    .map((one) => (one instanceof Error ? one.message : ''))
    .join(' ');
  if (/"state"/.test(words)) return 'late';
  if (/signature|"alg"/.test(words)) return 'signature';
  if (/"iss"/.test(words)) return 'issuer';
  return 'odd';
}

const isOfNetwork = (error: unknown): boolean =>
  chain(error).some((one) => one instanceof TypeError && one.message === 'fetch failed');

/** An error and what caused it, a few deep. */
function chain(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && all.length < 5; one = fieldOf(one, 'cause')) all.push(one);
  return all;
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;

function claimOf(error: unknown): unknown {
  return chain(error)
    .map((one) => fieldOf(one, 'claim'))
    .find((claim) => typeof claim === 'string');
}

function statusOf(error: unknown): number {
  const response = chain(error).find((one) => one instanceof Response);
  return response instanceof Response ? response.status : 0;
}
