import { hasTextReader } from './languages.ts';
import type { TextOptions } from './read-texts.ts';

/** English: its data comes with the program. */
export const USUAL_LANGUAGES = 'eng';

/** The user's settings on texts in pictures; null: none are to be read. What the languages say is looked at when one is. */
export function textOptionsOf(settings: Readonly<Record<string, unknown>>): TextOptions | null {
  const { readTexts, textLanguages, textFolder } = settings;
  // An optional package: who left it out does not want it.
  if (readTexts !== true || !hasTextReader()) return null;
  return { languages: wordsOf(textLanguages) ?? USUAL_LANGUAGES, folder: wordsOf(textFolder) };
}

const wordsOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
