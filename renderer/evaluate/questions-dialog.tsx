import { Button, Checkbox, Group, NumberInput, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { QuestionSet } from '../../schemas/api/evaluate.ts';
import type { TaskLevel } from '../../schemas/evaluate.ts';
import { AIDS, type Aid, QUESTION_LEVELS, type QuestionLevel } from '../../schemas/question-lists.ts';
import { client } from '../client/api.ts';
import { PathField } from '../desktop/path-field.tsx';
import { Browse } from '../desktop/pick.tsx';
import { tr, trParts } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import classes from './evaluate.module.css';
import { fileLabel } from './files.ts';
import { useLongWork } from './long-work.tsx';
import { NotAsked } from './not-asked.tsx';
import { evaluateQueries } from './queries.ts';
import { ScoringError } from './scoring-error.tsx';
import { useAskable } from './use-askable.ts';

type Props = { ws: string; opened: boolean; onClose: () => void; onMade: (set: string) => void };

const LEVEL_NAMES: Readonly<Record<QuestionLevel, string>> = {
  action: tr('Actions: clicks, drags, scrolls, keys'),
  mid: tr('Mid plans: the actions of a subtask'),
  high: tr('High plans: the subtasks of a task'),
};

const AID_TEXTS: Readonly<Record<Aid, string>> = {
  som: tr('With marks (SoM): numbers on the elements of the picture, found by edges'),
  ocr: tr('With texts (OCR): the picture’s texts and their boxes, read by tesseract'),
};

type From = 'workspace' | 'files' | TaskLevel;
const FROM: readonly { value: From; label: string }[] = [
  { value: 'workspace', label: tr('Create from this workspace') },
  { value: 'files', label: tr('Take from files') },
  { value: 'trajectories', label: tr('Whole tasks') },
  { value: 'scenario', label: tr('Scenario') },
];

export function QuestionsDialog(props: Props): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={tr('Questions')} size="lg">
      <Form {...props} />
    </Dialog>
  );
}

/** How many frames show a video, unless somebody says otherwise. */
const FRAMES = 8;

