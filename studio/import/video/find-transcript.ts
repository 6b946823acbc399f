import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { readTranscript, type Transcript, transcriptText } from '../../../core/import/transcript.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';

export type FoundTranscript = { path: string; text: string; read: Transcript };

const MOST_TRANSCRIPT = 16 * 1024 * 1024;

/** The transcript that a person named. Throws BAD_FILE for one that cannot be read, USAGE when it is not there. */
export function namedTranscript(path: string): FoundTranscript {
  if (!isPlainFile(path))
    throw new StudioError('USAGE', `There is no transcript ${path}. Name an .srt or .vtt file.`, { file: path });
  const found = readAt(path);
  if ('read' in found) return found;
  throw new StudioError('BAD_FILE', `${path}${found.why}.`, { file: path, ...(found.line && { line: found.line }) });
}

/**
 * The transcript beside a video that nobody named: of its name, with a language, in capitals or in another Unicode form. It is
 * a find, so that one that cannot be read is said and refuses nothing; then the next is taken.
 */
export function transcriptBeside(source: string): { found: FoundTranscript | null; said: string[] } {
  const said: string[] = [];
  for (const name of namesBeside(source)) {
    const found = readAt(join(dirname(source), name));
    if ('why' in found) {
      said.push(`the transcript ${name} beside it was not taken: ${name}${found.why}`);
      continue;
    }
    return { found, said };
  }
  return { found: null, said };
}

/** A language as players take it, `en`, `pt-BR`, `zh-Hans`, and what the captions are made for. */
const TAGGED = /^(?:\.([a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}))?(?:\.(?:sdh|cc|hi|forced|auto|orig))?\.(vtt|srt)$/i;

function namesBeside(source: string): string[] {
  let names: string[];
  try {
    names = readdirSync(dirname(source));
  } catch {
    // The video itself can be read: that its folder cannot be listed is no reason to refuse it.
    return [];
  }
  const stem = basename(source, extname(source));
  const plain = plainName(stem);
  const whole = plainName(basename(source));
  const found = names.flatMap((name) => {
    const own = plainName(name);
    // lesson.srt, and lesson.mp4.srt as some write it.
    const rest = [whole, plain].find((start) => own.startsWith(`${start}.`));
    const tagged = rest === undefined ? null : TAGGED.exec(own.slice(rest.length));
    return tagged ? [{ name, language: tagged[1] ?? '', ending: tagged[2]! }] : [];
  });
  // Its own name before a language, English before another, what is spelled as the video before what is not.
  const rank = ({ name, language, ending: form }: (typeof found)[number]): string =>
    [
      language === '' ? 0 : /^en(?:[-_]|$)/.test(language) ? 1 : 2,
      name.startsWith(stem) ? 0 : 1,
      language,
      form === 'vtt' ? 0 : 1,
      name,
    ].join(' ');
  return found
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .map(({ name }) => name)
    .filter((name) => isPlainFile(join(dirname(source), name)));
}

const plainName = (name: string): string => name.normalize('NFC').toLowerCase();

/** How a reason goes on after the file's name: " line 3: …", " is not UTF-8 …". */
function readAt(path: string): FoundTranscript | { why: string; line?: number } {
  let bytes: Buffer;
  try {
    const { size } = lstatSync(path);
    if (size > MOST_TRANSCRIPT) return { why: ` is larger than ${MOST_TRANSCRIPT / 1e6} MB` };
    bytes = readFileSync(path);
  } catch (error) {
    return { why: ` cannot be read: ${whyNot(error)}` };
  }
  const text = transcriptText(bytes);
  if (text === null) return { why: ' is not UTF-8. Save it as UTF-8 and try again' };
  const read = readTranscript(text);
  const [first] = read.problems;
  if (read.cues.length > 0 || !first) return { path, text, read };
  return { why: ` line ${first.line}: ${first.message}`, line: first.line };
}

/** Never throws: a name that is too long for the disk is the name of no file. */
function isPlainFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}
