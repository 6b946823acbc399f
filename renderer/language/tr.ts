import { IntlMessageFormat } from 'intl-messageformat';
import { createElement, Fragment, type ReactNode } from 'react';

/**
 * Every text of the pages, in the language that is chosen. The English text is the key: `tr('Delete')`,
 * `tr('{n, plural, one {# step} other {# steps}} left', { n })` (ICU MessageFormat). The translations are
 * renderer/language/<language>/*.json; a text that has none is shown in English.
 */

/** What a text names; nothing at all is written as nothing. Numbers in `{n, number}` and `#` are written as the language does. */
type Named = Readonly<Record<string, string | number | null | undefined>>;
type Part = (inside: ReactNode[]) => ReactNode;

/**
 * A text with nothing in it but names. Most are so, and those of the first page: the first that asks for more makes the browser
 * load its tables of the language's numbers, which takes longer than all others of a page.
 */
const SIMPLE = /^[^{}'#<]*(?:\{\w+\}[^{}'#<]*)*$/;

let locale = 'en';
let translations: ReadonlyMap<string, string> = new Map();
const plain = new Map<string, IntlMessageFormat>();
const rich = new Map<string, IntlMessageFormat>();

/** The language that texts are in now, a BCP 47 tag. */
export const shownLanguage = (): string => locale;

/** Before the first text is asked for: texts that stand in constants are made once. */
export function setLanguage(language: string, texts: ReadonlyMap<string, string>): void {
  [locale, translations] = [language, texts];
  plain.clear();
  rich.clear();
}

/** The text in the language shown. */
export function tr(text: string, values?: Named): string {
  const found = translations.get(text) ?? text;
  if (!values) return found;
  if (SIMPLE.test(found))
    return found.replaceAll(/\{(\w+)\}/g, (part, name) => (name in values ? `${values[name] ?? ''}` : part));
  const named = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? '']));
  return String(formatOf(plain, found, true).format(named));
}

/** A text that is kept in English (in a workspace's history, say) and translated where it is shown: `tr(kept)`. */
export const english = (text: string): string => text;

/** Names or words in a row, as the language writes it: `a, b and c`; `which`: whether all of them are meant or any. */
export function listed(items: readonly string[], which: 'and' | 'or' = 'and'): string {
  const type = which === 'and' ? 'conjunction' : 'disjunction';
  return new Intl.ListFormat(locale === 'en' ? 'en-GB' : locale, { type }).format(items);
}

/**
 * A text with parts of a page in it: `trParts('Press <k>Esc</k> to go back', { k: (inside) => <Kbd>{inside}</Kbd> })`, and
 * with whole pieces as values: `{ picture: <img … /> }`.
 */
export function trParts(text: string, values: Readonly<Record<string, ReactNode | Part>>): ReactNode {
  const found = translations.get(text) ?? text;
  const made = formatOf(rich, found, false).format<ReactNode>(values as Record<string, ReactNode>);
  if (!Array.isArray(made)) return made;
  return made.map((part: ReactNode, at: number) => createElement(Fragment, { key: at }, part));
}

function formatOf(kept: Map<string, IntlMessageFormat>, text: string, ignoreTag: boolean): IntlMessageFormat {
  let format = kept.get(text);
  if (!format) {
    format = new IntlMessageFormat(text, locale, undefined, { ignoreTag });
    kept.set(text, format);
  }
  return format;
}
