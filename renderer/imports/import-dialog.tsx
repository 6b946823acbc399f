import { Group, NumberInput, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { isByRegions, type SampleRule } from '../../core/keyframes/sample.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { PathField } from '../desktop/path-field.tsx';
import { JobForm } from '../jobs/job-form.tsx';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';

type Props = {
  ws: string;
  opened: boolean;
  onClose: () => void;
  /** A path that came from outside the page: dropped, or opened with the app. */
  path?: string;
  /** A video that is here already is cut into steps again, for the same task. */
  again?: { app: string; goal: string; task: string };
};

/** Ours bring their own task; what others made seldom says what it shows. */
const FOREIGN = /\.(mp4|m4v|mkv|mov|webm|json|jsonl)$/i;
const VIDEO = /\.(mp4|m4v|mkv|mov|webm)$/i;
/** The rules of core/keyframes/RULES.md. */
const RULES: { value: SampleRule; label: string }[] = [
  { value: 'K11', label: tr('Desktop: whatever changes, a single letter too') },
  { value: 'K10', label: tr('Desktop, with a moving pointer in the picture: a word, a menu or a dialog changes') },
  { value: 'K6', label: tr('Phone: a large part of the screen changes') },
  { value: 'K9', label: tr('Mobile-Agent-V’s equations to the letter') },
];
/** K6: the share at which a picture is kept, percent. */
const TEXT_LIKE = 30;
/** K6: how often is looked, and how far kept pictures are apart at least, ms. */
const SECOND_MS = 1000;

/** Copies a recording from elsewhere on this machine into the workspace; the copy can be stopped and goes on in the tray. */
export function ImportDialog(props: Props): ReactNode {
  return (
    <Dialog
      opened={props.opened}
      onClose={props.onClose}
      title={props.again ? tr('Cut the video again') : tr('Import a recording')}
      size="lg"
    >
      <Form {...props} />
    </Dialog>
  );
}

function Form({ ws, onClose, path: given = '', again }: Props): ReactNode {
  const [, open] = useLocation();
  const [path, setPath] = useState(given);
  const [app, setApp] = useState(again?.app ?? '');
  const [goal, setGoal] = useState(again?.goal ?? '');
  const [rule, setRule] = useState<SampleRule>('K11');
  const [percent, setPercent] = useState<number | string>(TEXT_LIKE);
  const [every, setEvery] = useState<number | string>(SECOND_MS);
  const [gap, setGap] = useState<number | string>(SECOND_MS);
  const [transcript, setTranscript] = useState('');
  const isVideo = VIDEO.test(path.trim());
  const wishes = {
    ...(app.trim() !== '' && { app: app.trim() }),
    ...(goal.trim() !== '' && { goal: goal.trim() }),
    ...(again && path === given && { task: again.task }),
    ...(isVideo && { sampling: { rule, everyMs: msOf(every, 40), share: shareOf(percent), gapMs: msOf(gap, 0) } }),
    ...(isVideo && transcript.trim() !== '' && { transcript: transcript.trim() }),
  };
  return (
    <JobForm
      ws={ws}
      onClose={onClose}
      asked={JSON.stringify([path.trim(), wishes])}
      next={({ recordings = [] }) => {
        const [one] = recordings;
        if (one === undefined) return null;
        return recordings.length === 1
          ? { label: tr('Open the recording'), go: () => open(paths.annotate(ws, one)) }
          : { label: tr('See the {recordings} recordings', { recordings: recordings.length }), go: onClose };
      }}
      ready={path.trim() !== ''}
      start={() => client.recordings.import({ ws, path: path.trim(), wishes })}
      go={tr('Import')}
      failed={tr('It was not imported.')}
    >
      <PathField
        label={tr('Folder, archive or video on this machine')}
        description={tr(
          "A recording's folder or one packed as .tstar or .tar, a workspace archive, a video (its .srt or .vtt beside it is included), a DuckTrack or AgentNet folder, NaturalGAIA trajectories (.json), an agent's run in ATIF (.json). It is copied; the original stays.",
        )}
        example="recordings/2026-11-21-ppt-15"
        value={path}
        onChange={setPath}
        browse={{ kind: 'recording', orFolder: true }}
        first
      />
      <Group grow align="flex-start">
        <TextInput
          label={tr('Software (optional)')}
          description={tr('What is shown, when another tool made it')}
          value={app}
          maxLength={100}
          onChange={(event) => setApp(event.currentTarget.value)}
        />
        <TextInput
          label={tr('Goal (optional)')}
          description={
            FOREIGN.test(path.trim())
              ? tr('Defaults to the file’s title or name')
              : tr('Our own recordings bring theirs')
          }
          value={goal}
          maxLength={10_000}
          onChange={(event) => setGoal(event.currentTarget.value)}
        />
      </Group>
      {isVideo && (
        <>
          <Select
            label={tr('Keyframes')}
            description={tr('A video has no input: each kept picture begins a step.')}
            data={RULES}
            allowDeselect={false}
            value={rule}
            onChange={(value) => setRule(RULES.find((one) => one.value === value)?.value ?? 'K11')}
          />
          {!isByRegions(rule) && (
            <>
              <NumberInput
                label={tr('Change threshold')}
                description={tr('30 % suits text-like screens, 50 % colourful ones.')}
                suffix=" %"
                min={0}
                max={100}
                value={percent}
                onChange={setPercent}
              />
              <Group grow align="flex-start">
                <NumberInput
                  label={tr('Sample every')}
                  description={tr('One picture is compared in each interval.')}
                  suffix=" ms"
                  min={40}
                  max={3_600_000}
                  step={100}
                  allowDecimal={false}
                  value={every}
                  onChange={setEvery}
                />
                <NumberInput
                  label={tr('Keep at most one per')}
                  description={tr('Changes that follow sooner count as one step.')}
                  suffix=" ms"
                  min={0}
                  step={100}
                  allowDecimal={false}
                  value={gap}
                  onChange={setGap}
                />
              </Group>
            </>
          )}
          <PathField
            label={tr('Transcript (optional)')}
            description={tr('An .srt or .vtt file. Defaults to the one beside the video with the same name.')}
            value={transcript}
            onChange={setTranscript}
            browse={{ kind: 'transcript' }}
          />
        </>
      )}
    </JobForm>
  );
}

/** Percent as a share; an empty field is the default. */
function shareOf(percent: number | string): number {
  const value = percent === '' ? TEXT_LIKE : Number(percent);
  return Number.isFinite(value) ? Math.min(100, Math.max(0, value)) / 100 : TEXT_LIKE / 100;
}

/** Milliseconds from a field; an empty one is the default. */
function msOf(value: number | string, least: number): number {
  const ms = value === '' ? SECOND_MS : Number(value);
  return Number.isFinite(ms) ? Math.max(least, Math.round(ms)) : SECOND_MS;
}
