import { NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { mostRequests } from '../../core/agents/judge/most-requests.ts';
import { PANEL_LIMITS } from '../../schemas/limits.ts';
import { client } from '../client/api.ts';
import { askerOf } from '../client/queries.ts';
import { JobForm } from '../jobs/job-form.tsx';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { keepModel } from './kept-model.ts';
import { EndpointFields, freshModel, givenEndpoint, type ModelGiven } from './model-fields.tsx';
import classes from './page.module.css';

type Which = 'one' | 'shown' | 'labelled';
type Props = { ws: string; one: string | null; shown: readonly string[]; onClose: () => void };

/** Models are asked whether the tasks of runs came out. `one`: the run that is chosen; `shown`: all that the page lists. */
export function AskJudges(props: Props): ReactNode {
  return (
    <Dialog opened onClose={props.onClose} title={tr('Ask judges')} size="lg">
      <Form {...props} />
    </Dialog>
  );
}

function Form({ ws, one, shown, onClose }: Props): ReactNode {
  const [which, setWhich] = useState<Which>(one === null ? 'shown' : 'one');
  const [given, setGiven] = useState<ModelGiven>(freshModel);
  const [names, setNames] = useState(given.model);
  const [prompts, setPrompts] = useState(2);
  const [pictures, setPictures] = useState(100);
  const labelled = useQuery({
    queryKey: ['of', ws, 'recordings', 'judges', 'labelled'],
    queryFn: ({ signal }) => client.judges.labelled({ ws }, { signal }),
  });
  const endpoint = givenEndpoint(given);
  const models = [...new Set(names.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const recordings = which === 'labelled' ? [] : which === 'one' && one !== null ? [one] : shown.slice(0, MOST);
  const n = which === 'labelled' ? (labelled.data?.n ?? 0) : recordings.length;
  const isReady = endpoint !== null && models.length > 0 && models.length <= PANEL_LIMITS.models && n > 0;
  const wanted = {
    recordings,
    labelled: which === 'labelled',
    with: endpoint && { ...endpoint, models, prompts, pictures, budget: given.budget },
  };
  return (
    <JobForm
      ws={ws}
      ready={isReady}
      asked={JSON.stringify(wanted)}
      start={() => {
        keepModel({ ...given, model: given.model.trim() || (models[0] ?? '') });
        if (!wanted.with) throw new Error('no endpoint'); // The button is off then.
        return client.judges.ask({ ws, ...wanted, with: wanted.with, ...askerOf(ws) });
      }}
      go={tr('Send it and judge')}
      failed={tr('The judges could not be asked.')}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={tr('Recordings that are judged')}
        className={classes.help}
        value={which}
        onChange={setWhich}
        data={[
          ...(one === null ? [] : [{ value: 'one' as const, label: tr('The chosen run') }]),
          {
            value: 'shown',
            label: tr('{n, plural, one {# run shown} other {# runs shown}}', { n: Math.min(MOST, shown.length) }),
          },
          {
            value: 'labelled',
            label: tr('{n, number} with a label', { n: labelled.data?.n ?? 0 }),
            disabled: !labelled.data?.n,
          },
        ]}
      />
      <EndpointFields
        given={given}
        onChange={setGiven}
        limits={
          <NumberInput
            label={tr('Most pictures of a recording')}
            min={1}
            max={PANEL_LIMITS.pictures}
            allowDecimal={false}
            value={pictures}
            onChange={(value) => setPictures(wholeOf(value, PANEL_LIMITS.pictures))}
          />
        }
      >
        <TextInput
          label={tr('Models, separated by commas')}
          value={names}
          maxLength={2000}
          error={
            models.length > PANEL_LIMITS.models &&
            tr('At most {n, number} models are asked at once.', { n: PANEL_LIMITS.models })
          }
          onChange={(event) => setNames(event.currentTarget.value)}
        />
        <NumberInput
          label={tr('Wordings that each is asked with')}
          min={1}
          max={PANEL_LIMITS.prompts}
          allowDecimal={false}
          value={prompts}
          onChange={(value) => setPrompts(wholeOf(value, PANEL_LIMITS.prompts))}
        />
      </EndpointFields>
      <ul className={classes.told}>
        <li>
          {tr(
            'To the endpoint go at most {pictures, number} pictures of the whole screen of each of {n, plural, one {# recording} other {# recordings}}, the task’s goal, the software’s name, every step in words with what was typed, and a run’s last words, in at most {requests, number} requests.',
            { pictures, n, requests: mostRequests(pictures) * Math.max(1, models.length) * prompts * n },
          )}
        </li>
        <li>{tr('Steps that were removed are left out. What was judged before is not asked again.')}</li>
        <li>
          {tr(
            'What models say proves nothing and counts nowhere. Those with a label, by verify or by reviews, show what a judge is worth here.',
          )}
        </li>
      </ul>
    </JobForm>
  );
}

const MOST = PANEL_LIMITS.recordings;

const wholeOf = (value: string | number, most: number): number =>
  Math.min(most, Math.max(1, typeof value === 'number' ? Math.floor(value) : 1));
