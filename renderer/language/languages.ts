import { setLanguage } from './tr.ts';

/** The languages of the pages, by their own names. English is the text in the code. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', 'zh-Hans': '简体中文' } as const;
export type PageLanguage = keyof typeof LANGUAGES;
/** `auto`: the first of the browser's languages that is one of these. */
export const LANGUAGE_CHOICES = ['auto', 'en', 'de', 'zh-Hans'] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];

const isChoice = (value: unknown): value is LanguageChoice => LANGUAGE_CHOICES.some((choice) => choice === value);

/** The choice that the studio served this page with: it writes the setting into the page, so that the first text is right. */
export function servedChoice(): LanguageChoice {
  const served = document.querySelector<HTMLMetaElement>('meta[name="page-language"]')?.content;
  return isChoice(served) ? served : 'auto';
}

/** The language that a choice gives where the browser wants `wanted` (BCP 47, most wanted first). */
export function languageOf(choice: LanguageChoice, wanted: readonly string[]): PageLanguage {
  if (choice !== 'auto') return choice;
  for (const tag of wanted) {
    const { language, script } = new Intl.Locale(tag).maximize();
    if (language === 'en' || language === 'de') return language;
    if (language === 'zh' && script === 'Hans') return 'zh-Hans';
  }
  return 'en';
}

const FILES = {
  de: () => import('./de/index.ts'),
  'zh-Hans': () => import('./zh-Hans/index.ts'),
} as const;

/** Every translated text of a language, by its English. */
async function translationsOf(language: Exclude<PageLanguage, 'en'>): Promise<ReadonlyMap<string, string>> {
  const { default: files } = await FILES[language]();
  return new Map(Object.values(files).flatMap((texts) => Object.entries(texts)));
}

/** Shows the pages in the language that is chosen here; in English where its texts cannot be loaded. */
export async function loadLanguage(): Promise<void> {
  const language = languageOf(servedChoice(), navigator.languages);
  if (language === 'en') return;
  try {
    setLanguage(language, await translationsOf(language));
    document.documentElement.lang = language;
  } catch (error) {
    console.error(`The texts in ${LANGUAGES[language]} could not be loaded; the pages are in English.`, error);
  }
}
