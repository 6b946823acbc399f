import { create } from 'zustand';
import type { TeamMe } from '../../schemas/api/team.ts';
import { SIGN_ROUTES, type TeamRole } from '../../schemas/team-terms.ts';
import { tr } from '../language/tr.ts';
import { client, studioJson } from './api.ts';
import { workAs } from './kept-person.ts';
import { paths } from './paths.ts';

/** The member who is signed in to a team's server; on a machine of one's own there is none. */

const useSignedIn = create<{ me: TeamMe | null }>(() => ({ me: null }));

/** Null on a machine of one's own, and before somebody has signed in. */
export const useMe = (): TeamMe | null => useSignedIn((state) => state.me);

/** The same outside of a component. */
export const meNow = (): TeamMe | null => useSignedIn.getState().me;

/** Asked before anything of a workspace is; null: nobody is signed in. Throws where the server does not answer. */
export async function askMe(): Promise<TeamMe | null> {
  const me = await client.team.me().catch((error: unknown) => {
    // Refused before any procedure: its code is not in the form of one.
    if (error instanceof Error && Reflect.get(error, 'status') === 401) return null;
    throw error;
  });
  workAs(me);
  useSignedIn.setState({ me });
  return me;
}

const post = (path: string, body: object): Promise<unknown> =>
  studioJson(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

export const signIn = (email: string, password: string): Promise<unknown> =>
  post(SIGN_ROUTES.signIn, { email, password });

/** The address at which the service asks who it is; `again`: it asks for the password, though it may know the browser. */
export const beginOidc = async (to: string, again: boolean): Promise<string> =>
  urlIn(await post(SIGN_ROUTES.oidcBegin, { to, again })) ?? paths.signIn;

/** Where the service ends its own session; null: it has no such page, or does not answer. */
export const oidcEnd = async (): Promise<string | null> => urlIn(await post(SIGN_ROUTES.oidcEnd, {}));

function urlIn(answer: unknown): string | null {
  const url: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'url') : null;
  return typeof url === 'string' ? url : null;
}

export const sendAcceptance = (given: { code: string; name: string; password: string }): Promise<unknown> =>
  post(SIGN_ROUTES.accept, given);

export type Invited = { email: string; name: string; role: TeamRole; known: boolean };
// The server answers what SIGN_ROUTES says.
export const readInvitation = async (code: string): Promise<Invited> =>
  (await post(SIGN_ROUTES.look, { code })) as Invited;

/** Ends this browser's session, and leaves nothing of it on the page. */
export async function signOut(): Promise<void> {
  await post(SIGN_ROUTES.signOut, {});
  location.assign(`${paths.signIn}?out=1`);
}

export const ROLE_WORDS: Readonly<Record<TeamRole, { name: string; may: string }>> = {
  viewer: { name: tr('Viewer'), may: tr('sees everything, changes nothing') },
  recorder: { name: tr('Recorder'), may: tr('sees tasks and recordings') },
  annotator: { name: tr('Annotator'), may: tr('annotates') },
  reviewer: { name: tr('Reviewer'), may: tr('annotates and reviews') },
  manager: { name: tr('Manager'), may: tr('plans work, imports, exports, invites') },
  owner: { name: tr('Owner'), may: tr('everything, also runs programs on the server') },
};
