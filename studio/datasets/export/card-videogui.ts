import { DATA_SETS, type DataSet } from '../../../core/export/videogui/columns.ts';
import { plural } from '../../../core/words.ts';
import type { DatasetTerms } from '../../../schemas/dataset-terms.ts';
import { type CardHead, frontMatter } from './card.ts';
import { type CardConfig, configText, infoText, joined, loadedName } from './card-configs.ts';
import { countsIn } from './split-folders.ts';

/** The cards of VideoGUI: one of the whole export, one in each data set's folder. */

/** `prefix`: the data set's folder with a slash, or empty inside of it; `loadedAs`: the split that its rows are. */
function config(
  dataSet: DataSet,
  name: string,
  prefix: string,
  { isDefault, loadedAs = dataSet.loadedAs }: { isDefault: boolean; loadedAs?: string | undefined },
): CardConfig {
  const files = dataSet.split === 'high_plan' ? 'high_plan/*/metadata.parquet' : `data/${dataSet.split}-*.parquet`;
  return { name, files: [[loadedAs, `${prefix}${files}`]], isDefault };
}

/** The card inside a data set's own folder, so that the folder can be put up as a repository of its own. */
export function dataSetCard(dataSet: DataSet, rows: number, split: string | null, terms?: DatasetTerms): string {
  const loadedAs = split === null ? dataSet.loadedAs : loadedName(split);
  const configs = rows === 0 ? [] : [configText(config(dataSet, 'default', '', { isDefault: true, loadedAs }))];
  return [
    frontMatter(dataSet.folder, configs, { terms }),
    `# ${dataSet.folder}`,
    '',
    `${plural(rows, 'row')}, split \`${loadedAs}\`.`,
    '',
    '| column | type |',
    '| --- | --- |',
    ...dataSet.columns.map(({ name, type }) => `| \`${name}\` | ${type} |`),
    '',
  ].join('\n');
}

const JSONL = 'videogui-jsonl/';

/** The configs of the parts that are JSON, from the card's place. */
function jsonConfigs(counts: Readonly<Record<string, number>>, prefix: string, loadedAs = 'train'): CardConfig[] {
  const names = Object.keys(counts)
    .filter((name) => name.startsWith(JSONL) && (counts[name] ?? 0) > 0)
    .map((name) => name.slice(JSONL.length));
  return names.map((name, index) => ({
    name,
    files: [[loadedAs, `${prefix}${name}.jsonl`]],
    isDefault: index === 0,
    schema: `videogui-${name}`,
  }));
}

/** A loader takes one kind of file a card, so JSON Lines beside Parquet have the card in their own folder alone. */
function configsOf(counts: Readonly<Record<string, number>>, withParquet: boolean): CardConfig[] {
  if (!withParquet) return jsonConfigs(counts, JSONL);
  return DATA_SETS.filter(({ folder }) => (counts[folder] ?? 0) > 0).map((dataSet, index) =>
    config(dataSet, dataSet.split, `${dataSet.folder}/`, { isDefault: index === 0 }),
  );
}

/** `counts`: what was written, by part and data set; `folders`: those of splits. What has no rows cannot be loaded, and has no config. */
export function videoguiCard(counts: Readonly<Record<string, number>>, folders: readonly string[] = []): CardHead {
  const withParquet = DATA_SETS.some(({ folder }) =>
    Object.entries(counts).some(([name, count]) => count > 0 && (name === folder || name.endsWith(`/${folder}`))),
  );
  const configs =
    folders.length === 0
      ? configsOf(counts, withParquet)
      : joined(folders.map((split) => [split, configsOf(countsIn(counts, split), withParquet)]));
  return {
    name: 'VideoGUI',
    heading: 'Recorded demonstrations in the layout of VideoGUI',
    configs: configs.map(configText),
    info: configs.flatMap(infoText),
    about: [],
  };
}

/** The card in the folder of the JSON Lines. */
export function jsonlCard(
  counts: Readonly<Record<string, number>>,
  split: string | null,
  terms?: DatasetTerms,
): string {
  const configs = jsonConfigs(counts, '', split === null ? undefined : loadedName(split));
  return [
    frontMatter('VideoGUI as JSON Lines', configs.map(configText), { info: configs.flatMap(infoText), terms }),
    '# VideoGUI as JSON Lines',
    '',
    '`load_dataset(<this folder>, "action")`; also `task`, `high_plan`, `mid_plan`. Paths of pictures begin in this folder.',
    '',
  ].join('\n');
}
