import { useMutation } from '@tanstack/react-query';
import type { RecorderState } from '../../schemas/api/models.ts';
import { client } from './api.ts';
import { recorderControls } from './recorder-controls.ts';
import { recorderShortcuts } from './recorder-shortcuts.ts';
import { textsSetting, useSettings } from './settings.ts';

type Command = Parameters<typeof client.recorder.command>[0];

/** The acts on a recording as it goes, on its page and on the bar: each with its key, and whether it may be done now. */
export function useRecorderActs(state: RecorderState) {
  const keys = recorderShortcuts(textsSetting(useSettings(), 'shortcuts'));
  const send = useMutation({ mutationFn: (command: Command) => client.recorder.command(command) });
  const pauseFor = (reason: 'user' | 'privacy') => (): void =>
    send.mutate({ type: state.paused === reason ? 'resume' : 'pause', reason });
  const acts = {
    mark: (): void => send.mutate({ type: 'mark', kind: 'subtask' }),
    moment: (): void => send.mutate({ type: 'mark', kind: 'moment' }),
    /** Pauses, or goes on. */
    pause: pauseFor('user'),
    privacy: pauseFor('privacy'),
    forget: (): void => send.mutate({ type: 'forget' }),
    stop: (): void => send.mutate({ type: 'stop' }),
    cancel: (): void => send.mutate({ type: 'cancel' }),
  };
  return { keys, may: recorderControls(state), acts, sending: send };
}
