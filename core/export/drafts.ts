import { plural } from '../words.ts';
import { type ExportAction, type ExportTask, itemName } from './model.ts';
import { plainWords } from './plain.ts';

/** Fields of an export whose words a person took from a model's draft, as its manifest and card say them. */

export type DraftedField = { item: string; field: string; by: string; draft: string; edited: boolean };

/** In the order of the task. A title is of its subtask, all else of its action. */
export function draftsInManifest({ id, subtasks }: Pick<ExportTask, 'id' | 'subtasks'>): DraftedField[] {
  return subtasks.flatMap((subtask) => [
    ...fieldsOf(itemName(id, subtask.id), subtask.drafted),
    ...subtask.actions.flatMap((one) => fieldsOf(itemName(id, subtask.id, one.rank), one.drafted)),
  ]);
}

const fieldsOf = (item: string, drafted: ExportAction['drafted'] = {}): DraftedField[] =>
  Object.entries(drafted).map(([field, { by, draft, edited }]) => ({ item, field, by, draft, edited }));

/** Without it readers would take a model's words for a person's. */
export function draftLines(drafts: readonly DraftedField[]): string[] {
  if (drafts.length === 0) return [];
  const models = [...new Set(drafts.map(({ by }) => plainWords(by)))].sort();
  const edited = drafts.filter((one) => one.edited).length;
  return [
    `The words of ${plural(drafts.length, 'field')} were drafted by a model (${models.join(', ')}) and taken by a person, ${edited} of them edited; manifest.json names each (\`drafts\`).`,
  ];
}
