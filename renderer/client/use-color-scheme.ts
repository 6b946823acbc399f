import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { choiceSetting, useChangeSettings, useSettings } from './settings.ts';

export const SCHEMES = ['auto', 'light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

/**
 * Light, dark or as the system. (keepTransitions: holding them back would need a style element, which the policy refuses.)
 * Kept in the user's settings, and in the browser so that the first paint is right.
 */
export function useColorScheme(): { scheme: Scheme; set: (scheme: Scheme) => void; toggle: () => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const shown = useComputedColorScheme('light');
  const change = useChangeSettings();
  const set = (scheme: Scheme): void => {
    setColorScheme(scheme);
    // The page has it already; the settings page says when it could not be stored.
    change({ theme: scheme }).catch(() => undefined);
  };
  return { scheme: colorScheme, set, toggle: () => set(shown === 'dark' ? 'light' : 'dark') };
}

/** Follows the stored setting once it has come (another browser, the command line). */
export function useStoredColorScheme(): void {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const settings = useSettings();
  const stored = settings.theme === undefined ? null : choiceSetting(settings, 'theme', SCHEMES, 'auto');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the stored value counts
  useEffect(() => {
    if (stored !== null) setColorScheme(stored);
  }, [stored]);
}
