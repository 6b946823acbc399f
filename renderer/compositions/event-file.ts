import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { tr } from '../language/tr.ts';

/** A character has at most so many bytes in UTF-8. */
const BYTES = 4;

/**
 * The text of a file that somebody chose for an event, or why an event cannot bring it: it takes text of so many characters
 * alone, since a command of the stage writes it.
 */
export async function readTextFile(
  file: Pick<File, 'name' | 'size' | 'arrayBuffer'>,
): Promise<{ text: string } | { why: string }> {
  const most = COMPOSITION_LIMITS.eventText;
  const { name } = file;
  const tooLong = {
    why: tr(
      '“{name}” is too long: an event brings a text of at most {most, number} characters. Put it into the home by the recipe of a task.',
      { name, most },
    ),
  };
  if (file.size > most * BYTES) return tooLong;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
    if (text.includes('\0')) return noText(name);
    return text.length > most ? tooLong : { text };
  } catch (error) {
    // The decoder's own error; the browser says otherwise why a file cannot be read.
    return error instanceof TypeError
      ? noText(name)
      : { why: tr('“{name}” could not be read: {why}', { name, why: String(error) }) };
  }
}

const noText = (name: string): { why: string } => ({
  why: tr('“{name}” is no text in UTF-8: an event brings text alone. Put it into the home by the recipe of a task.', {
    name,
  }),
});
