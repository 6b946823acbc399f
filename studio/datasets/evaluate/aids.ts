import { makeQuestions, type QuestionAid } from '../../../core/evaluate/questions.ts';
import type { ExportTask } from '../../../core/export/model.ts';
import type { AidElement } from '../../../schemas/aids.ts';
import type { Aid, UsedAid } from '../../../schemas/questions.ts';
import { type AidedQuestion, readAidsFile } from './aids-file.ts';
import { type Hasher, sha256 } from './data-set.ts';
import { textFinder } from './ocr.ts';
import type { LoadedPrompts } from './prompt-files.ts';
import { edgeFinder } from './spread.ts';

/** Elements for questions with an aid (M26, M27): of a file, or found here. The truth has no part in it. */

export type AidWish = {
  kind: Aid;
  /** Elements that somebody else found; null: by edges (som), by tesseract (ocr). */
  file: string | null;
};
export type AidTools = {
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
};
export type GatheredAid = QuestionAid & { used: UsedAid };

/** The name of a picture beside questions; what `--aids` calls it. */
export const pictureName = (hash: string): string => hash.slice(0, 32);

/** Throws BAD_FILE (a wrong line, a picture that cannot be read), NO_LIBRARY (no tesseract), CANCELLED. */
export async function gatherAid(
  tasks: readonly ExportTask[],
  { kind, file }: AidWish,
  { prompts }: LoadedPrompts,
  hash: Hasher,
  tools: AidTools,
): Promise<GatheredAid> {
  const { questions } = makeQuestions(tasks, 'action', { prompts, scrollOrder: 'table27', seed: 0 });
  const paths = new Map<string, string>();
  const asked = questions.flatMap(({ question: { id, truth }, pictures }): AidedQuestion[] => {
    const [picture] = pictures;
    if (!picture || (truth.kind !== 'click' && truth.kind !== 'drag')) return [];
    const name = pictureName(hash(picture.path));
    paths.set(name, picture.path);
    return [{ id, picture: name, width: truth.width, height: truth.height }];
  });
  const { source, elements } = file === null ? await findElements(kind, paths, tools) : readAidsFile(file, asked);
  const byQuestion = new Map(asked.map((one) => [one.id, elements(one)]));
  const used: UsedAid = { kind, source, hash: sha256(JSON.stringify([...byQuestion])) };
  return { kind, used, elements: (question) => byQuestion.get(question) ?? [] };
}

/** Each picture once, however many questions are about it. */
async function findElements(
  kind: Aid,
  paths: ReadonlyMap<string, string>,
  { signal, onProgress }: AidTools,
): Promise<{ source: string; elements(question: AidedQuestion): readonly AidElement[] }> {
  const finder = kind === 'som' ? edgeFinder(signal) : textFinder(signal);
  const found = new Map<string, AidElement[]>();
  try {
    for (const [name, path] of paths) {
      signal?.throwIfAborted();
      onProgress?.(found.size, paths.size);
      found.set(name, await finder.find(path));
    }
  } finally {
    await finder.close();
  }
  onProgress?.(paths.size, paths.size);
  return { source: kind === 'som' ? 'edges' : 'tesseract', elements: ({ picture }) => found.get(picture) ?? [] };
}
