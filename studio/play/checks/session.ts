import { type BrowserPages, pagesOfSession } from '../../../core/play/browser-session.ts';
import { readBoundedIn } from '../../files/bounded.ts';
import { entriesBelow, findFolder } from '../../files/inside.ts';

const MOST_BYTES = 64_000_000;
const MOST_SESSIONS = 1000;

/**
 * The newest file in which a browser of this profile keeps its session, by its path in the home; null where there is none. Its
 * name ends with the time when it was begun.
 */
export function sessionFile(home: string, profile: string): string | null {
  const folder = findFolder(home, `${profile}/Sessions`);
  if (folder === null) return null;
  let newest = '';
  let seen = 0;
  for (const { name, parentPath } of entriesBelow(folder)) {
    if (++seen > MOST_SESSIONS) break;
    const isSession = parentPath === folder && /^Session_\d{1,20}$/.test(name);
    if (isSession && (name.length > newest.length || (name.length === newest.length && name > newest))) newest = name;
  }
  return newest === '' ? null : `${profile}/Sessions/${newest}`;
}

/** The pages that a browser has open. Throws an Error whose message is a part of a sentence. */
export function readPages(home: string, profile: string): BrowserPages {
  const file = sessionFile(home, profile);
  if (file === null)
    throw new Error(`there is no session in ${profile}: a Chromium of that profile must have shown a page`);
  return pagesOfSession(readBoundedIn(home, file, MOST_BYTES));
}
