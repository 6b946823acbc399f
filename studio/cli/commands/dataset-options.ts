import { type Command, Option } from 'commander';
import { actionKindSchema } from '../../../schemas/actions.ts';
import { type DatasetFilter, datasetFilterSchema } from '../../../schemas/dataset.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { RECORDING_STATES } from '../../store/tables.ts';
import { parseList, wrongValue } from '../values.ts';

/** The data set's filter as options, the same for every command. */

export type FilterOptions = {
  app?: string[];
  state?: string[];
  agreement?: string;
  steps?: string;
  seconds?: string;
  kind?: string[];
  resolution?: string[];
  person?: string[];
  tag?: string[];
  withoutTag?: string[];
  split?: string[];
  words?: string;
  task?: string[];
};

export const list = (text: string, before: string[] = []): string[] => [...before, ...parseList(text)];

/** Options that take a list may be repeated, or take several by commas. */
export function filterOptions(command: Command): Command {
  return command
    .option('--app <ids>', 'of this software', list)
    .addOption(new Option('--state <states>', `in this state: ${RECORDING_STATES.join(', ')}`).argParser(list))
    .option('--agreement <range>', 'agreement between annotators, such as 0.8- or 0.5-0.9')
    .option('--steps <range>', 'kept steps, such as 3-20, 5- or -10')
    .option('--seconds <range>', 'length of the demonstration')
    .option('--kind <kinds>', `with such a step: ${actionKindSchema.options.join(', ')}`, list)
    .option('--resolution <sizes>', 'such as 1920x1080', list)
    .option('--person <names>', 'who demonstrated or annotated; none: nobody is named', list)
    .option('--tag <tags>', 'with all of these tags', list)
    .option('--without-tag <tags>', 'with none of these tags', list)
    .option('--split <splits>', 'in this split; none: in no split', list)
    .option('--words <text>', 'each word stands in the id, the goal or a tag')
    .option('--task <ids>', 'of this task', list);
}

/** Throws USAGE naming the option. */
export function filterOf(options: FilterOptions): DatasetFilter {
  const { app, kind, person, resolution, split, tag, withoutTag, state, words, task } = options;
  const filter = {
    ...(app && { software: app }),
    ...(state && { state }),
    ...(options.agreement !== undefined && { agreement: rangeOf('--agreement', options.agreement) }),
    ...(options.steps !== undefined && { steps: rangeOf('--steps', options.steps) }),
    ...(options.seconds !== undefined && { seconds: rangeOf('--seconds', options.seconds) }),
    ...(kind && { kinds: kind }),
    ...(resolution && { resolutions: resolution }),
    ...(person && { people: person.map(noneIsNull) }),
    ...(tag && { tags: tag }),
    ...(withoutTag && { withoutTags: withoutTag }),
    ...(split && { splits: split.map(noneIsNull) }),
    ...(words !== undefined && { words }),
    ...(task && { tasks: task }),
  };
  const parsed = datasetFilterSchema.safeParse(filter);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = String(issue?.path[0] ?? 'filter');
  const option = field === 'kinds' ? 'kind' : field;
  throw new StudioError('USAGE', `--${option} cannot be taken: ${issue?.message ?? 'it does not fit'}.`, { option });
}

const noneIsNull = (text: string): string | null => (text === 'none' ? null : text);

function rangeOf(option: string, text: string): { min?: number; max?: number } {
  const match = /^(\d+(?:\.\d+)?)?\s*-\s*(\d+(?:\.\d+)?)?$/.exec(text.trim());
  const [min, max] = [match?.[1], match?.[2]];
  if (match && (min !== undefined || max !== undefined) && (!min || !max || Number(min) <= Number(max))) {
    return { ...(min !== undefined && { min: Number(min) }), ...(max !== undefined && { max: Number(max) }) };
  }
  if (/^\d+(?:\.\d+)?$/.test(text.trim())) return { min: Number(text), max: Number(text) };
  throw wrongValue(option, text, 'a range such as 3-20, 5- or -10');
}
