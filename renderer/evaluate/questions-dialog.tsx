import { Button, Checkbox, Group, Modal, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { QuestionSet } from '../../schemas/api/evaluate.ts';
import { QUESTION_LEVELS, type QuestionLevel } from '../../schemas/questions.ts';
import { client } from '../app/api.ts';
import { Chord } from '../app/keys/kbd.tsx';
import { plural } from '../app/ui/format.ts';
import classes from './evaluate.module.css';
import { ScoringError } from './scoring-error.tsx';

type Props = { ws: string; opened: boolean; onClose: () => void; onMade: (set: QuestionSet) => void };

const LEVEL_NAMES: Readonly<Record<QuestionLevel, string>> = {
  action: 'Actions: clicks, drags, scrolls, keys',
  mid: 'Mid plans: the actions of a subtask',
  high: 'High plans: the subtasks of a task',
};

export function QuestionsDialog(props: Props): ReactNode {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title="Questions"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Form {...props} />
    </Modal>
  );
}

function Form({ ws, onClose, onMade }: Props): ReactNode {
  const cache = useQueryClient();
  const [from, setFrom] = useState<'workspace' | 'files'>('workspace');
  const [levels, setLevels] = useState<readonly QuestionLevel[]>(QUESTION_LEVELS);
  const [everyState, setEveryState] = useState(false);
  const [out, setOut] = useState('');
  const [paths, setPaths] = useState('');
  const [name, setName] = useState('');
  const listed = paths
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean);
  const ready = from === 'workspace' ? levels.length > 0 : listed.length > 0;
  const make = useMutation({
    mutationFn: () => {
      const named = name.trim() === '' ? {} : { name: name.trim() };
      if (from === 'files') return client.evaluate.takeQuestions({ ws, ...named, paths: listed });
      return client.evaluate.makeQuestions({
        ...{ ws, ...named, levels: [...levels], everyState },
        out: out.trim() === '' ? null : out.trim(),
      });
    },
    onSuccess: async (set) => {
      await cache.invalidateQueries({ queryKey: ['of', ws, 'question-sets'] });
      onMade(set);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ready && !make.isPending) make.mutate();
  };
  if (make.data) return <Made set={make.data} onClose={onClose} />;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label="Where the questions come from"
          data={[
            { value: 'workspace', label: 'Make from this workspace' },
            { value: 'files', label: 'Take from files' },
          ]}
          value={from}
          onChange={(value) => setFrom(value === 'files' ? 'files' : 'workspace')}
        />
        {from === 'workspace' ? (
          <>
            <Checkbox.Group
              label="What is asked"
              value={[...levels]}
              onChange={(values) => setLevels(QUESTION_LEVELS.filter((level) => values.includes(level)))}
            >
              <Stack gap={6} mt={6}>
                {QUESTION_LEVELS.map((level, i) => (
                  <Checkbox
                    key={level}
                    value={level}
                    label={LEVEL_NAMES[level]}
                    data-autofocus={i === 0 || undefined}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
            <Switch
              label="Recordings of every state, not only approved ones"
              checked={everyState}
              onChange={(event) => setEveryState(event.currentTarget.checked)}
            />
            <TextInput
              label="A folder for a copy, to be given to whoever runs the models (optional)"
              description="It must not exist yet. The files hold the truth too; the command line's --truth writes it apart."
              placeholder="/home/me/benchmark"
              value={out}
              onChange={(event) => setOut(event.currentTarget.value)}
            />
          </>
        ) : (
          <PathsField value={paths} onChange={setPaths} />
        )}
        <TextInput
          label="Name (optional)"
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {make.error && <ScoringError error={make.error} what="No questions were kept." />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} rightSection={<Chord chord="Escape" />}>
            Close
          </Button>
          <Button type="submit" loading={make.isPending} disabled={!ready} rightSection={<Chord chord="Enter" />}>
            {from === 'workspace' ? 'Make the questions' : 'Take the questions'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function PathsField({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode {
  return (
    <label className={classes.field}>
      <span className={classes.fieldLabel}>Files on this machine, one path a line</span>
      <span className={classes.fieldAbout}>
        What “questions” wrote, with the truth in it (or its --truth file); the folder of pictures lies beside it. They
        are copied.
      </span>
      <textarea
        className={classes.paths}
        rows={3}
        value={value}
        placeholder={'/home/me/benchmark/action.jsonl\n/home/me/benchmark/mid.jsonl'}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

/** What came of it, and what could not be asked with its reason. */
function Made({ set, onClose }: { set: QuestionSet; onClose: () => void }): ReactNode {
  const done = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => done.current?.focus(), []);
  const total = set.files.flatMap(({ counts }) => Object.values(counts)).reduce((sum, n) => sum + n, 0);
  return (
    <Stack gap="sm">
      <div role="status">
        <strong>{plural(total, 'question')}</strong> in “{set.name}”:
        <ul className={classes.plainList}>
          {set.files.map(({ file, counts }) => (
            <li key={file}>
              {file}:{' '}
              {Object.entries(counts)
                .map(([kind, n]) => `${n} ${kind}`)
                .join(', ')}
            </li>
          ))}
        </ul>
      </div>
      {set.leftOutCount > 0 && (
        <details className={classes.options}>
          <summary>{plural(set.leftOutCount, 'item')} could not be asked</summary>
          <ul className={classes.plainList}>
            {set.leftOut.map(({ item, reason }) => (
              <li key={`${item} ${reason}`}>
                <code>{item}</code>: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Group justify="flex-end">
        <Button ref={done} onClick={onClose} rightSection={<Chord chord="Enter" />}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
