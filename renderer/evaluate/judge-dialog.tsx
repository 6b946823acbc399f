import { NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { GivenCritic, Run } from '../../schemas/api/evaluate.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { type KeyChoice, KeyFields, sentKey } from '../ui/key-fields.tsx';
import { CommandHint } from './command-hint.tsx';
import classes from './evaluate.module.css';
import { type Given, GivenFileField, give, isGiven, NOTHING_GIVEN } from './given-file.tsx';
import { useLongWork } from './long-work.tsx';
import { ScoringError } from './scoring-error.tsx';

type Props = { ws: string; run: Run | null; onClose: () => void };

/** A critic's scores for one model's plans: from a file, or asked of a model now. */
export function JudgeDialog({ ws, run, onClose }: Props): ReactNode {
  return (
    <Dialog
      opened={run !== null}
      onClose={onClose}
      title={tr('Judge the plans of “{name}”', { name: run?.name })}
      size="lg"
    >
      {run && <Form ws={ws} run={run} onClose={onClose} />}
    </Dialog>
  );
}

type From = GivenCritic['from'];
function Form({ ws, run, onClose }: { ws: string; run: Run; onClose: () => void }): ReactNode {
  const [from, setFrom] = useState<From>('file');
  const [given, setGiven] = useState<Given>(NOTHING_GIVEN);
  const [endpoint, setEndpoint] = useState('');
  const [model, setModel] = useState('');
  const [givenKey, setGivenKey] = useState<KeyChoice>({ keyFrom: 'none', variable: '', key: '' });
  const key = sentKey(givenKey);
  const [prices, setPrices] = useState({ input: 0, output: 0 });
  const asks = endpoint.trim() !== '' && model.trim() !== '' && key !== null;
  const ready = from === 'file' ? isGiven(given) : asks;
  const judge = useLongWork(ws, async () => {
    const wanted: GivenCritic =
      from === 'file'
        ? { from, file: await give(ws, given) }
        : {
            from,
            endpoint: endpoint.trim(),
            model: model.trim(),
            prices,
            concurrency: 4,
            rate: null,
            key: key!, // Until there is one, the button is off.
          };
    const { job, run: made } = await client.evaluate.judge({ ws, run: run.id, critic: wanted });
    return { job, made };
  });
  return (
    <DialogForm
      onSubmit={() => judge.begin(onClose)}
      onClose={onClose}
      close={tr('Close')}
      chord="Enter"
      loading={judge.isPending}
      disabled={!ready}
      autoComplete="off"
      submit={from === 'file' ? tr('Take the scores') : tr('Ask the critic')}
    >
      <SegmentedControl
        aria-label={tr('Where the scores come from')}
        data={[
          { value: 'file', label: tr('Take its scores from a file') },
          { value: 'endpoint', label: tr('Ask a model now') },
        ]}
        value={from}
        onChange={(value) => setFrom(value === 'endpoint' ? 'endpoint' : 'file')}
      />
      {from === 'file' ? (
        <>
          <GivenFileField
            label={tr('Cases with scores')}
            about={tr('What “evaluate --critic … --cases” wrote for these very answers.')}
            example="…/results/cases.jsonl"
            value={given}
            onChange={setGiven}
          />
          <CommandHint line="npm run studio -- evaluate all --truth Q.jsonl --predictions P.jsonl --critic URL --critic-model NAME --cases cases.jsonl" />
        </>
      ) : (
        <>
          <TextInput
            label={tr('Endpoint')}
            description={tr('Any OpenAI-compatible address; nothing is sent anywhere else.')}
            placeholder="http://127.0.0.1:8000/v1"
            value={endpoint}
            onChange={(event) => setEndpoint(event.currentTarget.value)}
          />
          <TextInput
            label={tr('Model')}
            description={tr('The critic’s name there.')}
            value={model}
            maxLength={200}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
          <div className={classes.choices}>
            <KeyFields given={givenKey} onChange={(more) => setGivenKey({ ...givenKey, ...more })} />
          </div>
          <div className={classes.choices}>
            {(['input', 'output'] as const).map((side) => (
              <NumberInput
                key={side}
                label={
                  side === 'input' ? tr('Price of a million tokens asked') : tr('Price of a million tokens answered')
                }
                min={0}
                value={prices[side]}
                onChange={(value) => setPrices({ ...prices, [side]: typeof value === 'number' ? value : 0 })}
              />
            ))}
          </div>
          <p className={classes.fieldAbout}>
            {tr(
              'The critic gets the annotated plan and the model’s plan as text, no pictures. A key is kept nowhere. What was answered is kept and never asked again, also after a stop.',
            )}
          </p>
        </>
      )}
      {judge.error !== null && !judge.isPending && (
        <ScoringError error={judge.error} what={tr('The scores are as they were.')} />
      )}
      {judge.progress}
    </DialogForm>
  );
}
