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
} as const;

/** The page of an invitation; its code is behind a `#`, which no server and no proxy is sent. */
export const INVITATION_PAGE = '/invitation';

/** The least and the most characters of a password. */
export const PASSWORD_LENGTH = { least: 12, most: 200 } as const;
export const INVITATION_DAYS = { usual: 7, most: 60 } as const;
export const TOKEN_DAYS = { usual: 90, most: 730 } as const;
