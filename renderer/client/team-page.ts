/** The studio says with the page's first byte whether it is a team's server, where people sign in. */
export const isTeamPage: boolean =
  typeof document !== 'undefined' && document.querySelector('meta[name="studio-team"]') !== null;

/** The service by which people may sign in, beside a password; null: there is none. */
export const signInBy: string | null =
  typeof document === 'undefined'
    ? null
    : (document.querySelector('meta[name="studio-sign-in"]')?.getAttribute('content') ?? null);
