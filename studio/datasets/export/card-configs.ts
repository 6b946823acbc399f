import type { FormatName } from '../../../core/export/formats.ts';
import { featureLines } from './card-features.ts';
import { METADATA } from './grounding.ts';
import { countsIn } from './split-folders.ts';
import { PICTURES, SHARDS } from './webdataset.ts';

/**
 * `configs` of a card's front matter: with them `load_dataset(<folder>)` finds rows where it would else take the pictures
 * alone. Only for files that have rows; `counts` are the format's, by file.
 */

/** One config: what it is called, its files by split, and what the loader of its files is told. */
export type CardConfig = {
  name: string;
  files: readonly (readonly [split: string, path: string])[];
  isDefault?: boolean;
  /** The list inside of a JSON file that is the rows. */
  field?: string;
  /** The file in schemas/export-files.ts that says what the columns are. */
  schema?: string;
  /** The samples of a WebDataset: what the schema says is the column `json`, and these are pictures. */
  pictures?: readonly string[];
};

/** The front matter's two lists, without their names. */
export type CardConfigs = { configs: string[]; info: string[] };

/** `dataset_info` of configs whose files are JSON; nothing for those whose types cannot be told beforehand. */
export function infoText({ name, schema, field, pictures }: Omit<CardConfig, 'files'>): string[] {
  const told = schema === undefined ? [] : featureLines(schema, pictures ? '    ' : '  ', field);
  const features = pictures && told.length > 0 ? sampleLines(told, pictures) : told;
  return features.length === 0 ? [] : [`- config_name: ${name}`, '  features:', ...features];
}

/** The columns of a WebDataset, as Hugging Face's loader makes them of a sample's files. */
function sampleLines(json: readonly string[], pictures: readonly string[]): string[] {
  const column = (name: string, type: string): string[] => [`  - name: ${name}`, `    dtype: ${type}`];
  return [
    ...pictures.flatMap((ending) => column(ending, 'image')),
    '  - name: json',
    '    struct:',
    ...json,
    ...column('__key__', 'string'),
    ...column('__url__', 'string'),
  ];
}

export function configText({ name, files, isDefault = false, field }: CardConfig): string {
  return [
    `- config_name: ${name}`,
    ...(isDefault ? ['  default: true'] : []),
    ...(field === undefined ? [] : [`  field: ${field}`]),
    '  data_files:',
    ...files.flatMap(([split, path]) => [`  - split: ${split}`, `    path: "${path}"`]),
  ].join('\n');
}

/** Rows that are not split are loaded as this. */
const ALL = 'train';
type Counts = Readonly<Record<string, number>>;
const ENDING = `${PICTURES}.`;
const one = (path: string, schema: string): CardConfig => ({ name: 'default', files: [[ALL, path]], schema });

/** A config a file, the first one by default. */
function each(counts: Counts, names: readonly string[]): CardConfig[] {
  return names
    .filter((name) => (counts[`${name}.jsonl`] ?? 0) > 0)
    .map((name, index) => ({
      name,
      files: [[ALL, `${name}.jsonl`]],
      isDefault: index === 0,
      schema: `ms-swift-${name}`,
    }));
}

/** Hugging Face's names of splits have no dash, `all` means every one of them, and each stands once. */
function loadedNames(splits: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const split of splits) {
    const plain = split === 'all' ? 'all_' : split.replaceAll('-', '_');
    let name = plain;
    for (let number = 2; taken.has(name); number++) name = `${plain}_${number}`;
    taken.add(name);
    names.set(split, name);
  }
  return names;
}

/** A split by itself, as its own card names it. */
export const loadedName = (split: string): string => loadedNames([split]).get(split) ?? split;

const CONFIGS: Readonly<Record<Exclude<FormatName, 'videogui'>, (counts: Counts) => CardConfig[]>> = {
  agentnet: () => [one('agentnet.jsonl', 'agentnet')],
  opencua: () => [one('opencua.jsonl', 'opencua')],
  agentnetbench: () => [one('data/*.json', 'agentnetbench')],
  // The runs themselves have values of several kinds in one place, which no table holds.
  atif: () => [one('runs.jsonl', 'atif-runs')],
  osworld: () => [one('runs.jsonl', 'osworld-runs')],
  'ms-swift': (counts) => each(counts, ['messages', 'trajectory', 'grounding', 'candidates', 'pairs']),
  llamafactory: () => [one('trajectories.jsonl', 'llamafactory')],
  screenspot: () => [one('screenspot_desktop.json', 'screenspot')],
  'screenspot-pro': () => [one('annotations/*.json', 'screenspot-pro')],
  coco: () =>
    ['annotations', 'images', 'categories'].map((field, index) => ({
      name: field,
      files: [[ALL, 'annotations/instances.json']],
      isDefault: index === 0,
      field,
      schema: 'coco',
    })),
  // Left to itself, the loader guesses the types from the first five samples, where a column may be null throughout.
  webdataset: (counts) => [
    {
      ...one(SHARDS, 'webdataset'),
      pictures: Object.keys(counts).flatMap((name) => (name.startsWith(ENDING) ? [name.slice(ENDING.length)] : [])),
    },
  ],
  'cua-verifier-bench': (counts) =>
    ['trajectories', 'annotations'].map((name, at) => ({
      name,
      files: Object.keys(counts).flatMap((file) => (file.startsWith(`${name}/`) ? [[ALL, file] as const] : [])),
      isDefault: at === 0,
    })),
  lerobot: () => [{ name: 'default', files: [[ALL, 'data/*/*.parquet']] }],
  videocua: () => [one('data/*/*/action_log.json', 'videocua')],
  groundcua: () => [
    { ...one('data/*/*.json', 'groundcua'), name: 'elements', isDefault: true },
    { ...one('instructions.json', 'groundcua-instructions'), name: 'instructions' },
  ],
  imagefolder: (counts) => [{ name: 'default', files: [[ALL, METADATA in counts ? '**' : `${ALL}/**`]] }],
};

/** Whether anything was written that could be loaded. */
const hasRows = (counts: Counts): boolean =>
  Object.entries(counts).some(([name, count]) => count > 0 && /\.(?:jsonl?|parquet|tar)$/.test(name));

/** `folders`: those of splits; each file is then that split's own, in its folder. */
export function configsOf(
  format: Exclude<FormatName, 'videogui'>,
  counts: Counts,
  folders: readonly string[] = [],
): CardConfigs {
  const of = (some: Counts): CardConfig[] => {
    const loadable = format === 'coco' ? (some.annotations ?? 0) > 0 : hasRows(some);
    return loadable ? CONFIGS[format](some) : [];
  };
  const configs =
    folders.length === 0 ? of(counts) : joined(folders.map((split) => [split, of(countsIn(counts, split))]));
  return { configs: configs.map(configText), info: configs.flatMap(infoText) };
}

/** One config a name, with the files of each split under the split's own name; the first is loaded by default. */
export function joined(splits: readonly (readonly [split: string, configs: readonly CardConfig[]])[]): CardConfig[] {
  const names = loadedNames(splits.map(([split]) => split));
  const found = new Map<string, CardConfig>();
  for (const [split, configs] of splits) {
    for (const { files, ...config } of configs) {
      const own = files.map(([, file]) => [names.get(split)!, `${split}/${file}`] as const);
      found.set(config.name, { ...config, files: [...(found.get(config.name)?.files ?? []), ...own] });
    }
  }
  const several = found.size > 1;
  return [...found.values()].map((config, at) => ({ ...config, isDefault: several && at === 0 }));
}
