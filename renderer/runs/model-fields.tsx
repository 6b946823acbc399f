import { NumberInput, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { BegunModel } from '../../schemas/api/runs.ts';
import { PAGE_AGENTS, PROTOCOLS } from '../../schemas/protocols.ts';
import { tr } from '../language/tr.ts';
import type { KeptModel } from './kept-model.ts';
import classes from './page.module.css';

export type ModelGiven = KeptModel & { key: string };

type Props = { given: ModelGiven; onChange: (given: ModelGiven) => void };

/** Which model does a task: where it is asked, as which agent, and how much it may use. */
export function ModelFields({ given, onChange }: Props): ReactNode {
  const set = (more: Partial<ModelGiven>): void => onChange({ ...given, ...more });
  const agents: Readonly<Record<(typeof PAGE_AGENTS)[number], string>> = {
    direct: tr('direct: looks and acts'),
    minimal: tr('minimal: planner, actor and critic (VideoGUI)'),
    'planner-actor': tr('planner-actor: plans a subgoal at a time'),
    hierarchical: tr('hierarchical: manager, operator and reflector (LightManus)'),
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
    </EndpointFields>
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
  return (
    <div className={classes.fields}>
      <TextInput
        label={tr('Endpoint')}
        placeholder="http://127.0.0.1:8000/v1"
        value={given.endpoint}
        maxLength={2000}
        onChange={(event) => set({ endpoint: event.currentTarget.value })}
      />
      <Select
        label={tr('It speaks')}
        data={PROTOCOLS.map((value) => ({ value, label: protocols[value] }))}
        value={given.protocol}
        onChange={(value) => set({ protocol: PROTOCOLS.find((one) => one === value) ?? 'openai' })}
        allowDeselect={false}
      />
      {children}
      <Select
        label={tr('API key')}
        data={[
          { value: 'none', label: tr('None') },
          { value: 'env', label: tr('In a variable of the studio’s environment') },
          { value: 'typed', label: tr('Typed here') },
        ]}
        value={given.keyFrom}
        onChange={(value) => set({ keyFrom: value === 'env' || value === 'typed' ? value : 'none', key: '' })}
        allowDeselect={false}
      />
      {given.keyFrom === 'none' ? (
        <span />
      ) : given.keyFrom === 'env' ? (
        <TextInput
          label={tr('Name of the variable')}
          placeholder="API_KEY"
          value={given.variable}
          maxLength={1000}
          onChange={(event) => set({ variable: event.currentTarget.value })}
        />
      ) : (
        <TextInput
          label={tr('The key')}
          type="password"
          autoComplete="off"
          value={given.key}
          maxLength={1000}
          onChange={(event) => set({ key: event.currentTarget.value })}
        />
      )}
      {limits}
      <NumberInput
        label={tr('Most money')}
        description={tr('Empty: no limit. It needs both prices.')}
        min={0}
        value={given.budget ?? ''}
        onChange={(value) => set({ budget: numberOf(value) > 0 ? numberOf(value) : null })}
      />
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
    </div>
  );
}

/** What an endpoint is asked with. Null: something is missing. Without prices what it costs is not known. */
export function givenEndpoint(given: ModelGiven): Pick<BegunModel, 'protocol' | 'endpoint' | 'key' | 'prices'> | null {
  const { protocol, keyFrom, variable, key, budget, prices } = given;
  const endpoint = given.endpoint.trim();
  const named = keyFrom === 'env' ? variable.trim() : key.trim();
  const isPriced = prices.input > 0 || prices.output > 0;
  if (endpoint === '' || (keyFrom !== 'none' && named === '') || (budget !== null && !isPriced)) return null;
  return {
    protocol,
    endpoint,
    key:
      keyFrom === 'none'
        ? { from: keyFrom }
        : keyFrom === 'env'
          ? { from: keyFrom, variable: named }
          : { from: keyFrom, key: named },
    prices: isPriced ? prices : null,
  };
}

/** Null: something is missing. */
export function begunModel(given: ModelGiven): BegunModel | null {
  const { agent, rounds, budget } = given;
  const endpoint = givenEndpoint(given);
  const model = given.model.trim();
  if (endpoint === null || model === '') return null;
  return { ...endpoint, agent, model, limits: { rounds, timeMs: null, budget } };
}
