import type { TeamRight, TeamRole } from '../../../schemas/team-terms.ts';

/** The caller, as the door that let them in knows them: never what a call says of itself. */
export type Principal = Account | SignedIn;

/** The account of this machine, by its token: it has every right, and says in each call as which person it works. */
type Account = { kind: 'account' };

/** Somebody who signed in, or their script by a token of theirs. */
export type SignedIn = {
  kind: 'member';
  /** Of the person. */
  id: string;
  name: string;
  email: string;
  role: TeamRole;
  rights: ReadonlySet<TeamRight>;
  /** By which session or token. */
  by: { kind: 'session' | 'token'; id: string; endsAt: string };
};

export const ACCOUNT: Account = { kind: 'account' };
