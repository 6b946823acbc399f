import {
  Button,
  Checkbox,
  FileInput,
  Group,
  Modal,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { QuestionSet } from '../../schemas/api/evaluate.ts';
import { client } from '../app/api.ts';
import { Chord } from '../app/keys/kbd.tsx';
import { PAGE_OPTIONS, type PageOptions } from './choices.ts';
import classes from './evaluate.module.css';
import { ScoringError } from './scoring-error.tsx';
import { sendPredictions } from './send.ts';

type Props = { ws: string; set: QuestionSet; opened: boolean; onClose: () => void };

export function LoadDialog(props: Props): ReactNode {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={`Load predictions for “${props.set.name}”`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Form key={props.set.id} {...props} />
    </Modal>
  );
}

function Form({ ws, set, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const [from, setFrom] = useState<'upload' | 'path'>('upload');
  const [file, setFile] = useState<File | null>(null);
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const [files, setFiles] = useState<readonly string[]>(set.files.map((one) => one.file));
  const [options, setOptions] = useState<PageOptions>(PAGE_OPTIONS);
  const ready = files.length > 0 && (from === 'upload' ? file !== null : path.trim() !== '');
  const score = useMutation({
    mutationFn: async () => {
      const predictions =
        from === 'upload' && file
          ? { from: 'upload' as const, upload: await sendPredictions(ws, file), name: file.name }
          : { from: 'path' as const, path: path.trim() };
      return client.evaluate.score({ ws, set: set.id, files: [...files], name: name.trim(), predictions, options });
    },
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['of', ws, 'runs'] });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ready && !score.isPending) score.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label="Where the file is"
          data={[
            { value: 'upload', label: 'Choose a file' },
            { value: 'path', label: 'Path on this machine' },
          ]}
          value={from}
          onChange={(value) => setFrom(value === 'path' ? 'path' : 'upload')}
        />
        {from === 'upload' ? (
          <FileInput
            size="xs"
            label="Predictions"
            description={'One line a question: {"id": …, "prediction": …}, the prediction as the model answered.'}
            placeholder="Choose a .jsonl file"
            leftSection={<IconFile size={15} aria-hidden />}
            accept=".jsonl,.ndjson,.json,.txt"
            value={file}
            onChange={setFile}
            clearable
          />
        ) : (
          <TextInput
            label="Predictions"
            description={'One line a question: {"id": …, "prediction": …}, the prediction as the model answered.'}
            placeholder="/home/me/predictions/my-model.jsonl"
            value={path}
            onChange={(event) => setPath(event.currentTarget.value)}
          />
        )}
        <TextInput
          label="Name of the model (optional)"
          description="Else what the file's first line says, or the file's name."
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox.Group label="Questions to score" value={[...files]} onChange={setFiles}>
          <Group gap={14} mt={6}>
            {set.files.map((one) => {
              const counts = Object.entries(one.counts).map(([kind, n]) => `${n} ${kind}`);
              return <Checkbox key={one.file} value={one.file} label={`${one.file} (${counts.join(', ')})`} />;
            })}
          </Group>
        </Checkbox.Group>
        <Choices options={options} onChange={setOptions} />
        {score.error && <ScoringError error={score.error} what="Nothing was scored." />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} rightSection={<Chord chord="Escape" />}>
            Close
          </Button>
          <Button type="submit" loading={score.isPending} disabled={!ready} rightSection={<Chord chord="Enter" />}>
            Score
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Choice = 'comparator' | 'missingDist' | 'boxRecall' | 'keysReading' | 'planScore';
const CHOICES: readonly { key: Choice; label: string; values: readonly { value: string; label: string }[] }[] = [
  {
    key: 'planScore',
    label: 'Score of plans in the overall table',
    values: [
      { value: 'stepF1', label: 'Step F1, without a judge' },
      { value: 'critic', label: 'A judge’s only (empty here)' },
    ],
  },
  {
    key: 'comparator',
    label: 'At exactly the distance',
    values: [
      { value: '<=', label: 'it is a hit (≤)' },
      { value: '<', label: 'it is not (<)' },
    ],
  },
  {
    key: 'boxRecall',
    label: 'A predicted box hits',
    values: [
      { value: 'corners', label: 'by its corners’ mean distance' },
      { value: 'contains', label: 'when the truth lies inside' },
    ],
  },
  {
    key: 'missingDist',
    label: 'Distance without a position',
    values: [
      { value: 'skip', label: 'is left out' },
      { value: 'one', label: 'is the farthest there is' },
    ],
  },
  {
    key: 'keysReading',
    label: 'Keys are compared',
    values: [
      { value: 'contained', label: 'as one run of keys' },
      { value: 'multiset', label: 'without their order' },
      { value: 'orderedLcs', label: 'by the longest common order' },
    ],
  },
];

/** What the paper leaves open; written into the result. */
function Choices({ options, onChange }: { options: PageOptions; onChange: (to: PageOptions) => void }): ReactNode {
  return (
    <details className={classes.options}>
      <summary>How it is counted</summary>
      <div className={classes.choices}>
        <NumberInput
          label="A hit lies within (px of the picture)"
          min={0}
          max={100_000}
          value={options.threshold}
          onChange={(value) => onChange({ ...options, threshold: typeof value === 'number' ? value : 100 })}
        />
        {CHOICES.map(({ key, label, values }) => (
          <Select
            key={key}
            label={label}
            data={[...values]}
            value={options[key]}
            // The list's own values, which are the option's.
            onChange={(value) => value !== null && onChange({ ...options, [key]: value } as PageOptions)}
            allowDeselect={false}
          />
        ))}
      </div>
      <p className={classes.fieldAbout}>
        Every other choice, and scores by a judging model, are the command line’s: <code>evaluate --help</code>.
      </p>
    </details>
  );
}
