import { type Command, Option } from 'commander';
import { FORMATS } from '../../../core/export/formats.ts';
import { plural } from '../../../core/words.ts';
import type { RunFilter } from '../../../schemas/agents.ts';
import type { ExportWishes } from '../../../schemas/api/datasets.ts';
import { type ProofState, proofSchema } from '../../../schemas/dataset.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { ExportProgress, ExportResult } from '../../datasets/export/run.ts';
import { type CliContext, examples } from '../context.ts';
import { parseRunFilter, RUN_WORDS } from '../run-filter.ts';
import { untilStopped } from '../stop.ts';
import { megabytes } from '../table.ts';
import { parseList } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';
import { exportSkill } from './skill.ts';

type Choice = [name: string, value: string];
type Options = WorkspaceOption & {
  out: string;
  all?: boolean;
  version?: string;
  recordings: 'one' | 'every';
  proof?: string[];
  runs?: RunFilter;
  steps?: 'agent' | 'person';
  parts?: string[];
  scrollSign?: string;
  set: Choice[];
  name?: string;
};

/** `export`: writes the approved recordings as data sets. */
export function register(program: Command, context: CliContext): void {
  const names = FORMATS.map(({ name }) => name).join(', ');
  const command = program
    .command('export <formats> [recordings...]')
    .description(
      `write the approved recordings as a data set; formats (several by commas): ${names}; or as skills for agents: skill, of all or of the recordings or tasks that are named`,
    )
    .requiredOption(
      '--out <dir>',
      'the folder to write, or s3://BUCKET/PREFIX; it must be missing or empty. Several formats get a folder each in it',
    )
    .option('--all', 'recordings of every state, not only approved ones')
    .addOption(
      new Option(
        '--recordings <which>',
        'of a task with several: one (whose work is furthest), or every one, as PPT_15, PPT_15-2, …',
      )
        .choices(['one', 'every'])
        .default('one'),
    )
    .option(
      '--proof <words>',
      `only what \`verify\` said this of, separated by commas: ${proofSchema.options.join(', ')}`,
      parseList,
    )
    .option(
      '--runs <words>',
      `runs of models in the place of demonstrations: all, or some of ${RUN_WORDS}, separated by commas`,
      (text) => parseRunFilter('--runs', text),
    )
    .addOption(
      new Option('--steps <whose>', "only an agent's steps, or a person's who took it over").choices([
        'agent',
        'person',
      ]),
    )
    .option('--version <name>', 'a frozen version of the data set, see `dataset versions`')
    .option('--parts <list>', 'parts of the format, separated by commas; see `formats`', parseList)
    .option('--scroll-sign <sign>', 'VideoGUI: the sign of scroll_value, up-positive or down-positive')
    .option('--set <name=value>', 'an option of the format, see `formats`; may be repeated', parseChoice, [])
    .option('--name <name>', "a skill's name: a-z, 0-9 and -, of one task")
    .action(async (formats: string, recordings: string[], options: Options) => {
      if (formats === 'skill') return await exportSkill(recordings, options, context);
      if (recordings.length > 0 || options.name !== undefined)
        throw new StudioError('USAGE', `Recordings and --name are for skills alone: export skill …`, { formats });
      const { requestsOf, runExport } = await import('../../datasets/export/exports.ts');
      const wished = wishedOf(parseList(formats), options, requestsOf);
      await inWorkspace(options.workspace, async (workspace) => {
        const { all = false, recordings } = options;
        const proof = options.proof && proofOf(options.proof);
        const { steps } = options;
        const wishes = {
          formats: wished,
          source: sourceOf(options),
          all,
          recordings,
          ...(proof && { proof }),
          ...(steps && { steps }),
        };
        const onProgress = progressLines(context);
        const results = await untilStopped((signal) =>
          runExport(workspace, wishes, options.out, { toolVersion: context.version, onProgress, signal }),
        );
        const said = results.map(jsonOf);
        context.result(results.length === 1 ? said[0] : { exports: said }, results.map(textOf).join('\n'));
      });
    });
  workspaceOption(command);
  examples(command, [
    ['export videogui --workspace W --out data', 'the three VideoGUI data sets of everything approved'],
    ['export videogui --workspace W --out data --version v1.0', 'a frozen version, the same bytes every time'],
    ['export videogui --workspace W --out data --all --parts parquet,jsonl', 'everything, also as JSON Lines'],
    ['export videogui --workspace W --out data --proof proven', 'only tasks that work when they are played again'],
    ['export atif --workspace W --out runs --runs helped --steps person', 'what people corrected in runs of models'],
    ['export agentnet,ms-swift,coco --workspace W --out data', 'three formats at once, which share their pictures'],
    [
      'export lerobot --workspace W --out s3://lab/v1',
      'to S3, with the keys of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ],
    ['export skill GIMP_1 --workspace W --out skills', 'a task as a skill for agents, of all its recordings'],
    ['export llamafactory --workspace W --out data --set samples=step', 'a conversation a step instead of one a task'],
  ]);
}

/** Throws USAGE for a version and runs at once. */
function sourceOf({ version, runs }: Options): ExportWishes['source'] {
  if (version !== undefined && runs)
    throw new StudioError('USAGE', 'A version holds demonstrations: leave --version or --runs out.', { version });
  if (runs) return { kind: 'runs', filter: runs };
  return version === undefined ? { kind: 'filter', filter: {} } : { kind: 'version', name: version };
}

/** Throws USAGE for a word that `verify` does not say. */
function proofOf(words: readonly string[]): ProofState[] {
  return words.map((word) => {
    const known = proofSchema.options.find((one) => one === word);
    if (known) return known;
    throw new StudioError('USAGE', `--proof "${word}" should be one of ${proofSchema.options.join(', ')}.`, {
      proof: word,
    });
  });
}

/** `samples=step`, or `llamafactory.samples=step` for one of several formats. */
function parseChoice(text: string, before: Choice[]): Choice[] {
  const at = text.indexOf('=');
  if (at > 0) return [...before, [text.slice(0, at).trim(), text.slice(at + 1).trim()]];
  throw new StudioError('USAGE', `--set "${text}" should be of the form NAME=VALUE, see \`formats\`.`, { set: text });
}

type Wished = ExportWishes['formats'];

/** Throws UNKNOWN_FORMAT, USAGE (no format, choices that none of them has), and what `check` throws. */
function wishedOf(
  names: readonly string[],
  { parts, scrollSign, set }: Options,
  check: (wishes: { formats: Wished }) => unknown,
): Wished {
  const choices: Choice[] = [...(scrollSign === undefined ? [] : [['scrollSign', scrollSign] as Choice]), ...set];
  const taken = new Set<Choice>();
  const formats = [...new Set(names)].map((name) => {
    const info = FORMATS.find((format) => format.name === name);
    const mine = choices.flatMap((choice): Choice[] => {
      const [option, value] = choice;
      const own = option.startsWith(`${name}.`) ? option.slice(name.length + 1) : option;
      const has = info?.options.some((each) => each.name === own) === true;
      if (!has && own === option && names.length > 1) return [];
      if (!has && option.includes('.') && own === option) return [];
      taken.add(choice);
      return [[own, value]];
    });
    const some = parts && (names.length === 1 || (info?.parts.length ?? 0) > 0);
    return { name, ...(some && { parts }), options: Object.fromEntries(mine) };
  });
  if (formats.length === 0) throw new StudioError('USAGE', 'Name at least one format, see `formats`.');
  check({ formats });
  const stranger = choices.find((choice) => !taken.has(choice));
  if (stranger) {
    const message = `None of ${names.join(', ')} has an option "${stranger[0]}", see \`formats\`.`;
    throw new StudioError('USAGE', message, { option: stranger[0] });
  }
  return formats;
}

/** A line a task; the pictures in between would be thousands. */
function progressLines(context: CliContext): (progress: ExportProgress) => void {
  let task = -1;
  return ({ done, total, step }) => {
    if (Math.floor(done) === task) return;
    task = Math.floor(done);
    if (task < total) context.progress(`Task ${task + 1} of ${total}: ${step}`);
  };
}

function jsonOf({ format, out, counts, proof, files, bytes, leftOut }: ExportResult) {
  return { format, out, counts, proof, files: files.length, bytes, leftOut };
}

function textOf({ format, out, counts, proof, files, bytes, leftOut }: ExportResult): string {
  return [
    `Wrote ${out}: ${plural(files.length, 'file')}, ${megabytes(bytes)}.`,
    ...Object.entries(counts).map(([name, count]) => `  ${name}: ${count}`),
    ...(proof === null ? [] : [`  ${proof}`]),
    ...leftOut.map(({ item, from, reason }) => `  left out: ${item} (${from}): ${reason}`),
    `Check it: npm run studio -- validate ${format} ${out}`,
  ].join('\n');
}
