import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { paths } from '../client/paths.ts';
import { signIn } from '../client/team.ts';
import { signInBy } from '../client/team-page.ts';
import { tr } from '../language/tr.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import { DoorPage } from './door.tsx';
import { SignInElsewhere } from './sign-in-elsewhere.tsx';
import { wayOn } from './way-on.ts';

/** Signs in to a team's server, and goes on to the page that was asked for. */
export function SignInPage(): ReactNode {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const asked = useMutation({
    mutationFn: () => signIn(email, password),
    onSuccess: () => location.assign(wayOn(location.search) ?? paths.welcome),
    onError: () => {
      setPassword('');
      field.current?.focus();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!asked.isPending && email.trim() !== '' && password !== '') asked.mutate();
  };
  return (
    <DoorPage title={tr('Sign in')}>
      {signInBy !== null && <SignInElsewhere name={signInBy} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={tr('E-mail address')}
            type="email"
            name="email"
            autoComplete="username"
            maxLength={200}
            value={email}
            required
            withAsterisk={false}
            autoFocus={signInBy === null}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            ref={field}
            label={tr('Password')}
            name="password"
            autoComplete="current-password"
            maxLength={1000}
            value={password}
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': tr('Show the password') }}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {asked.error && <ErrorPanel error={asked.error} compact />}
          <Button
            type="submit"
            fullWidth
            variant={signInBy === null ? 'filled' : 'default'}
            loading={asked.isPending || asked.isSuccess}
          >
            {tr('Sign in')}
          </Button>
          <Text size="xs" c="dimmed">
            {tr('No account, or a forgotten password? A manager of your workspace sends you a link.')}
          </Text>
        </Stack>
      </form>
    </DoorPage>
  );
}
