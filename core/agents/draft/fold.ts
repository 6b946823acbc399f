import type { AnnotationRecord, DraftOrigin, StoredTransaction } from '../../../schemas/annotation.ts';
import type { DraftField, DraftLine, RejectedLine } from '../../../schemas/draft.ts';
import type { Records } from '../../annotate/document.ts';
import { draftableTexts, originsOf, withOrigins } from '../../annotate/origins.ts';

/** The drafts of a recording as they stand, and what became of them: all from logs, so that no kill can part the two. */

/**
 * `open`: nobody answered; `taken`: the field says what the draft says; `edited`: somebody took it and wrote on; `rejected`.
 */
type DraftState = 'open' | 'taken' | 'edited' | 'rejected';

/** `id`: the number of its log, the field and the action. `doubt`: of the reflector `doubtedBy`. */
export type ModelDraft = {
  id: string;
  action: string;
  field: DraftField;
  text: string | null;
  by: string;
  at: string;
  doubt: string | null;
  doubtedBy: string | null;
};

/** Every draft of these logs, the oldest first; lines of a log belong to its head. */
export function everyDraft(logs: readonly { number: number; lines: readonly DraftLine[] }[]): ModelDraft[] {
  const drafts = new Map<string, ModelDraft>();
  for (const { number, lines } of logs) {
    let head: { by: string; at: string } | null = null;
    for (const line of lines) {
      if (line.type === 'begun') head = { by: line.head.by, at: line.at };
      if (line.type === 'drafted' && head) {
        const { action, field, text } = line;
        const id = `${number}:${field}:${action}`;
        drafts.set(id, { id, action, field, text, ...head, doubt: null, doubtedBy: null });
      }
      if (line.type === 'reflected') {
        const of = newestFor(drafts, line.action, line.field);
        if (of) drafts.set(of.id, { ...of, doubt: line.doubt, doubtedBy: line.by });
      }
    }
  }
  return [...drafts.values()];
}

function newestFor(drafts: ReadonlyMap<string, ModelDraft>, action: string, field: DraftField): ModelDraft | undefined {
  return [...drafts.values()].findLast((one) => one.action === action && one.field === field && one.text !== null);
}

/** One draft for each field: the newest, but one that somebody answered stays. */
export function draftsNow(drafts: readonly ModelDraft[], isAnswered: (draft: ModelDraft) => boolean): ModelDraft[] {
  const now = new Map<string, ModelDraft>();
  for (const draft of drafts) {
    const key = `${draft.field}:${draft.action}`;
    const known = now.get(key);
    if (!known || !isAnswered(known)) now.set(key, draft);
  }
  return [...now.values()].filter(({ text }) => text !== null);
}

/** A record's texts in the fields that drafts are for. */
function draftedFields(record: AnnotationRecord): { action: string; field: DraftField; text: string }[] {
  const action = record.kind === 'subtask' ? record.first : 'action' in record ? record.action : '';
  // Its keys are fields of drafts, by its type.
  return Object.entries(draftableTexts(record)).map(([field, text]) => ({ action, field: field as DraftField, text }));
}

const keyOf = ({ action, field }: { action: string; field: DraftField }): string => `${field}:${action}`;

/**
 * The state of each draft in one document. A draft counts as taken where the field keeps it as its origin, and where its very
 * words came into the field after it was made, whatever key brought them: who has a draft before them and writes the same is no witness of their own. What was undone was
 * not taken.
 */
export function draftStates(
  drafts: readonly ModelDraft[],
  records: Records,
  history: readonly StoredTransaction[],
  rejected: readonly Pick<RejectedLine, 'draft' | 'rejected'>[],
): Map<string, DraftState> {
  const standing = new Map<string, Set<string>>();
  for (const record of records.values()) for (const one of draftedFields(record)) put(standing, keyOf(one), one.text);
  const undone = new Set(history.flatMap(({ undoes }) => undoes ?? []));
  for (const { redoes } of history) if (redoes !== null) undone.delete(redoes);
  const came = new Map<string, { text: string; at: string }[]>();
  for (const { id, at, undoes, changes } of history) {
    if (undone.has(id) || undoes !== null) continue;
    for (const change of changes) {
      if (change.op === 'remove') continue;
      const before = change.op === 'change' ? draftedFields(change.before) : [];
      for (const one of draftedFields(change.op === 'change' ? change.after : change.record)) {
        if (before.some(({ field, text }) => field === one.field && text === one.text)) continue;
        const key = keyOf(one);
        came.set(key, [...(came.get(key) ?? []), { text: one.text, at }]);
      }
    }
  }
  const isRejected = new Map(rejected.map((line) => [line.draft, line.rejected]));
  const kept = new Map<string, DraftState>();
  for (const record of records.values())
    for (const { draft, edited } of Object.values(originsOf(record))) kept.set(draft, edited ? 'edited' : 'taken');
  return new Map(
    drafts.map((draft): [string, DraftState] => {
      const known = kept.get(draft.id);
      if (known !== undefined) return [draft.id, known];
      const key = keyOf(draft);
      const wasTaken = came.get(key)?.some(({ text, at }) => text === draft.text && at >= draft.at) === true;
      if (!wasTaken) return [draft.id, isRejected.get(draft.id) === true ? 'rejected' : 'open'];
      if (standing.get(key)?.has(draft.text ?? '') === true) return [draft.id, 'taken'];
      // Written away altogether is no edit of it.
      return [draft.id, standing.has(key) ? 'edited' : 'rejected'];
    }),
  );
}

function put(map: Map<string, Set<string>>, key: string, text: string): void {
  const known = map.get(key) ?? new Set();
  known.add(text);
  map.set(key, known);
}

/** The records with the origin of each draft that was taken, where they do not keep one of their own (N13). */
export function originsOfAnswers(
  records: Records,
  drafts: readonly ModelDraft[],
  states: ReadonlyMap<string, DraftState>,
): Records {
  const taken = new Map<string, DraftOrigin>();
  for (const draft of drafts) {
    const state = states.get(draft.id);
    if (state !== 'taken' && state !== 'edited') continue;
    taken.set(keyOf(draft), { draft: draft.id, by: draft.by, edited: state === 'edited' });
  }
  if (taken.size === 0) return records;
  const next = new Map(records);
  for (const record of records.values()) {
    const own = originsOf(record);
    const all = { ...own };
    for (const one of draftedFields(record)) {
      const origin = taken.get(keyOf(one));
      if (origin) all[one.field] ??= origin;
    }
    if (Object.keys(all).length > Object.keys(own).length) next.set(record.id, withOrigins(record, all));
  }
  return next;
}
