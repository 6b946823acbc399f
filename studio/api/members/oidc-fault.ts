import type { OidcFailure } from '../../../schemas/team-terms.ts';

/** Signing in by OpenID Connect did not come to an end. `why` is told to the person, in the words of their page. */
export class OidcFault extends Error {
  readonly why: OidcFailure;

  constructor(why: OidcFailure, options?: ErrorOptions) {
    super(`OpenID Connect: ${why}`, options);
    this.name = 'OidcFault';
    this.why = why;
  }
}
