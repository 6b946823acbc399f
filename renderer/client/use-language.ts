import { useIsMutating } from '@tanstack/react-query';
import { useEffect } from 'react';
import { LANGUAGE_CHOICES, type LanguageChoice, languageOf, servedChoice } from '../language/languages.ts';
import { shownLanguage } from '../language/tr.ts';
import { CHANGE_SETTINGS, choiceSetting, useChangeSettings, useSettings } from './settings.ts';

/** The language of the pages, a setting of the user. */
export function useLanguage(): { choice: LanguageChoice; set: (choice: LanguageChoice) => Promise<void> } {
  const settings = useSettings();
  const change = useChangeSettings();
  return {
    choice: choiceSetting(settings, 'pageLanguage', LANGUAGE_CHOICES, servedChoice()),
    set: (choice) => change({ pageLanguage: choice }),
  };
}

/**
 * Follows the setting, whoever changed it (this page, another window, the command line). Texts are made when the page is
 * loaded, so another language loads it again: the address holds where the person is.
 */
export function useStoredLanguage(): void {
  const { pageLanguage } = useSettings();
  // A change is shown at once, but the studio serves the page in the new language only when it has it.
  const changing = useIsMutating({ mutationKey: CHANGE_SETTINGS }) > 0;
  useEffect(() => {
    const stored = LANGUAGE_CHOICES.find((choice) => choice === pageLanguage);
    if (!stored || changing || stored === servedChoice()) return;
    if (languageOf(stored, navigator.languages) !== shownLanguage()) location.reload();
  }, [pageLanguage, changing]);
}
