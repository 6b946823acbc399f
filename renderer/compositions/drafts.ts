import { create } from 'zustand';
import { type Edits, isUnsaved } from './draft.ts';

export type Drafts = Readonly<Record<string, Edits>>;

/**
 * What is being edited, by workspace and composition. It outlives the page: the browser's way back hides a page without asking.
 */
export const useDrafts = create<{ drafts: Drafts }>(() => ({ drafts: {} }));

const keyOf = (ws: string, id: string): string => `${ws} ${id}`;

export const useDraft = (ws: string, id: string): Edits | undefined => useDrafts(({ drafts }) => drafts[keyOf(ws, id)]);

export const setDraft = (ws: string, id: string, draft: Edits): void =>
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [keyOf(ws, id)]: draft } }));

/** Nothing for one that is not edited. */
export const updateDraft = (ws: string, id: string, change: (draft: Edits) => Edits): void =>
  useDrafts.setState(({ drafts }) => {
    const draft = drafts[keyOf(ws, id)];
    return draft ? { drafts: { ...drafts, [keyOf(ws, id)]: change(draft) } } : { drafts };
  });

export const dropDraft = (ws: string, id: string): void =>
  useDrafts.setState(({ drafts: { [keyOf(ws, id)]: _dropped, ...drafts } }) => ({ drafts }));

/** The same where nothing is lost by it. */
export function dropSavedDraft(ws: string, id: string): void {
  const draft = useDrafts.getState().drafts[keyOf(ws, id)];
  if (draft && !isUnsaved(draft)) dropDraft(ws, id);
}

/** Those of a workspace, by their ids. */
export const draftsOf = (drafts: Drafts, ws: string): [id: string, draft: Edits][] =>
  Object.entries(drafts).flatMap(([key, draft]): [string, Edits][] =>
    key.startsWith(`${ws} `) ? [[key.slice(ws.length + 1), draft]] : [],
  );
