/** Words of a team's server (docs/team.md), apart from the schemas so that pages can name them. */

/** The roles of a workspace, each with more rights than the one before it or with others (core/team/rights.ts). */
export const TEAM_ROLES = ['viewer', 'recorder', 'annotator', 'reviewer', 'manager', 'owner'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** The rights that roles give, and the scopes that a token may have. */
export const TEAM_RIGHTS = ['see', 'data', 'record', 'annotate', 'review', 'manage', 'run', 'members'] as const;
export type TeamRight = (typeof TEAM_RIGHTS)[number];

/** The plain routes by which a browser signs in and out, beside the procedures. Each is sent to with POST. */
export const SIGN_ROUTES = {
  signIn: '/team/sign-in',
  signOut: '/team/sign-out',
  /** The invitation behind a link: answers {email, name, role, known}. */
  look: '/team/invitation',
  /** Accepts it: sets the password and signs in. */
  accept: '/team/accept',
  /** Begins signing in by OpenID Connect: answers {url}, where the browser goes. */
  oidcBegin: '/team/oidc/begin',
  /** Where the sign-in service has sessions of its own: answers {url}, null where it says no address for that. */
  oidcEnd: '/team/oidc/end',
} as const;

/** Where the sign-in service sends the browser back to, with GET; it is registered there. */
export const OIDC_CALLBACK = '/team/oidc/callback';

/** Why signing in by OpenID Connect failed, as the sign-in page is told by `failed` in its address. */
export const OIDC_FAILURES = [
  /** The service does not answer. */
  'away',
  /** It does not take this server: another client id, secret or address. */
  'client',
  /** The person, or the service, said no. */
  'denied',
  /** Too long ago, or begun in another browser. */
  'late',
  /** The code that came back was used already, or is too old. */
  'used',
  /** The clocks of the two differ. */
  'clock',
  /** What came back has ended, though the clocks agree. */
  'expired',
  'audience',
  'issuer',
  'nonce',
  'signature',
  /** It is not as OpenID Connect says. */
  'odd',
  /** No e-mail address that the service has verified. */
  'mail',
  'uninvited',
  /** A member who was taken out. */
  'left',
  /** The address is that of a member who comes in by another account. */
  'other',
  'tries',
] as const;
export type OidcFailure = (typeof OIDC_FAILURES)[number];

/** Roles that somebody of a domain may have without an invitation. */
export const DOMAIN_ROLES = ['viewer', 'recorder', 'annotator', 'reviewer'] as const satisfies readonly TeamRole[];

/** The page of an invitation; its code is behind a `#`, which no server and no proxy is sent. */
export const INVITATION_PAGE = '/invitation';

/** The least and the most characters of a password. */
export const PASSWORD_LENGTH = { least: 12, most: 200 } as const;
export const INVITATION_DAYS = { usual: 7, most: 60 } as const;
export const TOKEN_DAYS = { usual: 90, most: 730 } as const;
