import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { PASSWORD_LENGTH } from '../../schemas/team-terms.ts';
import { paths } from '../client/paths.ts';
import { type Invited, ROLE_WORDS, readInvitation, sendAcceptance } from '../client/team.ts';
import { tr } from '../language/tr.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import { DoorPage } from './door.tsx';

/** Accepts an invitation: a name and a password. Its code is behind the `#`, which no server was sent. */
export function InvitationPage(): ReactNode {
  const [code] = useState(() => location.hash.slice(1));
  const invited = useQuery({
    queryKey: ['invitation', code],
    queryFn: () => readInvitation(code),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const isKnown = invited.data?.known ?? false;
  return (
    <DoorPage title={isKnown ? tr('Set your password') : tr('You are invited')}>
      {invited.error && <ErrorPanel error={invited.error} compact />}
      {invited.isPending && (
        <Text size="sm" c="dimmed" role="status">
          {tr('Looking at the invitation …')}
        </Text>
      )}
      {invited.data && <Form code={code} invited={invited.data} />}
    </DoorPage>
  );
}

function Form({ code, invited }: { code: string; invited: Invited }): ReactNode {
  const [name, setName] = useState(invited.name);
  const [password, setPassword] = useState('');
  const asked = useMutation({
    mutationFn: () => sendAcceptance({ code, name, password }),
    onSuccess: () => location.assign(paths.welcome),
  });
  const isShort = [...password].length < PASSWORD_LENGTH.least;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!asked.isPending && !isShort && name.trim() !== '') asked.mutate();
  };
  const { name: role, may } = ROLE_WORDS[invited.role];
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">{tr('{email} signs in as {role}: {may}.', { email: invited.email, role, may })}</Text>
        {/* For password managers: whose password it is. */}
        <input type="hidden" name="email" autoComplete="username" value={invited.email} readOnly />
        <TextInput
          label={tr('Your name')}
          description={invited.known ? undefined : tr('As others see it beside your work.')}
          name="name"
          autoComplete="name"
          maxLength={100}
          value={name}
          required
          withAsterisk={false}
          disabled={invited.known}
          autoFocus={!invited.known}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label={tr('New password')}
          description={tr('At least {count} characters; a few words are easy to remember.', {
            count: PASSWORD_LENGTH.least,
          })}
          name="password"
          autoComplete="new-password"
          maxLength={PASSWORD_LENGTH.most}
          value={password}
          required
          withAsterisk={false}
          autoFocus={invited.known}
          visibilityToggleButtonProps={{ 'aria-label': tr('Show the password') }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {asked.error && <ErrorPanel error={asked.error} compact />}
        <Button
          type="submit"
          fullWidth
          loading={asked.isPending || asked.isSuccess}
          disabled={isShort || name.trim() === ''}
        >
          {tr('Sign in')}
        </Button>
      </Stack>
    </form>
  );
}
