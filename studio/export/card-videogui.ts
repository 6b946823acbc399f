import { DATA_SETS, type DataSet } from '../../core/export/videogui/columns.ts';
import { plural } from '../../core/words.ts';
import type { DatasetTerms } from '../../schemas/dataset-terms.ts';
import { type CardHead, frontMatter } from './card.ts';
import { type CardConfigs, configText, infoText } from './card-configs.ts';

/** The cards of VideoGUI: one of the whole export, one in each data set's folder. */

/** `prefix`: the data set's folder with a slash, or empty inside of it. */
function config(dataSet: DataSet, name: string, prefix: string, isDefault: boolean): string {
  const files = dataSet.split === 'high_plan' ? 'high_plan/*/metadata.parquet' : `data/${dataSet.split}-*.parquet`;
  return configText({ name, files: [[dataSet.loadedAs, `${prefix}${files}`]], isDefault });
}

/** The card inside a data set's own folder, so that the folder can be put up as a repository of its own. */
export function dataSetCard(dataSet: DataSet, rows: number, terms?: DatasetTerms): string {
  return [
    frontMatter(dataSet.folder, rows === 0 ? [] : [config(dataSet, 'default', '', true)], { terms }),
    `# ${dataSet.folder}`,
    '',
    `${plural(rows, 'row')}, split \`${dataSet.loadedAs}\`.`,
    '',
    '| column | type |',
    '| --- | --- |',
    ...dataSet.columns.map(({ name, type }) => `| \`${name}\` | ${type} |`),
    '',
  ].join('\n');
}

const JSONL = 'videogui-jsonl/';

/** The configs of the parts that are JSON, from the card's place, and the types of their columns. */
function jsonConfigs(counts: Readonly<Record<string, number>>, prefix: string): CardConfigs {
  const has = (name: string): boolean => (counts[name] ?? 0) > 0;
  const names = Object.keys(counts)
    .filter((name) => name.startsWith(JSONL) && has(name))
    .map((name) => name.slice(JSONL.length));
  return {
    configs: names.map((name, index) =>
      configText({ name, files: [['train', `${prefix}${name}.jsonl`]], isDefault: index === 0 }),
    ),
    info: names.flatMap((name) => infoText({ name, schema: `videogui-${name}` })),
  };
}

/**
 * `counts`: what was written, by part and data set. What has no rows cannot be loaded, and has no config. A loader takes one
 * kind of file a card, so JSON Lines beside Parquet have the card in their own folder alone.
 */
export function videoguiCard(counts: Readonly<Record<string, number>>): CardHead {
  const dataSets = DATA_SETS.filter(({ folder }) => (counts[folder] ?? 0) > 0);
  const configs = dataSets.map((dataSet, index) => config(dataSet, dataSet.split, `${dataSet.folder}/`, index === 0));
  return {
    name: 'VideoGUI',
    heading: 'Recorded demonstrations in the layout of VideoGUI',
    ...(configs.length > 0 ? { configs } : jsonConfigs(counts, JSONL)),
    about: [],
  };
}

/** The card in the folder of the JSON Lines. */
export function jsonlCard(counts: Readonly<Record<string, number>>, terms?: DatasetTerms): string {
  const { configs, info } = jsonConfigs(counts, '');
  return [
    frontMatter('VideoGUI as JSON Lines', configs, { info, terms }),
    '# VideoGUI as JSON Lines',
    '',
    '`load_dataset(<this folder>, "action")`; also `task`, `high_plan`, `mid_plan`. Paths of pictures begin in this folder.',
    '',
  ].join('\n');
}
