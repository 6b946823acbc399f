import { HOTTEST } from '../../schemas/limits.ts';
import { PAGE_AGENTS, PROTOCOLS } from '../../schemas/protocols.ts';
import { SCALES } from '../../schemas/scales.ts';
import type { KeyFrom } from '../ui/key-fields.tsx';

/** `form`: as the form of its answers says; `measure`: by pictures of squares whose places are known. */
export const COORDINATES = ['form', 'measure', ...SCALES] as const;

/** What a model's run was begun with last, so that it need not be typed again. A typed key is never in it. */
export type KeptModel = {
  agent: (typeof PAGE_AGENTS)[number];
  protocol: (typeof PROTOCOLS)[number];
  endpoint: string;
  model: string;
  keyFrom: KeyFrom;
  variable: string;
  /** The unit of the places in its answers. */
  coordinates: (typeof COORDINATES)[number];
  /** How freely it answers; null: it is not said. */
  temperature: number | null;
  rounds: number;
  budget: number | null;
  prices: { input: number; output: number };
};

export const isTemperature = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= HOTTEST;

const KEY = 'studio.model-run';
const FRESH: KeptModel = {
  agent: 'direct',
  protocol: 'openai',
  endpoint: '',
  model: '',
  keyFrom: 'none',
  variable: '',
  coordinates: 'form',
  temperature: null,
  rounds: 30,
  budget: null,
  prices: { input: 0, output: 0 },
};

/** Anything may stand in a browser's storage: what does not fit is as it was never given. */
export function keptModel(): KeptModel {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return typeof kept === 'object' && kept !== null ? fitting(kept) : FRESH;
  } catch {
    return FRESH;
  }
}

function fitting(kept: object): KeptModel {
  const field = (name: keyof KeptModel): unknown => Reflect.get(kept, name);
  const text = (name: 'endpoint' | 'model' | 'variable'): string => {
    const value = field(name);
    return typeof value === 'string' ? value.slice(0, 2000) : FRESH[name];
  };
  const positive = (value: unknown): number | null =>
    typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
  const temperature = field('temperature');
  const prices = field('prices');
  const price = (side: 'input' | 'output'): number =>
    typeof prices === 'object' && prices !== null ? (positive(Reflect.get(prices, side)) ?? 0) : 0;
  return {
    agent: PAGE_AGENTS.find((one) => one === field('agent')) ?? FRESH.agent,
    protocol: PROTOCOLS.find((one) => one === field('protocol')) ?? FRESH.protocol,
    endpoint: text('endpoint'),
    model: text('model'),
    keyFrom: (['none', 'env', 'typed'] as const).find((one) => one === field('keyFrom')) ?? FRESH.keyFrom,
    variable: text('variable'),
    coordinates: COORDINATES.find((one) => one === field('coordinates')) ?? FRESH.coordinates,
    temperature: isTemperature(temperature) ? temperature : null,
    rounds: Math.min(10_000, Math.ceil(positive(field('rounds')) ?? FRESH.rounds)),
    budget: positive(field('budget')),
    prices: { input: price('input'), output: price('output') },
  };
}

/** Whatever else `model` has is left out. */
export function keepModel(model: KeptModel): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(fitting(model)));
  } catch {
    // The browser keeps nothing: it is typed again the next time.
  }
}
