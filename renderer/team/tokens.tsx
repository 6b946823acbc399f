import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { ago, fullTime } from '../ui/format.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { ErrorPanel, QueryError, TableHead } from '../ui/parts.tsx';
import { teamQueries } from './queries.ts';
import { RIGHT_WORDS } from './right-words.ts';
import classes from './team.module.css';

/** Tokens of scripts: one's own, and for who manages members those of everybody. */
export function Tokens({ ws, withMembers, onNew }: { ws: string; withMembers: boolean; onNew: () => void }): ReactNode {
  const cache = useQueryClient();
  const tokens = useQuery(teamQueries.tokens(ws));
  const end = useMutation({
    mutationFn: (token: string) => client.team.revokeToken({ ws, token }),
    onSettled: () => cache.invalidateQueries({ queryKey: teamQueries.tokens(ws).queryKey }),
  });
  const list = tokens.data ?? [];
  return (
    <section aria-labelledby="tokens">
      <div className={classes.head}>
        <h2 id="tokens">{tr('Access tokens')}</h2>
        <CommandButton command="members.token" variant="default" onClick={onNew}>
          {tr('New …')}
        </CommandButton>
      </div>
      <QueryError of={tokens} what={tr('The tokens could not be read.')} />
      {end.error && <ErrorPanel error={end.error} what={tr('The token was not ended.')} />}
      {tokens.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {tr('A script signs in with a token. There is none yet.')}
        </Text>
      )}
      {list.length > 0 && (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <TableHead
              columns={[
                tr('Name'),
                ...(withMembers ? [tr('Member')] : []),
                tr('Rights'),
                tr('Last used'),
                tr('Ends'),
                tr('More'),
              ]}
            />
            <tbody>
              {list.map((token) => (
                <tr key={token.id}>
                  <td>{token.name}</td>
                  {withMembers && <td>{token.memberName}</td>}
                  <td>{token.scopes.map((scope) => RIGHT_WORDS[scope]).join(', ')}</td>
                  <td>{token.usedAt === null ? tr('never') : ago(token.usedAt, new Date())}</td>
                  <td>{token.ended ? tr('has ended') : fullTime(token.endsAt)}</td>
                  <td>
                    <Button
                      variant="default"
                      size="compact-sm"
                      loading={end.isPending && end.variables === token.id}
                      aria-label={tr('End the token {name}', { name: token.name })}
                      onClick={() => end.mutate(token.id)}
                    >
                      {tr('Revoke')}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
