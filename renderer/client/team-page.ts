/** The studio says with the page's first byte whether it is a team's server, where people sign in. */
export const isTeamPage: boolean =
  typeof document !== 'undefined' && document.querySelector('meta[name="studio-team"]') !== null;
