import { AID_NAMES } from '../../core/evaluate/aids.ts';
import type { QuestionSet } from '../../schemas/api/evaluate.ts';
import { tr } from '../language/tr.ts';
import { kindCounts } from '../ui/kinds.ts';

/** Which files of a question set are scored together. A click is asked once for each aid, so one aid a run. */

type File = QuestionSet['files'][number];

/** Everything without an aid; when all clicks and drags have one, those of the first. */
export function firstFiles(set: QuestionSet): string[] {
  const plain = set.files.some(({ level, aid }) => level === 'action' && aid === null);
  const aid = plain ? null : (set.files.find((file) => file.aid)?.aid?.hash ?? null);
  return set.files.filter((file) => file.aid === null || file.aid.hash === aid).map(({ file }) => file);
}

/** The choice after a click: a file that came in with another aid sends the others of its level out. */
export function withOneAid(set: QuestionSet, before: readonly string[], after: readonly string[]): string[] {
  const added = set.files.find(({ file }) => after.includes(file) && !before.includes(file));
  const fits = (file: File | undefined): boolean =>
    added?.level !== 'action' || file?.level !== 'action' || file.aid?.hash === added.aid?.hash;
  return after.filter((name) => fits(set.files.find(({ file }) => file === name)));
}

/** `action-som.jsonl (12 click, 2 drag), with SoM by edges`. */
export function fileLabel({ file, counts, aid }: File): string {
  const counted = kindCounts(Object.entries(counts));
  if (!aid) return `${file} (${counted})`;
  return tr('{file} ({counted}), with {aid} by {source}', {
    file,
    counted,
    aid: AID_NAMES[aid.kind],
    source: aid.source,
  });
}
