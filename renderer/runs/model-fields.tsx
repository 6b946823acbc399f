import { NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BegunModel } from '../../schemas/api/runs.ts';
import { HOTTEST, MOST_SHOTS } from '../../schemas/limits.ts';
import { INJECTED, PAGE_AGENTS, PROTOCOLS } from '../../schemas/protocols.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { EndpointField, KeyFields, sentKey } from '../ui/key-fields.tsx';
import { COORDINATES, isTemperature, type KeptModel, keptModel } from './kept-model.ts';
import classes from './page.module.css';

/** `demonstration`: the id of the one that is followed or whose plan is given; null: the newest of the task. Of one run alone, so not kept. */
export type ModelGiven = KeptModel & {
  key: string;
  demonstration: string | null;
  window: number;
  reflects: boolean;
  inject: (typeof INJECTED)[number];
  shots: number;
};

/** Fields of a form that is opened: as they were given last, without what is of one run alone. */
export const freshModel = (): ModelGiven => ({
  ...keptModel(),
  key: '',
  demonstration: null,
  window: 4,
  reflects: true,
  inject: 'none',
  shots: 0,
});

type Props = { given: ModelGiven; onChange: (given: ModelGiven) => void };

/** Which model does a task: where it is asked, as which agent, and how much it may use. */
export function ModelFields({ ws, given, onChange }: Props & { ws: string }): ReactNode {
  const set = (more: Partial<ModelGiven>): void => onChange({ ...given, ...more });
  const agents: Readonly<Record<(typeof PAGE_AGENTS)[number], string>> = {
    direct: tr('direct: looks and acts'),
    minimal: tr('minimal: planner, actor and critic (VideoGUI)'),
    'planner-actor': tr('planner-actor: plans a subgoal at a time'),
    'video-guided': tr('video-guided: follows a demonstration’s keyframes (Mobile-Agent-V)'),
    hierarchical: tr('hierarchical: manager, operator and reflector (LightManus)'),
  };
  const units: Readonly<Record<(typeof COORDINATES)[number], string>> = {
    form: tr('As the form of its answers says'),
    measure: tr('Find out by six squares'),
    pixels: tr('Pixels of the picture'),
    '0-1': tr('0 to 1'),
    '0-100': tr('0 to 100'),
    '0-1000': tr('0 to 1000'),
  };
  return (
    <EndpointFields
      given={given}
      onChange={onChange}
      limits={
        <NumberInput
          label={tr('Most requests')}
          min={1}
          max={10_000}
          allowDecimal={false}
          value={given.rounds}
          onChange={(value) => set({ rounds: Math.max(1, numberOf(value)) })}
        />
      }
    >
      <TextInput
        label={tr('Model')}
        value={given.model}
        maxLength={200}
        onChange={(event) => set({ model: event.currentTarget.value })}
      />
      <Select
        label={tr('Agent')}
        data={PAGE_AGENTS.map((value) => ({ value, label: agents[value] }))}
        value={given.agent}
        onChange={(value) => set({ agent: PAGE_AGENTS.find((one) => one === value) ?? 'direct' })}
        allowDeselect={false}
      />
      <Select
        label={tr('What its places count')}
        description={tr('Code counts pixels unless another unit is chosen.')}
        data={COORDINATES.map((value) => ({ value, label: units[value] }))}
        value={given.coordinates}
        onChange={(value) => set({ coordinates: COORDINATES.find((one) => one === value) ?? 'form' })}
        allowDeselect={false}
      />
      <NumberInput
        label={tr('Temperature')}
        description={tr('How freely it answers, 0 to 2. Empty: 0 for OpenAI’s chat, else as the endpoint does.')}
        min={0}
        max={HOTTEST}
        step={0.1}
        // An answer drawn with another number than was typed would be a surprise.
        clampBehavior="none"
        error={
          given.temperature !== null && !isTemperature(given.temperature) && tr('A number from 0 to 2, or nothing.')
        }
        value={given.temperature ?? ''}
        onChange={(value) => set({ temperature: value === '' ? null : Number(value) })}
      />
      <DemonstrationFields ws={ws} given={given} onChange={onChange} />
    </EndpointFields>
  );
}

