import { Button, PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SENDING_SETTINGS } from '../../schemas/sending.ts';
import { client } from '../client/api.ts';
import { booleanSetting, useChangeSettings, useSettings } from '../client/settings.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ErrorPanel } from '../ui/parts.tsx';
import { serverQueries } from './server-queries.ts';

type Props = { origin: string | null; onClose: () => void };

/** The team's server that this machine works with: named with a token, or forgotten; and what becomes of recordings. */
export function ServerDialog({ origin, onClose }: Props): ReactNode {
  return (
    <Dialog opened onClose={onClose} title={tr('Team server')} size="md">
      {origin === null ? <Connect onClose={onClose} /> : <Connected origin={origin} onClose={onClose} />}
    </Dialog>
  );
}

function Connect({ onClose }: { onClose: () => void }): ReactNode {
  const cache = useQueryClient();
  const [address, setAddress] = useState('');
  const [token, setToken] = useState('');
  const connect = useMutation({
    mutationFn: () => client.teamServer.connect({ address: address.trim(), token }),
    onSuccess: (server) => {
      cache.setQueryData(serverQueries.server().queryKey, server);
      onClose();
    },
  });
  return (
    <DialogForm
      onSubmit={() => connect.mutate()}
      onClose={onClose}
      submit={tr('Connect')}
      chord="Enter"
      loading={connect.isPending}
      disabled={address.trim() === '' || token === ''}
      autoComplete="off"
      outcome={connect.error && <ErrorPanel error={connect.error} compact />}
    >
      <Stack gap="sm">
        <TextInput
          label={tr('Address of the server')}
          placeholder={tr('https://…')}
          data-autofocus
          maxLength={500}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <PasswordInput
          label={tr('Access token')}
          description={tr(
            'Its page Members makes one, with the rights to see and to record. It is kept on this machine.',
          )}
          maxLength={300}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
      </Stack>
    </DialogForm>
  );
}

function Connected({ origin, onClose }: { origin: string; onClose: () => void }): ReactNode {
  const cache = useQueryClient();
  const settings = useSettings();
  const change = useChangeSettings();
  const store = useMutation({ mutationFn: change });
  const forget = useMutation({
    mutationFn: () => client.teamServer.forget(),
    onSuccess: () => {
      cache.setQueryData(serverQueries.server().queryKey, null);
      onClose();
    },
  });
  const error = store.error ?? forget.error;
  return (
    <Stack gap="sm">
      <Text size="sm">{tr('This machine works with {origin}.', { origin })}</Text>
      <Switch
        label={tr('Send finished recordings of its tasks')}
        checked={booleanSetting(settings, SENDING_SETTINGS.on, true)}
        onChange={(event) => store.mutate({ [SENDING_SETTINGS.on]: event.currentTarget.checked })}
      />
      <Switch
        label={tr('Send what was said along')}
        checked={booleanSetting(settings, SENDING_SETTINGS.voice, false)}
        onChange={(event) => store.mutate({ [SENDING_SETTINGS.voice]: event.currentTarget.checked })}
      />
      <Switch
        label={tr('Remove the copy here afterwards')}
        description={tr('Only once the server has confirmed the hash of every file.')}
        checked={booleanSetting(settings, SENDING_SETTINGS.free, false)}
        onChange={(event) => store.mutate({ [SENDING_SETTINGS.free]: event.currentTarget.checked })}
      />
      {error && <ErrorPanel error={error} compact />}
      <div>
        <Button variant="default" color="red" loading={forget.isPending} onClick={() => forget.mutate()}>
          {tr('Forget the server')}
        </Button>
      </div>
    </Stack>
  );
}
