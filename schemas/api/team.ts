import { oc } from '@orpc/contract';
import { z } from 'zod';
import { INVITATION_DAYS, TEAM_RIGHTS, TEAM_ROLES, TOKEN_DAYS } from '../team-terms.ts';
import { command, commandField, commandList } from './command.ts';

/** Members, their roles and tokens, on a team's server (docs/team.md). */

const ws = z.object({ ws: z.string() });
const at = (path: string) => `/workspaces/{ws}/team${path}` as const;
const text = (most: number) => z.string().trim().min(1).max(most);
const role = z.enum(TEAM_ROLES);
const right = z.enum(TEAM_RIGHTS);
/** By id, e-mail address or name. */
const ofMember = ws.extend({ member: text(200) });

const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  createdAt: z.string(),
  /** Browsers that are signed in, and when the last of them was used. */
  sessions: z.int(),
  seenAt: z.string().nullable(),
});
export type TeamMember = z.infer<typeof memberSchema>;

const invitationSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role,
  createdAt: z.string(),
  endsAt: z.string(),
  ended: z.boolean(),
});
export type TeamInvitation = z.infer<typeof invitationSchema>;

const tokenSchema = z.object({
  id: z.string(),
  member: z.string(),
  memberName: z.string(),
  name: z.string(),
  scopes: z.array(right),
  createdAt: z.string(),
  endsAt: z.string(),
  usedAt: z.string().nullable(),
  ended: z.boolean(),
});
export type TeamToken = z.infer<typeof tokenSchema>;

const meSchema = z.object({
  /** The workspace that this server is for. */
  ws: z.string(),
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  rights: z.array(right),
});

export type TeamMe = z.infer<typeof meSchema>;

const gone = z.object({ id: z.string(), name: z.string() });

export const teamContract = {
  team: {
    /** Null on a machine of one's own, where nobody signs in. */
    me: oc.route({ method: 'GET', path: '/team/me', summary: 'Who is signed in' }).output(meSchema.nullable()),
    members: command('people members', 'list who can sign in, with their role', [
      ['people members --workspace W', 'everybody who accepted an invitation'],
    ])
      .route({ method: 'GET', path: at('/members'), summary: 'Who can sign in' })
      .input(ws)
      .output(z.array(memberSchema)),
    setRole: command('people role <member> <role>', `change a member's role: ${TEAM_ROLES.join(', ')}`, [
      ['people role ana@lab.org reviewer --workspace W', 'it holds from her next request on'],
    ])
      .route({ method: 'PATCH', path: at('/members/{member}'), summary: "Change a member's role" })
      .input(ofMember.extend({ role }))
      .output(memberSchema),
    /** Their work stays. Throws CONFLICT for the only owner. */
    remove: command('people remove <member>', 'take a member out: no sign-in, no token; the work stays', [
      ['people remove ana@lab.org --workspace W', 'her name and her work stay'],
    ])
      .route({ method: 'DELETE', path: at('/members/{member}'), summary: 'Take a member out' })
      .input(ofMember)
      .output(gone),
    signOut: command('people sign-out <member>', 'sign a member out of every browser', [
      ['people sign-out ana@lab.org --workspace W', 'a lost laptop'],
    ])
      .route({ method: 'POST', path: at('/members/{member}/sign-out'), summary: 'Sign a member out everywhere' })
      .input(ofMember)
      .output(gone.extend({ sessions: z.int() })),
    invitations: command('people invitations', 'list invitations that nobody has used', [
      ['people invitations --workspace W', 'with the day on which each ends'],
    ])
      .route({ method: 'GET', path: at('/invitations'), summary: 'Invitations that nobody has used' })
      .input(ws)
      .output(z.array(invitationSchema)),
    /** For a member: a link that sets a new password. The link is told once. */
    invite: command('invite <email>', 'print a link by which somebody sets a password and signs in', [
      ['invite ana@lab.org --role annotator --workspace W', 'a link for one use that ends in 7 days'],
      ['invite ana@lab.org --role owner --url https://studio.lab.org --workspace W', 'before the server ran once'],
      ['invite ana@lab.org --person Ana --workspace W', 'the work of Ana, who is in the workspace already, is hers'],
    ])
      .route({ method: 'POST', path: at('/invitations'), summary: 'Invite somebody; gives the link, once' })
      .input(
        ws.extend({
          email: text(200),
          role: commandField(role, `the role: ${TEAM_ROLES.join(', ')}`, '--role <role>').default('annotator'),
          name: commandField(z.string().trim().max(100), 'the name; they say it themselves when left out').default(''),
          person: commandField(
            text(100),
            'somebody of the workspace whose work is theirs',
            '--person <name>',
          ).optional(),
          days: commandField(
            z.int().min(1).max(INVITATION_DAYS.most),
            `how long the link holds, at most ${INVITATION_DAYS.most}`,
            '--days <number>',
          ).default(INVITATION_DAYS.usual),
          url: commandField(z.string().max(300), 'the address of the server; default: as it was started').optional(),
        }),
      )
      .output(invitationSchema.extend({ link: z.string(), known: z.boolean() })),
    uninvite: command('people uninvite <invitation>', 'take an invitation back, by its address or id', [
      ['people uninvite ana@lab.org --workspace W', 'its link does nothing then'],
    ])
      .route({ method: 'DELETE', path: at('/invitations/{invitation}'), summary: 'Take an invitation back' })
      .input(ws.extend({ invitation: text(200) }))
      .output(z.object({ email: z.string() })),
    tokens: command('tokens list', 'list tokens of scripts, with their rights and their end', [
      ['tokens list --workspace W', 'of everybody'],
    ])
      .route({ method: 'GET', path: at('/tokens'), summary: 'Tokens of scripts' })
      .input(ws)
      .output(z.array(tokenSchema)),
    /** The secret is told once. */
    makeToken: command('tokens make <name>', 'make a token that acts as a member, with a part of their rights', [
      ['tokens make nightly --member ana@lab.org --scopes see,data --days 30 --workspace W', 'to read, for a month'],
    ])
      .route({ method: 'POST', path: at('/tokens'), summary: 'Make a token for a script; gives the secret, once' })
      .input(
        ws.extend({
          name: text(100),
          member: commandField(text(200), 'whose it is; a member makes their own', '--member <address>').optional(),
          scopes: commandList(
            z.array(right).min(1, 'it names none'),
            `what it may do, separated by commas: ${TEAM_RIGHTS.join(', ')}`,
            '--scopes <rights>',
          ),
          days: commandField(
            z.int().min(1).max(TOKEN_DAYS.most),
            `how long it holds, at most ${TOKEN_DAYS.most}`,
            '--days <number>',
          ).default(TOKEN_DAYS.usual),
        }),
      )
      .output(tokenSchema.extend({ secret: z.string() })),
    revokeToken: command('tokens revoke <token>', 'end a token, by the beginning of its id', [
      ['tokens revoke 3f2a --workspace W', 'it holds no more at once'],
    ])
      .route({ method: 'DELETE', path: at('/tokens/{token}'), summary: 'End a token' })
      .input(ws.extend({ token: text(60) }))
      .output(z.object({ name: z.string() })),
  },
};
