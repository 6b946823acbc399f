import { TextInput } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCheck,
  IconFlagOff,
  IconHandStop,
  IconPlayerStopFilled,
  IconSquareCheck,
} from '@tabler/icons-react';
import type { ReactNode, RefObject } from 'react';
import type { LiveRunState, RunCommand } from '../../schemas/api/runs.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';

/** What can be done with a run: taken over, given back, ended, stopped. */
export function LiveActions(props: {
  state: LiveRunState;
  busy: boolean;
  onCommand: (what: RunCommand) => void;
  /** The person's answer, where one is asked for. */
  answer: string;
  onAnswer: (text: string) => void;
  field: RefObject<HTMLInputElement | null>;
}): ReactNode {
  const { state, busy, onCommand, answer, onAnswer, field } = props;
  const { phase, hand, agent } = state;
  if (phase === 'over' || phase === 'checking') return null;
  const stop = (
    <CommandButton
      variant="default"
      icon={IconPlayerStopFilled}
      command="live.stop"
      disabled={busy}
      onClick={() => onCommand('stop')}
    >
      {tr('Stop')}
    </CommandButton>
  );
  if (phase === 'setting') return stop;
  if (agent === 'human') {
    return (
      <>
        {state.answers && (
          <TextInput
            ref={field}
            aria-label={tr('Your answer to the task')}
            placeholder={tr('Your answer to the task')}
            value={answer}
            maxLength={20_000}
            onChange={(event) => onAnswer(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !busy) onCommand('done');
            }}
          />
        )}
        {stop}
        <CommandButton
          variant="default"
          icon={IconFlagOff}
          command="live.giveUp"
          disabled={busy}
          onClick={() => onCommand('give-up')}
        >
          {tr('Give up')}
        </CommandButton>
        <CommandButton icon={IconCheck} command="live.done" disabled={busy} onClick={() => onCommand('done')}>
          {tr('Done')}
        </CommandButton>
      </>
    );
  }
  if (hand !== 'person') {
    return (
      <>
        {stop}
        <CommandButton
          icon={IconHandStop}
          command="live.take"
          disabled={busy}
          loading={hand === 'taking'}
          onClick={() => onCommand('take-over')}
        >
          {tr('Take over')}
        </CommandButton>
      </>
    );
  }
  return (
    <>
      {stop}
      <CommandButton
        variant="default"
        icon={IconSquareCheck}
        command="live.end"
        disabled={busy}
        onClick={() => onCommand('end')}
      >
        {tr('End the run')}
      </CommandButton>
      <CommandButton
        icon={IconArrowBackUp}
        command="live.giveBack"
        disabled={busy}
        onClick={() => onCommand('give-back')}
      >
        {tr('Give back')}
      </CommandButton>
    </>
  );
}
