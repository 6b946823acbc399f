import { Alert, Anchor, Button, Divider, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { OIDC_FAILURES, type OidcFailure } from '../../schemas/team-terms.ts';
import { beginOidc, oidcEnd } from '../client/team.ts';
import { tr } from '../language/tr.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import classes from './team.module.css';
import { wayOn } from './way-on.ts';

/** Signing in at a service by OpenID Connect, and why it did not work the last time. */
export function SignInElsewhere({ name }: { name: string }): ReactNode {
  const [asked] = useState(() => new URLSearchParams(location.search));
  const isOut = asked.has('out');
  const failure = OIDC_FAILURES.find((one) => one === asked.get('failed'));
  const begin = useMutation({
    // After signing out the service asks for the password again: the next person at this machine may be another.
    mutationFn: () => beginOidc(wayOn(location.search) ?? '/', isOut || failure === 'uninvited'),
    onSuccess: (url) => location.assign(url),
  });
  return (
    <Stack gap="sm" mb="md">
      {failure && (
        <Alert role="alert" color="red" variant="light" title={tr('{name} did not sign you in', { name })}>
          {FAILURE_WORDS[failure]}
        </Alert>
      )}
      {isOut && <SignedOut name={name} />}
      {begin.error && <ErrorPanel error={begin.error} compact />}
      <Button
        fullWidth
        autoFocus
        classNames={{ root: classes.elsewhere, label: classes.wraps }}
        loading={begin.isPending || begin.isSuccess}
        onClick={() => begin.mutate()}
      >
        {tr('Sign in with {name}', { name })}
      </Button>
      <Divider label={tr('or with a password')} />
    </Stack>
  );
}

function SignedOut({ name }: { name: string }): ReactNode {
  const end = useMutation({
    mutationFn: oidcEnd,
    onSuccess: (url) => {
      if (url !== null) location.assign(url);
    },
  });
  return (
    <Text size="sm" role="status">
      {tr('You are signed out here.')}{' '}
      {end.data === null || end.error ? (
        tr('{name} has no address for signing out: do it there.', { name })
      ) : (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => end.mutate()}>
          {tr('Sign out of {name} too', { name })}
        </Anchor>
      )}
    </Text>
  );
}

const FAILURE_WORDS: Readonly<Record<OidcFailure, string>> = {
  away: tr('It does not answer. Try again in a minute; a password works meanwhile.'),
  client: tr(
    'It does not take this server. The administrator checks the client id, its secret and the redirect address.',
  ),
  denied: tr('Signing in was stopped there.'),
  late: tr('It took longer than ten minutes, or was begun in another browser or tab. Try again.'),
  used: tr('Its answer was used already, or is too old. Try again.'),
  clock: tr('The clocks of this server and of the service differ. The administrator sets this machine’s clock.'),
  expired: tr('Its answer had ended when it came. Try again; if it happens again, tell the administrator.'),
  audience: tr('Its answer was meant for another server. Tell the administrator.'),
  issuer: tr('Its answer comes from another service. Tell the administrator.'),
  nonce: tr('Its answer belongs to another sign-in. Try again; if it happens again, tell the administrator.'),
  signature: tr('The signature of its answer does not hold. Tell the administrator.'),
  odd: tr('Its answer cannot be understood. Tell the administrator, whose log has the reason.'),
  mail: tr('It tells no e-mail address of yours that it has verified. Verify it there, then try again.'),
  uninvited: tr('This account is not invited. Ask a manager of the workspace, or take another account.'),
  left: tr('This account is no member any more. A manager of the workspace can invite you again.'),
  other: tr(
    'A member with this address signs in with another account. A manager of the workspace can invite you again.',
  ),
  tries: tr('That was tried too often from here. Try again in a quarter of an hour.'),
};
