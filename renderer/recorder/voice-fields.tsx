import { Progress, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import page from './page.module.css';
import classes from './voice-fields.module.css';

/** How often the level is asked for, ms: a bar that moves with the voice. */
const EVERY_MS = 250;
/** Below this a person speaks too low, or the microphone is muted: 1 % of the loudest is -40 dB. */
const AUDIBLE = 0.01;
const SYSTEM = '';

type Props = { device: string; onDevice: (device: string) => void };

/** Which microphone, and how loud it is now: nothing is recorded yet. */
export function VoiceFields({ device, onDevice }: Props): ReactNode {
  const { data } = useQuery({
    queryKey: ['microphones'],
    queryFn: ({ signal }) => client.recorder.microphones(undefined, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const all = data?.microphones ?? [];
  const usual = all.find((one) => one.usual);
  const named = usual ? tr('The usual one: {name}', { name: usual.name }) : tr('The usual one');
  return (
    <div className={classes.voice}>
      <Select
        size="xs"
        label={tr('Microphone')}
        data={[{ value: SYSTEM, label: named }, ...all.map(({ device: value, name }) => ({ value, label: name }))]}
        value={device}
        onChange={(value) => onDevice(value ?? SYSTEM)}
        allowDeselect={false}
      />
      {data && all.length === 0 && (
        <p className={page.hint}>{tr('No microphone was found. {why}', { why: data.why })}</p>
      )}
      <Level device={device} />
    </div>
  );
}

function Level({ device }: { device: string }): ReactNode {
  const { data } = useQuery({
    queryKey: ['microphone-level', device],
    queryFn: ({ signal }) => client.recorder.level({ device }, { signal }),
    refetchInterval: EVERY_MS,
    staleTime: 0,
    gcTime: 0,
  });
  const level = data?.level ?? null;
  const words =
    level === null
      ? data?.problem
        ? tr('Nothing can be heard: {why}', { why: data.problem })
        : tr('Listening …')
      : level < AUDIBLE
        ? tr('It is silent: say something, or choose another microphone.')
        : tr('It hears you.');
  return (
    <div>
      <Progress
        value={percent(level)}
        color={level !== null && level >= AUDIBLE ? 'teal' : 'gray'}
        aria-label={tr('Level of the microphone')}
        transitionDuration={0}
      />
      <p className={page.hint}>{words}</p>
    </div>
  );
}

/** As an ear has it, from -60 dB: a voice lies in the middle. */
function percent(level: number | null): number {
  if (level === null || level <= 0) return 0;
  return Math.min(100, Math.max(0, Math.round(100 + (20 * Math.log10(level) * 100) / 60)));
}
