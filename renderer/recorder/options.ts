import type { PageSettings } from '../client/settings.ts';

/** How one recorded the last time: the setting `recorder`. */
export type RecordOptions = {
  fps: number;
  countdown: number;
  exclude: string[];
  only: string[];
  secretPrograms: string[];
  /** null: never chosen. */
  elements: boolean | null;
  elementNames: boolean;
  person: string | null;
};
export const FIRST_OPTIONS: RecordOptions = {
  fps: 30,
  countdown: 3,
  exclude: [],
  only: [],
  secretPrograms: [],
  elements: null,
  elementNames: true,
  person: null,
};

/** The options of the last time, each within what the API takes; what does not fit is as in the beginning. */
export function optionsOf(settings: PageSettings): RecordOptions {
  const value = settings.recorder;
  if (typeof value !== 'object' || value === null) return FIRST_OPTIONS;
  const get = (key: string): unknown => (key in value ? value[key as keyof typeof value] : undefined); // an object of JSON
  const whole = (key: 'fps' | 'countdown', least: number, most: number): number => {
    const found = get(key);
    return typeof found === 'number' && Number.isInteger(found) && found >= least && found <= most
      ? found
      : FIRST_OPTIONS[key];
  };
  const words = (key: 'exclude' | 'only' | 'secretPrograms'): string[] => {
    const found = get(key);
    return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string').slice(0, 50) : [];
  };
  const [person, elements] = [get('person'), get('elements')];
  return {
    fps: whole('fps', 5, 60),
    countdown: whole('countdown', 0, 60),
    exclude: words('exclude'),
    only: words('only'),
    secretPrograms: words('secretPrograms'),
    elements: typeof elements === 'boolean' ? elements : null,
    elementNames: get('elementNames') !== false,
    person: typeof person === 'string' ? person : null,
  };
}
