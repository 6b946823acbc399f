import { NumberInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { MOST_CANDIDATES } from '../../schemas/limits.ts';
import { SCALES } from '../../schemas/scales.ts';
import { client } from '../client/api.ts';
import { askerOf } from '../client/queries.ts';
import { JobForm } from '../jobs/job-form.tsx';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { keepModel } from './kept-model.ts';
import { EndpointFields, freshModel, givenEndpoint, type ModelGiven } from './model-fields.tsx';
import classes from './page.module.css';

type Props = { ws: string; recording: string; onClose: () => void };

/** A model is asked several times what it would do at each step of a recording. */
export function AskCandidates(props: Props): ReactNode {
  return (
    <Dialog opened onClose={props.onClose} title={tr('Ask for candidates')} size="lg">
      <Form {...props} />
    </Dialog>
  );
}

function Form({ ws, recording, onClose }: Props): ReactNode {
  const [given, setGiven] = useState<ModelGiven>(freshModel);
  const [each, setEach] = useState(16);
  const [temperature, setTemperature] = useState(1);
  const [judge, setJudge] = useState('');
  const endpoint = givenEndpoint(given);
  const model = given.model.trim();
  const wanted = {
    recording,
    with: endpoint && {
      ...endpoint,
      model,
      judge: judge.trim() || null,
      each,
      temperature,
      coordinates: SCALES.find((one) => one === given.coordinates) ?? null,
      budget: given.budget,
    },
  };
  return (
    <JobForm
      ws={ws}
      ready={endpoint !== null && model !== ''}
      asked={JSON.stringify(wanted)}
      start={() => {
        keepModel(given);
        if (!wanted.with) throw new Error('no endpoint'); // The button is off then.
        return client.candidates.ask({ ws, ...wanted, with: wanted.with, ...askerOf(ws) });
      }}
      go={tr('Send it and ask')}
      failed={tr('The model could not be asked.')}
      onClose={onClose}
    >
      <EndpointFields
        given={given}
        onChange={setGiven}
        limits={
          <NumberInput
            label={tr('Answers to each step')}
            min={1}
            max={MOST_CANDIDATES}
            allowDecimal={false}
            value={each}
            onChange={(value) => setEach(typeof value === 'number' ? Math.min(MOST_CANDIDATES, Math.max(1, value)) : 1)}
          />
        }
      >
        <TextInput
          label={tr('Model')}
          value={given.model}
          maxLength={200}
          onChange={(event) => setGiven({ ...given, model: event.currentTarget.value })}
        />
        <TextInput
          label={tr('Judge')}
          description={tr('Another model there that says of each whether it is right. Empty: none.')}
          value={judge}
          maxLength={200}
          onChange={(event) => setJudge(event.currentTarget.value)}
        />
        <NumberInput
          label={tr('Temperature')}
          description={tr('How freely it answers, 0 to 2')}
          min={0}
          max={2}
          step={0.1}
          value={temperature}
          onChange={(value) => setTemperature(typeof value === 'number' ? Math.min(2, Math.max(0, value)) : 1)}
        />
      </EndpointFields>
      <ul className={classes.told}>
        <li>
          {tr(
            'To the endpoint go, {each, number} times for each step, the picture of the whole screen before it, the task’s goal, the software’s name, and the steps before it in words with what was typed; to the judge also the step itself and the answers.',
            { each },
          )}
        </li>
        <li>
          {tr(
            'Steps that were removed, and what was typed into fields for passwords, are left out. What was answered before is not asked again.',
          )}
        </li>
      </ul>
    </JobForm>
  );
}
