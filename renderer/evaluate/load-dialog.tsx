import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { QuestionSet } from '../../schemas/api/evaluate.ts';
import { client, fileUrl } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { PAGE_OPTIONS, type PageOptions } from './choices.ts';
import { Choices } from './choices-form.tsx';
import classes from './evaluate.module.css';
import { fileLabel, firstFiles, withOneAid } from './files.ts';
import { type Given, GivenFileField, give, isGiven, NOTHING_GIVEN } from './given-file.tsx';
import { useLongWork } from './long-work.tsx';
import { ScoringError } from './scoring-error.tsx';

type Props = { ws: string; set: QuestionSet | null; onClose: () => void };

export function LoadDialog({ ws, set, onClose }: Props): ReactNode {
  return (
    <Dialog
      opened={set !== null}
      onClose={onClose}
      title={tr('Load predictions for “{name}”', { name: set?.name })}
      size="lg"
    >
      {set && <Form ws={ws} set={set} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ ws, set, onClose }: { ws: string; set: QuestionSet; onClose: () => void }): ReactNode {
  const [given, setGiven] = useState<Given>(NOTHING_GIVEN);
  const [name, setName] = useState('');
  const [files, setFiles] = useState<readonly string[]>(() => firstFiles(set));
  const [options, setOptions] = useState<PageOptions>(PAGE_OPTIONS);
  const ready = files.length > 0 && isGiven(given);
  const score = useLongWork(ws, async () => {
    const predictions = await give(ws, given);
    const { job, run } = await client.evaluate.score({
      ws,
      set: set.id,
      files: [...files],
      name: name.trim(),
      predictions,
      options,
    });
    return { job, made: run };
  });
  return (
    <DialogForm
      onSubmit={() => score.begin(onClose)}
      onClose={onClose}
      close={tr('Close')}
      chord="Enter"
      loading={score.isPending}
      disabled={!ready}
      submit={tr('Score')}
    >
      <GivenFileField
        label={tr('Predictions')}
        about={
          set.tasks === null
            ? tr('One line a question: {"id": …, "prediction": …}, the prediction as the model answered.')
            : tr('One line a task: {"id": …, "prediction": {…}}, the prediction what the run came to.')
        }
        example="…/predictions/my-model.jsonl"
        value={given}
        onChange={setGiven}
        first
      />
      {files.length > 0 && (
        <Button
          component="a"
          variant="subtle"
          size="compact-sm"
          className={classes.template}
          href={fileUrl.template(ws, set.id, files)}
          download={`${set.name}-predictions.jsonl`}
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          {tr('Download a template to fill in')}
        </Button>
      )}
      <TextInput
        label={tr('Name of the model (optional)')}
        description={tr("Else what the file's first line says, or the file's name.")}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group
        label={set.tasks === null ? tr('Questions to score') : tr('Tasks to score')}
        value={[...files]}
        onChange={(values) => setFiles(withOneAid(set, files, values))}
      >
        <Stack gap={6} mt={6}>
          {set.files.map((one) => (
            <Checkbox key={one.file} value={one.file} label={fileLabel(one)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Choices tasks={set.tasks} options={options} onChange={setOptions} />
      {score.error !== null && !score.isPending && (
        <ScoringError error={score.error} what={tr('Nothing was scored.')} />
      )}
      {score.progress}
    </DialogForm>
  );
}
