import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../client/api.ts';
import { ROLE_WORDS } from '../client/team.ts';
import { tr } from '../language/tr.ts';
import { fullTime } from '../ui/format.ts';
import { ErrorPanel, QueryError, TableHead } from '../ui/parts.tsx';
import { teamQueries } from './queries.ts';
import classes from './team.module.css';

/** Invitations that nobody has used; nothing while there are none. */
export function Invitations({ ws }: { ws: string }): ReactNode {
  const cache = useQueryClient();
  const waiting = useQuery(teamQueries.invitations(ws));
  const back = useMutation({
    mutationFn: (invitation: string) => client.team.uninvite({ ws, invitation }),
    onSettled: () => cache.invalidateQueries({ queryKey: teamQueries.invitations(ws).queryKey }),
  });
  if (waiting.data?.length === 0 && back.error === null) return null;
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">{tr('Invitations')}</h2>
      <QueryError of={waiting} what={tr('The invitations could not be read.')} />
      {back.error && <ErrorPanel error={back.error} what={tr('The invitation was not taken back.')} />}
      <div className={classes.scroll}>
        <table className={classes.table}>
          <TableHead columns={[tr('E-mail address'), tr('Role'), tr('Ends'), tr('More')]} />
          <tbody>
            {(waiting.data ?? []).map(({ id, email, role, endsAt, ended }) => (
              <tr key={id}>
                <td className={classes.address}>{email}</td>
                <td>{ROLE_WORDS[role].name}</td>
                <td>{ended ? tr('has ended') : fullTime(endsAt)}</td>
                <td>
                  <Button
                    variant="default"
                    size="compact-sm"
                    loading={back.isPending && back.variables === id}
                    aria-label={tr('Take the invitation of {email} back', { email })}
                    onClick={() => back.mutate(id)}
                  >
                    {tr('Take back')}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
