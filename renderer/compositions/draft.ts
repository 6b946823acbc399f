import type { CompositionEdited } from '../../schemas/api/compositions.ts';
import type { Composition } from '../../schemas/composition.ts';

/** A composition while it is edited: what is written now, what its file has, and the way back. */
export type Edits = {
  /** The file's content when it was read or saved last; null: there is no file yet. */
  saved: Composition | null;
  /** Of that file; null: there is none. */
  version: string | null;
  now: Composition;
  /** The newest last. */
  past: readonly Composition[];
  /** States that were taken back, the next one to be done again last. */
  future: readonly Composition[];
  /** The field that is being written, and what it says: a word is one step back, not a letter. */
  writing: { field: string; text: string } | null;
};

const MOST_STEPS = 500;

export const newEdits = (now: Composition): Edits => ({
  saved: null,
  version: null,
  now,
  past: [],
  future: [],
  writing: null,
});

export const editsOf = ({ composition, version }: CompositionEdited): Edits => ({
  ...newEdits(composition),
  saved: composition,
  version,
});

/** Whether something would be lost without it. */
export const isUnsaved = ({ now, saved }: Edits): boolean => now !== saved;

/** `writing`: the field that it was written in, and its text now. */
export function changed(draft: Edits, now: Composition, writing: Edits['writing'] = null): Edits {
  if (now === draft.now) return draft;
  const before = draft.writing;
  const goesOn =
    writing !== null &&
    before !== null &&
    writing.field === before.field &&
    draft.now !== draft.saved &&
    !(/\s$/.test(before.text) && !/\s$/.test(writing.text));
  const past = goesOn ? draft.past : [...draft.past, draft.now].slice(-MOST_STEPS);
  return { ...draft, now, past, future: [], writing };
}

export function undone(draft: Edits): Edits {
  const before = draft.past.at(-1);
  if (!before) return draft;
  return {
    ...draft,
    now: before,
    past: draft.past.slice(0, -1),
    future: [...draft.future, draft.now],
    writing: null,
  };
}

export function redone(draft: Edits): Edits {
  const next = draft.future.at(-1);
  if (!next) return draft;
  return { ...draft, now: next, past: [...draft.past, draft.now], future: draft.future.slice(0, -1), writing: null };
}

/** `sent` is in the file now; what was written meanwhile is still to be saved. */
export const kept = (draft: Edits, sent: Composition, { version }: Pick<CompositionEdited, 'version'>): Edits => ({
  ...draft,
  saved: sent,
  version,
});

/** Somebody else's save in the place of what is written here, which is a step back. */
export const theirsTaken = (draft: Edits, { composition, version }: CompositionEdited): Edits => ({
  ...changed(draft, composition),
  saved: composition,
  version,
});

/** Keeps the text of this page over somebody else's save, which undo brings back. */
export const mineKept = (draft: Edits, { composition, version }: CompositionEdited): Edits => ({
  ...draft,
  past: [...draft.past, composition],
  future: [],
  saved: composition,
  version,
  writing: null,
});

/** Its file is gone: a save makes it anew. */
export const orphaned = (draft: Edits): Edits => ({ ...draft, saved: null, version: null });
