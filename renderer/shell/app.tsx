import { MantineProvider } from '@mantine/core';
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Router as Ways } from 'wouter';
import { onHealed } from '../client/connection.ts';
import { makeQueryClient } from '../client/queries.ts';
import { booleanSetting, keysSetting, useSettings } from '../client/settings.ts';
import { useStoredColorScheme } from '../client/use-color-scheme.ts';
import { useStoredLanguage } from '../client/use-language.ts';
import { DesktopLiving } from '../desktop/living.tsx';
import { listenToKeys } from '../ui/keys/listen.ts';
import { showAllKeys, showKeysWhileAltIsHeld } from '../ui/keys/shown-keys.ts';
import { setChosenKeys } from '../ui/keys/store.ts';
import { askBeforeLeaving } from '../ui/leaving.ts';
import { theme } from '../ui/theme.ts';
import { Router } from './router.tsx';

/** Everything on the page, wired. */
export function App(): ReactNode {
  const [queryClient] = useState(makeQueryClient);
  return (
    // The variables and classes are in a stylesheet of ours (theme.ts), not in style elements.
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <Living />
        <DesktopLiving />
        <Ways aroundNav={askBeforeLeaving}>
          <Router />
        </Ways>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** The work that goes on whichever page is open: keys, stored settings, fetching again after a lost connection. */
function Living(): null {
  const queryClient = useQueryClient();
  const settings = useSettings();
  useStoredColorScheme();
  useStoredLanguage();
  useEffect(() => listenToKeys(), []);
  useEffect(() => showKeysWhileAltIsHeld(), []);
  useEffect(() => setChosenKeys(keysSetting(settings)), [settings]);
  useEffect(() => showAllKeys(booleanSetting(settings, 'allKeys', false)), [settings]);
  useEffect(() => onHealed(() => void queryClient.invalidateQueries()), [queryClient]);
  return null;
}
