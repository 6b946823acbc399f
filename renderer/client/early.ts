import type { OpenedRecording } from '../../schemas/api/models.ts';
import { keptPerson } from './kept-person.ts';
import { readOpened } from './opened.ts';

/**
 * The largest answer that the first page needs, asked for while its code is still on its way and the frame around it is
 * drawn. Taken once; every later page asks by itself.
 */
let early: { key: string; answer: Promise<OpenedRecording> } | null = null;

const keyOf = (ws: string, recording: string, person: string | null): string => [ws, recording, person ?? ''].join(' ');

const ask = (ws: string, recording: string, person: string | null): Promise<OpenedRecording> =>
  readOpened({ ws, recording, ...(person !== null && { person }) });

/** Looks at the address that the browser opened. An address of anything else asks for nothing. */
export function askEarly(path: string): void {
  const found = /^\/w\/([^/]+)\/recordings\/([^/]+)/.exec(path);
  if (!found?.[1] || !found[2]) return;
  try {
    const [ws, recording] = [decodeURIComponent(found[1]), decodeURIComponent(found[2])];
    const person = keptPerson(ws);
    const answer = ask(ws, recording, person);
    // The page that takes it tells what went wrong.
    answer.catch(() => {});
    early = { key: keyOf(ws, recording, person), answer };
  } catch {
    // A mistyped address: the page says so.
  }
}

/** The recording as the studio has it: what was asked for early, or asked now. */
export function openEarly(ws: string, recording: string, person: string | null): Promise<OpenedRecording> {
  const asked = early;
  early = null;
  return asked?.key === keyOf(ws, recording, person) ? asked.answer : ask(ws, recording, person);
}