function Form({ ws, onClose, onMade }: Props): ReactNode {
  const [from, setFrom] = useState<From>('workspace');
  const [levels, setLevels] = useState<readonly QuestionLevel[]>(QUESTION_LEVELS);
  const [aids, setAids] = useState<readonly Aid[]>([]);
  const { nothingApproved } = useAskable(ws);
  const [wantedStates, setEveryState] = useState<boolean | null>(null);
  const everyState = wantedStates ?? nothingApproved;
  const [frames, setFrames] = useState<number | string>(FRAMES);
  const [every, setEvery] = useState(false);
  const [out, setOut] = useState('');
  const [paths, setPaths] = useState('');
  const [name, setName] = useState('');
  const sets = useQuery(evaluateQueries.sets(ws));
  const listed = paths
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean);
  const ready = from === 'workspace' ? levels.length + aids.length > 0 : listed.length > 0;
  const make = useLongWork(ws, async () => {
    const named = name.trim() === '' ? {} : { name: name.trim() };
    const tasks = from === 'trajectories' || from === 'scenario' ? from : null;
    const { job, set } =
      from === 'workspace'
        ? await client.evaluate.makeQuestions({
            ws,
            ...named,
            levels: [...levels],
            aids: [...aids],
            everyState,
            frames: frames === '' ? FRAMES : Number(frames),
            ...(every && { recordings: 'every' as const }),
            out: out.trim() === '' ? null : out.trim(),
          })
        : await client.evaluate.takeQuestions({ ws, ...named, paths: listed, tasks });
    return { job, made: set };
  });
  const made = sets.data?.find(({ id }) => id === make.made);
  if (made) return <Made set={made} onClose={onClose} />;
  return (
    <DialogForm
      onSubmit={() => make.begin(onMade)}
      onClose={onClose}
      close={tr('Close')}
      chord="Enter"
      loading={make.isPending}
      disabled={!ready}
      submit={
        from === 'workspace'
          ? tr('Make the questions')
          : asksTasks(from)
            ? tr('Take the tasks')
            : tr('Take the questions')
      }
    >
      <SegmentedControl
        aria-label={tr('Where the questions come from')}
        data={[...FROM]}
        value={from}
        onChange={(value) => setFrom(FROM.find((one) => one.value === value)?.value ?? 'workspace')}
      />
      {from === 'workspace' ? (
        <>
          <Checkbox.Group
            label={tr('What is asked')}
            value={[...levels]}
            onChange={(values) => setLevels(QUESTION_LEVELS.filter((level) => values.includes(level)))}
          >
            <Stack gap={6} mt={6}>
              {QUESTION_LEVELS.map((level, i) => (
                <Checkbox key={level} value={level} label={LEVEL_NAMES[level]} data-autofocus={i === 0 || undefined} />
              ))}
            </Stack>
          </Checkbox.Group>
          {levels.includes('high') && (
            <NumberInput
              label={tr('Frames of a video')}
              description={tr('So many pictures, from first to last, show a visual query that is a video.')}
              min={2}
              max={64}
              allowDecimal={false}
              clampBehavior="strict"
              value={frames}
              onChange={setFrames}
              maw={260}
            />
          )}
          <Checkbox.Group
            label={tr('Also ask with visual aids (optional)')}
            description={tr(
              'For models that cannot find positions by themselves; each is a row of its own on the leaderboard.',
            )}
            value={[...aids]}
            onChange={(values) => setAids(AIDS.filter((aid) => values.includes(aid)))}
          >
            <Stack gap={6} mt={6}>
              {AIDS.map((aid) => (
                <Checkbox key={aid} value={aid} label={AID_TEXTS[aid]} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Switch
            label={tr('Recordings of every state, not only approved ones')}
            description={nothingApproved ? tr('No recording is approved yet.') : undefined}
            checked={everyState}
            onChange={(event) => setEveryState(event.currentTarget.checked)}
          />
          <Switch
            label={tr('Every recording of a task: a plan counts against the one that fits best')}
            checked={every}
            onChange={(event) => setEvery(event.currentTarget.checked)}
          />
          <PathField
            label={tr('A folder for a copy, to be given to whoever runs the models (optional)')}
            description={tr(
              'Must be a new folder. Files include the answers; use --truth on the command line to keep them separate.',
            )}
            example="benchmark"
            value={out}
            onChange={setOut}
            browse={{ kind: 'folder', writes: 'benchmark' }}
          />
        </>
      ) : (
        <PathsField from={from} value={paths} onChange={setPaths} />
      )}
      <TextInput
        label={tr('Name (optional)')}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {make.error !== null && !make.isPending && (
        <ScoringError
          error={make.error}
          what={asksTasks(from) ? tr('No tasks were kept.') : tr('No questions were kept.')}
        />
      )}
      {make.progress}
    </DialogForm>
  );
}

const asksTasks = (from: From): boolean => from === 'trajectories' || from === 'scenario';

const PATHS: Readonly<Record<Exclude<From, 'workspace'>, { about: string; example: string }>> = {
  files: {
    about: tr(
      'What “questions” wrote, with the truth in it (or its --truth file); the folder of pictures lies beside it. They are copied.',
    ),
    example: '…/benchmark/action.jsonl\n…/benchmark/mid.jsonl',
  },
  trajectories: {
    about: tr(
      'Tasks whose runs are scored, one a line: {"id": "t1", "software": "Mail", "difficulty": "2", "nodes": 4, "applications": 3}. They are copied.',
    ),
    example: '…/benchmark/tasks.jsonl',
  },
  scenario: {
    about: tr(
      'Tasks of a scenario, one a line: {"id": "s1", "scenario": "A", "software": "Mail", "difficulty": "L2"}. They are copied.',
    ),
    example: '…/benchmark/scenario.jsonl',
  },
};

type PathsProps = { from: Exclude<From, 'workspace'>; value: string; onChange: (value: string) => void };

function PathsField({ from, value, onChange }: PathsProps): ReactNode {
  const last = value.trimEnd().split('\n').at(-1) ?? '';
  return (
    <>
      <label className={classes.field}>
        <span className={classes.fieldLabel}>{tr('Files on this machine, one path a line')}</span>
        <span className={classes.fieldAbout}>{PATHS[from].about}</span>
        <textarea
          className={classes.paths}
          rows={3}
          value={value}
          placeholder={PATHS[from].example}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </label>
      <Group>
        <Browse
          kind="questions"
          value={last}
          onPicked={(path) => onChange(`${`${value.trimEnd()}\n${path}`.trim()}\n`)}
        />
      </Group>
    </>
  );
}

/** The questions that were made, and what could not be asked, with its reason. */
function Made({ set, onClose }: { set: QuestionSet; onClose: () => void }): ReactNode {
  const done = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => done.current?.focus(), []);
  const total = set.files.flatMap(({ counts }) => Object.values(counts)).reduce((sum, n) => sum + n, 0);
  const named = { total, name: set.name, b: (inside: ReactNode[]) => <strong>{inside}</strong> };
  return (
    <Stack gap="sm">
      <div role="status">
        {set.tasks === null
          ? trParts('<b>{total, plural, one {# question} other {# questions}}</b> in “{name}”:', named)
          : trParts('<b>{total, plural, one {# task} other {# tasks}}</b> in “{name}”:', named)}
        <ul className={classes.plainList}>
          {set.files.map((one) => (
            <li key={one.file}>
              {fileLabel(one)}
              {one.reach && '; '}
              {one.reach &&
                tr('the target of {reachable} of {all} lies in an element', {
                  reachable: one.reach.reachable,
                  all: one.reach.of,
                })}
            </li>
          ))}
        </ul>
      </div>
      <NotAsked set={set} />
      <Group justify="flex-end">
        <Button ref={done} onClick={onClose} rightSection={<ChordKeys chord="Enter" />}>
          {tr('Done')}
        </Button>
      </Group>
    </Stack>
  );
}
