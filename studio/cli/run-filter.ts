import type { RunFilter } from '../../schemas/agents.ts';
import { StudioError } from '../../schemas/errors.ts';
import { parseList } from './values.ts';

/** Runs in words, as `runs --only` and `export --runs` take them. */

const HELP = ['alone', 'helped'] as const;
const OUTCOME = ['succeeded', 'failed', 'silent-wrong'] as const;
const NAMES = { task: 'tasks', agent: 'agents', model: 'models' } as const;

export const RUN_WORDS = [...HELP, ...OUTCOME, ...Object.keys(NAMES).map((name) => `${name}=NAME`)].join(', ');

/** `alone,succeeded,agent=minimal`; `all` is every run. Throws USAGE naming the option and the word. */
export function parseRunFilter(option: string, text: string): RunFilter {
  const filter: RunFilter = {};
  for (const word of parseList(text)) {
    const help = HELP.find((one) => one === word);
    const outcome = OUTCOME.find((one) => one === word);
    const [, name = '', value = ''] = /^(task|agent|model)=(.{1,500})$/.exec(word) ?? [];
    if (help && (filter.help ?? help) === help) filter.help = help;
    else if (outcome && (filter.outcome ?? outcome) === outcome) filter.outcome = outcome;
    else if (name === 'task' || name === 'agent' || name === 'model')
      filter[NAMES[name]] = [...(filter[NAMES[name]] ?? []), value];
    else if (word !== 'all') throw wrong(option, word, help !== undefined || outcome !== undefined);
  }
  return filter;
}

const wrong = (option: string, word: string, isSecond: boolean): StudioError =>
  new StudioError(
    'USAGE',
    isSecond
      ? `${option}: no run is two of ${[...HELP, ...OUTCOME].join(', ')} at once that exclude each other. Leave "${word}" or the other out.`
      : `${option} "${word.slice(0, 100)}" should be all, or some of these, separated by commas: ${RUN_WORDS}.`,
    { word: word.slice(0, 100) },
  );
