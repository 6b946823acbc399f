import { Checkbox, NumberInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { TeamMe } from '../../schemas/api/team.ts';
import { TEAM_RIGHTS, type TeamRight, TOKEN_DAYS } from '../../schemas/team-terms.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { fullTime } from '../ui/format.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import { ShownOnce } from './once.tsx';
import { teamQueries } from './queries.ts';
import { RIGHT_WORDS } from './right-words.ts';

/** Makes a token for a script: it acts as the person, with a part of their rights. */
export function TokenDialog({ ws, me, onClose }: { ws: string; me: TeamMe; onClose: () => void }): ReactNode {
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly TeamRight[]>(['see']);
  const [days, setDays] = useState<number>(TOKEN_DAYS.usual);
  const make = useMutation({
    mutationFn: () => client.team.makeToken({ ws, name, scopes: [...scopes], days }),
    onSuccess: () => cache.invalidateQueries({ queryKey: teamQueries.tokens(ws).queryKey }),
  });
  const made = make.data;
  return (
    <Dialog opened onClose={onClose} title={tr('New access token')} size="md">
      {made ? (
        <ShownOnce label={tr('The token')} secret={made.secret} onClose={onClose}>
          {tr(
            'A script sends it after “Bearer” in the header Authorization. It holds until {end} and is shown this once.',
            {
              end: fullTime(made.endsAt),
            },
          )}
        </ShownOnce>
      ) : (
        <DialogForm
          onSubmit={() => make.mutate()}
          onClose={onClose}
          submit={tr('Make the token')}
          loading={make.isPending}
          disabled={name.trim() === '' || scopes.length === 0}
          autoComplete="off"
          outcome={make.error && <ErrorPanel error={make.error} compact />}
        >
          <Stack gap="sm">
            <TextInput
              label={tr('Name')}
              description={tr('The script or machine that it is for.')}
              data-autofocus
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Checkbox.Group
              label={tr('Rights')}
              value={[...scopes]}
              onChange={(values) => setScopes(TEAM_RIGHTS.filter((right) => values.includes(right)))}
            >
              <Stack gap={6} mt={6}>
                {TEAM_RIGHTS.filter((right) => me.rights.includes(right)).map((right) => (
                  <Checkbox key={right} value={right} label={RIGHT_WORDS[right]} />
                ))}
              </Stack>
            </Checkbox.Group>
            <NumberInput
              label={tr('Days until it ends')}
              min={1}
              max={TOKEN_DAYS.most}
              clampBehavior="strict"
              allowDecimal={false}
              value={days}
              onChange={(value) => setDays(Number(value) || 1)}
            />
          </Stack>
        </DialogForm>
      )}
    </Dialog>
  );
}