/** Demonstrations that an agent follows, is given the plan of, or is shown before. */
function DemonstrationFields({ ws, given, onChange }: Props & { ws: string }): ReactNode {
  const set = (more: Partial<ModelGiven>): void => onChange({ ...given, ...more });
  const { agent, inject } = given;
  const isFilm = agent === 'video-guided';
  const recordings = useQuery({ ...queries.recordings(ws), enabled: isFilm || agent === 'minimal' });
  const plans = {
    none: tr('None: the planner writes it'),
    high: tr('Its subtasks (table 6)'),
    'high,mid': tr('Its subtasks and steps (tables 6 and 7)'),
  };
  const demonstrations = (recordings.data ?? []).filter(({ phase }) => phase === 'closed');
  return (
    <>
      {!isFilm && (
        <NumberInput
          label={tr('Demonstrations shown before')}
          description={tr('Of other tasks, the nearest ones; pictures of each step go with every request.')}
          min={0}
          max={MOST_SHOTS}
          allowDecimal={false}
          value={given.shots}
          onChange={(value) => set({ shots: Math.min(MOST_SHOTS, Math.max(0, numberOf(value))) })}
        />
      )}
      {agent === 'minimal' && (
        <Select
          label={tr('Plan of a demonstration that is given')}
          data={INJECTED.map((value) => ({ value, label: plans[value] }))}
          value={inject}
          onChange={(value) => set({ inject: INJECTED.find((one) => one === value) ?? 'none' })}
          allowDeselect={false}
        />
      )}
      {(isFilm || (agent === 'minimal' && inject !== 'none')) && (
        <Select
          label={tr('Demonstration')}
          description={tr('It may be of another task.')}
          data={[
            { value: '', label: tr('The newest of this task') },
            ...demonstrations.map(({ id, task, goal }) => ({ value: id, label: `${task} · ${id} · ${goal}` })),
          ]}
          value={given.demonstration ?? ''}
          onChange={(value) => set({ demonstration: value || null })}
          searchable
          allowDeselect={false}
        />
      )}
      {isFilm && (
        <>
          <NumberInput
            label={tr('Keyframes that are shown at once')}
            min={1}
            max={12}
            allowDecimal={false}
            value={given.window}
            onChange={(value) => set({ window: Math.min(12, Math.max(1, numberOf(value))) })}
          />
          <Switch
            label={tr('Compare each act with the demonstration before it is done')}
            checked={given.reflects}
            onChange={(event) => set({ reflects: event.currentTarget.checked })}
          />
        </>
      )}
    </>
  );
}

const numberOf = (value: string | number): number => (typeof value === 'number' ? value : 0);

/** Where models are asked, with which key, and what that may cost. `children`: who is asked. `limits`: how much of it. */
export function EndpointFields(props: Props & { children: ReactNode; limits: ReactNode }): ReactNode {
  const { given, onChange, children, limits } = props;
  const set = (more: Partial<ModelGiven>): void => onChange({ ...given, ...more });
  const protocols: Readonly<Record<(typeof PROTOCOLS)[number], string>> = {
    openai: tr('OpenAI’s chat (vLLM, Ollama, most others)'),
    responses: tr('OpenAI’s Responses'),
    anthropic: tr('Anthropic’s Messages'),
    gemini: tr('Gemini’s generateContent'),
  };
  // Where the key has no field of its own, both prices stay beside each other.
  const money = (
    <NumberInput
      label={tr('Most money')}
      description={tr('Empty: no limit. It needs both prices.')}
      min={0}
      allowNegative={false}
      error={
        given.budget !== null && given.budget <= 0 && tr('Nothing can be asked for 0. Give more, or leave it empty.')
      }
      value={given.budget ?? ''}
      onChange={(value) => set({ budget: value === '' ? null : numberOf(value) })}
    />
  );
  return (
    <div className={classes.fields}>
      <EndpointField value={given.endpoint} onChange={(endpoint) => set({ endpoint })} />
      <Select
        label={tr('It speaks')}
        data={PROTOCOLS.map((value) => ({ value, label: protocols[value] }))}
        value={given.protocol}
        onChange={(value) => set({ protocol: PROTOCOLS.find((one) => one === value) ?? 'openai' })}
        allowDeselect={false}
      />
      {children}
      <KeyFields given={given} onChange={set} />
      {limits}
      {given.keyFrom !== 'none' && money}
      <NumberInput
        label={tr('Price of a million tokens asked')}
        min={0}
        value={given.prices.input}
        onChange={(value) => set({ prices: { ...given.prices, input: numberOf(value) } })}
      />
      <NumberInput
        label={tr('Price of a million tokens answered')}
        min={0}
        value={given.prices.output}
        onChange={(value) => set({ prices: { ...given.prices, output: numberOf(value) } })}
      />
      {given.keyFrom === 'none' && money}
    </div>
  );
}

/**
 * The settings that an endpoint is asked with. Null: something is missing, or the most money is nothing. Without prices its cost is
 * not known.
 */
export function givenEndpoint(given: ModelGiven): Pick<BegunModel, 'protocol' | 'endpoint' | 'key' | 'prices'> | null {
  const { protocol, budget, prices } = given;
  const endpoint = given.endpoint.trim();
  const key = sentKey(given);
  const isPriced = prices.input > 0 || prices.output > 0;
  if (endpoint === '' || key === null || (budget !== null && (budget <= 0 || !isPriced))) return null;
  return {
    protocol,
    endpoint,
    key,
    prices: isPriced ? prices : null,
  };
}

/** Null: something is missing. */
export function begunModel(fields: ModelGiven): BegunModel | null {
  const { agent, rounds, budget, demonstration, window, reflects, inject, shots, coordinates, temperature } = fields;
  const endpoint = givenEndpoint(fields);
  const model = fields.model.trim();
  if (endpoint === null || model === '' || (temperature !== null && !isTemperature(temperature))) return null;
  const given = agent === 'minimal' ? inject : 'none';
  return {
    ...endpoint,
    agent,
    model,
    limits: { rounds, timeMs: null, budget },
    ...(demonstration !== null && (agent === 'video-guided' || given !== 'none') && { demonstration }),
    ...(agent === 'video-guided' && { window, reflects }),
    ...(given !== 'none' && { inject: given }),
    ...(agent !== 'video-guided' && shots > 0 && { shots }),
    ...(coordinates !== 'form' && { coordinates }),
    ...(temperature !== null && { temperature }),
  };
}
