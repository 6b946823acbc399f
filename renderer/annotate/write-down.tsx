import { Checkbox, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { VoiceState } from '../../schemas/api/voice.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { EndpointField, type KeyChoice, KeyFields, sentKey } from '../ui/key-fields.tsx';
import { ErrorPanel } from '../ui/parts.tsx';
import classes from './marks-panel.module.css';

/** Where it was written down last, so that it need not be typed again. A typed key is never in it. */
const KEPT = 'studio.write-down';
type Kept = { endpoint: string; model: string; variable: string };
const FRESH: Kept = { endpoint: '', model: '', variable: '' };

/** Anything may stand in a browser's storage. */
function kept(): Kept {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEPT) ?? 'null');
    if (typeof found !== 'object' || found === null) return FRESH;
    const text = (name: keyof Kept): string => {
      const value: unknown = Reflect.get(found, name);
      return typeof value === 'string' ? value.slice(0, 2000) : '';
    };
    return { endpoint: text('endpoint'), model: text('model'), variable: text('variable') };
  } catch {
    return FRESH;
  }
}

function keep(given: Kept): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(given));
  } catch {
    // The browser keeps nothing: it is typed again the next time.
  }
}

type Props = { ws: string; recording: string; onWritten: (voice: VoiceState) => void; onClose: () => void };

/** A model writes the voice down: the page says what goes to whom, each time, before anything does. */
export function WriteDown(props: Props): ReactNode {
  return (
    <Dialog opened onClose={props.onClose} title={tr('Have the voice written down')}>
      <Form {...props} />
    </Dialog>
  );
}

function Form({ ws, recording, onWritten, onClose }: Props): ReactNode {
  const [given, setGiven] = useState<Kept & KeyChoice>(() => {
    const last = kept();
    return { ...last, keyFrom: last.variable === '' ? 'none' : 'env', key: '' };
  });
  const [language, setLanguage] = useState('');
  const [untimed, setUntimed] = useState(false);
  const set = (more: Partial<Kept & KeyChoice>): void => setGiven({ ...given, ...more });
  const sending = useQuery({
    queryKey: ['of', ws, 'voice', recording, 'sending', untimed],
    queryFn: ({ signal }) => client.voice.sending({ ws, recording, untimed: untimed ? 'true' : 'false' }, { signal }),
  });
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const { endpoint, model, keyFrom, variable } = given;
  const key = sentKey(given);
  const write = useMutation({
    mutationFn: () => {
      keep({ endpoint, model, variable: keyFrom === 'env' ? variable : '' });
      return client.voice.writeDown(
        {
          ws,
          recording,
          endpoint: endpoint.trim(),
          model: model.trim(),
          key: key!, // Until there is one, the button is off.
          language: language.trim() || null,
          untimed,
        },
        { signal: stop.current.signal },
      );
    },
    onSuccess: (voice) => {
      onWritten(voice);
      onClose();
    },
  });
  const isLanguage = language.trim() === '' || /^[a-z]{2,3}$/.test(language.trim());
  const isReady =
    endpoint.trim() !== '' && model.trim() !== '' && key !== null && isLanguage && sending.data !== undefined;
  return (
    <DialogForm
      onSubmit={() => write.mutate()}
      onClose={onClose}
      close={tr('Cancel')}
      chord="Enter"
      loading={write.isPending}
      disabled={!isReady}
      submit={tr('Send it and write down')}
      outcome={
        (write.error ?? sending.error) && (
          <ErrorPanel error={write.error ?? sending.error} what={tr('It was not written down.')} compact />
        )
      }
    >
      <EndpointField value={given.endpoint} onChange={(endpoint) => set({ endpoint })} />
      <TextInput
        label={tr('Model')}
        placeholder="whisper-1"
        value={given.model}
        maxLength={200}
        onChange={(event) => set({ model: event.currentTarget.value })}
      />
      <KeyFields given={given} onChange={set} />
      <TextInput
        label={tr('Language, such as en or de')}
        description={tr('Empty: the model finds out.')}
        value={language}
        maxLength={3}
        error={!isLanguage && tr('A code of two or three small letters.')}
        onChange={(event) => setLanguage(event.currentTarget.value)}
      />
      <Checkbox
        size="sm"
        checked={untimed}
        onChange={(event) => setUntimed(event.currentTarget.checked)}
        label={tr('The model gives no times: send each breath by itself')}
      />
      <p className={classes.quiet}>
        {tr(
          'To the endpoint go {seconds, number} seconds of this recording’s voice, in {n, plural, one {# request} other {# requests}}; no picture, no name and no step. What comes back takes the place of the transcript.',
          { seconds: Math.ceil((sending.data?.us ?? 0) / 1e6), n: sending.data?.pieces ?? 0 },
        )}
      </p>
    </DialogForm>
  );
}
