import { Button, Menu, Select, Text } from '@mantine/core';
import { IconDots, IconUsersGroup } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { mayManageRole } from '../../core/team/rights.ts';
import type { TeamMe, TeamMember } from '../../schemas/api/team.ts';
import { TEAM_ROLES, type TeamRole } from '../../schemas/team-terms.ts';
import { client } from '../client/api.ts';
import { ROLE_WORDS, useMe } from '../client/team.ts';
import { tr } from '../language/tr.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { ago } from '../ui/format.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { MenuItems } from '../ui/menu-items.tsx';
import { EmptyState, ErrorPanel, PageHeader, QueryError, TableHead } from '../ui/parts.tsx';
import { tellDone } from '../ui/toast.ts';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { teamQueries } from './queries.ts';
import classes from './team.module.css';
import { TokenDialog } from './token-dialog.tsx';
import { Tokens } from './tokens.tsx';

/** Members of a team's server with their roles, invitations, and tokens of scripts. */
export function MembersPage({ ws }: { ws: string }): ReactNode {
  const me = useMe();
  if (me !== null) return <Team ws={ws} me={me} />;
  return (
    <EmptyState icon={<IconUsersGroup size={22} />} title={tr('Nobody signs in here')} wholePage>
      {tr(
        'This studio is on a machine of one’s own. Where several people are to work on one workspace, an administrator runs it as a server of a team (docs/team.md).',
      )}
    </EmptyState>
  );
}

function Team({ ws, me }: { ws: string; me: TeamMe }): ReactNode {
  const [dialog, setDialog] = useState<'invite' | 'token' | null>(null);
  const manages = me.rights.includes('members');
  useHandlers('members', {
    'members.invite': { run: () => setDialog('invite'), enabled: manages },
    'members.token': () => setDialog('token'),
  });
  return (
    <div className={classes.page}>
      <PageHeader
        title={manages ? tr('Members') : tr('Access tokens')}
        about={manages ? tr('Who can sign in to this server, and what their role lets them do.') : undefined}
        actions={
          manages && (
            <CommandButton command="members.invite" onClick={() => setDialog('invite')}>
              {tr('Invite …')}
            </CommandButton>
          )
        }
      />
      {manages && <Members ws={ws} me={me} />}
      {manages && <Invitations ws={ws} />}
      <Tokens ws={ws} withMembers={manages} onNew={() => setDialog('token')} />
      {dialog === 'invite' && <InviteDialog ws={ws} me={me} onClose={() => setDialog(null)} />}
      {dialog === 'token' && <TokenDialog ws={ws} me={me} onClose={() => setDialog(null)} />}
    </div>
  );
}

function Members({ ws, me }: { ws: string; me: TeamMe }): ReactNode {
  const cache = useQueryClient();
  const members = useQuery(teamQueries.members(ws));
  const [leaving, setLeaving] = useState<TeamMember | null>(null);
  const fresh = (): Promise<void> => cache.invalidateQueries({ queryKey: teamQueries.members(ws).queryKey });
  const change = useMutation({
    mutationFn: ({ id, role }: { id: string; role: TeamRole }) => client.team.setRole({ ws, member: id, role }),
    onSettled: fresh,
  });
  const out = useMutation({
    mutationFn: (member: string) => client.team.signOut({ ws, member }),
    onSuccess: ({ name, sessions }) =>
      tellDone(
        tr('{name} was signed out of {sessions, plural, one {# browser} other {# browsers}}', { name, sessions }),
        null,
      ),
    onSettled: fresh,
  });
  const remove = useMutation({
    mutationFn: (member: string) => client.team.remove({ ws, member }),
    onSuccess: () => setLeaving(null),
    onSettled: fresh,
  });
  const roles = TEAM_ROLES.filter((role) => mayManageRole(me.role, role));
  return (
    <section aria-label={tr('Members')}>
      <QueryError of={members} what={tr('The members could not be read.')} />
      {change.error && <ErrorPanel error={change.error} what={tr('The role was not changed.')} />}
      {out.error && <ErrorPanel error={out.error} what={tr('Nobody was signed out.')} />}
      <div className={classes.scroll}>
        <table className={classes.table}>
          <TableHead
            columns={[tr('Name'), tr('E-mail address'), tr('Role'), tr('Browsers'), tr('Last seen'), tr('More')]}
          />
          <tbody>
            {(members.data ?? []).map((member) => {
              const mayChange = mayManageRole(me.role, member.role);
              return (
                <tr key={member.id}>
                  <td>
                    {member.name}
                    {member.id === me.id && (
                      <Text span c="dimmed" size="sm">
                        {` ${tr('(you)')}`}
                      </Text>
                    )}
                  </td>
                  <td className={classes.address}>{member.email}</td>
                  <td>
                    <Select
                      aria-label={tr('Role of {name}', { name: member.name })}
                      size="xs"
                      w={150}
                      data={(mayChange ? roles : [member.role]).map((role) => ({
                        value: role,
                        label: ROLE_WORDS[role].name,
                      }))}
                      value={member.role}
                      disabled={!mayChange || change.isPending}
                      allowDeselect={false}
                      onChange={(value) => {
                        const role = roles.find((one) => one === value);
                        if (role && role !== member.role) change.mutate({ id: member.id, role });
                      }}
                    />
                  </td>
                  <td className="tabular">{member.sessions}</td>
                  <td>{member.seenAt === null ? '' : ago(member.seenAt, new Date())}</td>
                  <td>
                    <Menu position="bottom-end" width={220}>
                      <Menu.Target>
                        <Button
                          variant="subtle"
                          color="gray"
                          size="compact-sm"
                          disabled={!mayChange}
                          aria-label={tr('More for {name}', { name: member.name })}
                        >
                          <IconDots size={16} aria-hidden />
                        </Button>
                      </Menu.Target>
                      <MenuItems>
                        <Menu.Item onClick={() => out.mutate(member.id)}>{tr('Sign out everywhere')}</Menu.Item>
                        <Menu.Item color="red" onClick={() => setLeaving(member)}>
                          {tr('Remove …')}
                        </Menu.Item>
                      </MenuItems>
                    </Menu>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {leaving && (
        <ConfirmDialog
          opened
          title={tr('Remove {name}?', { name: leaving.name })}
          confirm={tr('Remove')}
          dangerous
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(leaving.id)}
          onCancel={() => {
            remove.reset();
            setLeaving(null);
          }}
        >
          {tr('{name} can no longer sign in, and their tokens end. Their name and their work stay.', {
            name: leaving.name,
          })}
        </ConfirmDialog>
      )}
    </section>
  );
}
