import { StudioError } from '../../../schemas/errors.ts';
import { invite, showInvitations, uninvite } from '../members/invitations.ts';
import { changeRole, showMembers, signOutEverywhere, takeOut } from '../members/members.ts';
import { makeToken, revokeToken, showTokens } from '../members/sessions.ts';
import type { AskedStudio } from '../studio.ts';
import { api, tell } from './base.ts';

/** Members, invitations and tokens of a team's server. */

const storeOf = async (context: AskedStudio, ws: string) => (await context.workspaces.get(ws)).workspace.store;

export const teamRoutes = {
  team: {
    me: api.team.me.handler(({ context }) => {
      const { principal } = context;
      if (principal.kind === 'account') return null;
      const [workspace] = context.workspaces.recent();
      if (!workspace) throw new StudioError('UNKNOWN_WORKSPACE', 'This server has no workspace.', {});
      const { id, name, email, role, rights } = principal;
      return { ws: workspace.id, id, name, email, role, rights: [...rights] };
    }),
    members: api.team.members.handler(async ({ context, input: { ws } }) => showMembers(await storeOf(context, ws))),
    setRole: api.team.setRole.handler(async ({ context, input: { ws, member, role } }) =>
      changeRole(await storeOf(context, ws), context.principal, member, role),
    ),
    remove: api.team.remove.handler(async ({ context, input: { ws, member } }) =>
      takeOut(await storeOf(context, ws), context.principal, member),
    ),
    signOut: api.team.signOut.handler(async ({ context, input: { ws, member } }) =>
      signOutEverywhere(await storeOf(context, ws), context.principal, member),
    ),
    invitations: api.team.invitations.handler(async ({ context, input: { ws } }) =>
      showInvitations(await storeOf(context, ws)),
    ),
    invite: api.team.invite.handler(async ({ context, input: { ws, ...wishes } }) => {
      const open = await context.workspaces.get(ws);
      // A page over the network has links to this server alone.
      const url = context.principal.kind === 'account' ? wishes.url : undefined;
      const made = await invite(open.workspace.store, context.principal, { ...wishes, url });
      tell(open, 'people');
      return made;
    }),
    uninvite: api.team.uninvite.handler(async ({ context, input: { ws, invitation } }) =>
      uninvite(await storeOf(context, ws), context.principal, invitation),
    ),
    tokens: api.team.tokens.handler(async ({ context, input: { ws } }) =>
      showTokens(await storeOf(context, ws), context.principal),
    ),
    makeToken: api.team.makeToken.handler(async ({ context, input: { ws, ...wishes } }) =>
      makeToken(await storeOf(context, ws), context.principal, wishes),
    ),
    revokeToken: api.team.revokeToken.handler(async ({ context, input: { ws, token } }) =>
      revokeToken(await storeOf(context, ws), context.principal, token),
    ),
  },
};
