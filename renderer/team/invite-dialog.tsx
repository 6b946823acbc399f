import { Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { mayManageRole } from '../../core/team/rights.ts';
import type { TeamMe } from '../../schemas/api/team.ts';
import { TEAM_ROLES, type TeamRole } from '../../schemas/team-terms.ts';
import { client } from '../client/api.ts';
import { ROLE_WORDS } from '../client/team.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { fullTime } from '../ui/format.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import { ShownOnce } from './once.tsx';
import { teamQueries } from './queries.ts';

/** Invites somebody: gives the link that is sent to them, once. */
export function InviteDialog({ ws, me, onClose }: { ws: string; me: TeamMe; onClose: () => void }): ReactNode {
  const cache = useQueryClient();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<TeamRole>('annotator');
  const invite = useMutation({
    mutationFn: () => client.team.invite({ ws, email, name, role }),
    onSuccess: () => cache.invalidateQueries({ queryKey: teamQueries.invitations(ws).queryKey }),
  });
  const made = invite.data;
  const roles = TEAM_ROLES.filter((one) => mayManageRole(me.role, one));
  return (
    <Dialog opened onClose={onClose} title={tr('Invite somebody')} size="md">
      {made ? (
        <ShownOnce label={tr('The link')} secret={made.link} onClose={onClose}>
          {made.known
            ? tr(
                '{email} is a member already. Send them this link: it sets a new password and signs every browser of theirs out. It holds once, until {end}, and is shown this once.',
                { email: made.email, end: fullTime(made.endsAt) },
              )
            : tr(
                'Send this link to {email}, and to nobody else: whoever has it signs in. It holds once, until {end}, and is shown this once.',
                { email: made.email, end: fullTime(made.endsAt) },
              )}
        </ShownOnce>
      ) : (
        <DialogForm
          onSubmit={() => invite.mutate()}
          onClose={onClose}
          submit={tr('Make the link')}
          chord="Enter"
          loading={invite.isPending}
          disabled={email.trim() === ''}
          autoComplete="off"
          outcome={invite.error && <ErrorPanel error={invite.error} compact />}
        >
          <Stack gap="sm">
            <TextInput
              label={tr('E-mail address')}
              data-autofocus
              maxLength={200}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <TextInput
              label={tr('Name')}
              description={tr('They may change it; left empty, they say it themselves.')}
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
              label={tr('Role')}
              description={ROLE_WORDS[role].may}
              data={roles.map((value) => ({ value, label: ROLE_WORDS[value].name }))}
              value={role}
              allowDeselect={false}
              onChange={(value) => setRole(roles.find((one) => one === value) ?? role)}
            />
          </Stack>
        </DialogForm>
      )}
    </Dialog>
  );
}
