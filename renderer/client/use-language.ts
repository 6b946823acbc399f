import { useEffect } from 'react';
import { keepChoice, keptChoice, LANGUAGE_CHOICES, type LanguageChoice, languageOf } from '../language/languages.ts';
import { shownLanguage } from '../language/tr.ts';
import { choiceSetting, useChangeSettings, useSettings } from './settings.ts';

/** The language of the pages: kept in the user's settings, and in the browser so that the first text is right. */
export function useLanguage(): { choice: LanguageChoice; set: (choice: LanguageChoice) => Promise<void> } {
  const settings = useSettings();
  const change = useChangeSettings();
  return {
    choice: choiceSetting(settings, 'pageLanguage', LANGUAGE_CHOICES, keptChoice()),
    set: async (choice) => {
      await change({ pageLanguage: choice });
      showIn(choice);
    },
  };
}

/** Follows the stored setting once it has come (another browser, the command line). */
export function useStoredLanguage(): void {
  const { pageLanguage } = useSettings();
  useEffect(() => {
    const stored = LANGUAGE_CHOICES.find((choice) => choice === pageLanguage);
    if (stored) showIn(stored);
  }, [pageLanguage]);
}

/** Texts are made when the page is loaded, so another language loads it again: the address holds where the person is. */
function showIn(choice: LanguageChoice): void {
  if (keptChoice() === choice || !keepChoice(choice)) return;
  if (languageOf(choice, navigator.languages) !== shownLanguage()) location.reload();
}
