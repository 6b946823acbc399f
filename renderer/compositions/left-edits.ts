import type { Composition } from '../../schemas/composition.ts';
import { COMPOSITION_SCHEMA, COMPOSITION_VERSION } from '../../schemas/composition-terms.ts';
import { readLeft, writeLeft } from '../client/left.ts';
import { changed, type Edits, isUnsaved, newEdits } from './draft.ts';
import { setDraft, useDrafts } from './drafts.ts';

/** Unsaved edits in the browser's storage, for a tab that crashes or is closed. They are offered again, never taken by themselves. */

/** `version`, `saved`: of the file that they were begun with. */
export type LeftEdits = Pick<Edits, 'now' | 'saved' | 'version'> & { at: string };
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'composition-edits ';
/** A crash loses as much typing at most, ms. */
const SOON_MS = 300;

/** Written by this program: of another version of it they are let be. */
function isLeft(value: unknown): value is LeftEdits {
  if (typeof value !== 'object' || value === null) return false;
  const { now, at, version } = value as Record<string, unknown>; // Looked at right here.
  if (typeof now !== 'object' || now === null || typeof at !== 'string') return false;
  const { schema, version: form, members } = now as Partial<Composition>; // And here.
  const isForm = schema === COMPOSITION_SCHEMA && Number(form) <= COMPOSITION_VERSION && Array.isArray(members);
  return isForm && (version === null || typeof version === 'string');
}

export const leftEdits = (ws: string, id: string, store?: Store): LeftEdits | null =>
  readLeft(`${PREFIX}${ws} ${id}`, isLeft, store);

export const dropLeft = (ws: string, id: string): void => void writeLeft(`${PREFIX}${ws} ${id}`, null);

/** The ids of compositions with such edits, by their titles. */
export function allLeft(ws: string): [id: string, title: string][] {
  const start = `${PREFIX}${ws} `;
  try {
    const ids = Object.keys(localStorage).flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
    return ids.flatMap((id): [string, string][] => {
      const left = leftEdits(ws, id);
      return left ? [[id, left.now.title || id]] : [];
    });
  } catch {
    return []; // A browser that keeps nothing.
  }
}

/**
 * Takes them up as what is written now, one step back from what the file has. Begun with another file, that file is still to be
 * decided about, as when somebody saves meanwhile.
 */
export function takeLeft(ws: string, id: string, { now, saved, version }: LeftEdits, draft: Edits | undefined): void {
  const isSame = draft !== undefined && draft.version === version;
  setDraft(ws, id, isSame ? changed(draft, now) : { ...newEdits(now), saved, version });
}

/** Keeps what is unsaved from now on. What was kept goes once it is saved or dropped in this tab. */
export function keepLeft(store?: Store): () => void {
  const due = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const { drafts } = useDrafts.getState();
    for (const key of due) {
      const draft = drafts[key];
      const left = draft && isUnsaved(draft) ? leftOf(draft) : null;
      writeLeft(`${PREFIX}${key}`, left, store);
    }
    due.clear();
  };
  const stop = useDrafts.subscribe(({ drafts }, { drafts: before }) => {
    for (const key of new Set([...Object.keys(drafts), ...Object.keys(before)])) {
      const [now, then] = [drafts[key], before[key]];
      if (now === then) continue;
      if (now && isUnsaved(now)) due.add(key);
      else if (then && isUnsaved(then)) {
        // At once: the list that is shown next must not offer what was saved or dropped.
        due.delete(key);
        writeLeft(`${PREFIX}${key}`, null, store);
      }
    }
    if (due.size > 0) timer ??= setTimeout(flush, SOON_MS);
  });
  const page = typeof window === 'undefined' ? null : window;
  page?.addEventListener('pagehide', flush);
  return () => {
    flush();
    stop();
    page?.removeEventListener('pagehide', flush);
  };
}

const leftOf = ({ now, saved, version }: Edits): LeftEdits => ({ now, saved, version, at: new Date().toISOString() });
