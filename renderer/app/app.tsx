import { MantineProvider } from '@mantine/core';
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { DesktopLiving } from '../desktop/living.tsx';
import { onHealed } from './connection.ts';
import { listenToKeys } from './keys/listen.ts';
import { setChosenKeys } from './keys/store.ts';
import { makeQueryClient } from './queries.ts';
import { Router } from './router.tsx';
import { keysSetting, useSettings } from './settings.ts';
import { theme } from './theme.ts';
import { useStoredColorScheme } from './use-color-scheme.ts';

/** Everything on the page, wired. */
export function App(): ReactNode {
  const [queryClient] = useState(makeQueryClient);
  return (
    // The variables and classes are in a stylesheet of ours (theme.ts), not in style elements.
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <Living />
        <DesktopLiving />
        <Router />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** What goes on whichever page is open: keys, stored settings, fetching again after a lost connection. */
function Living(): null {
  const queryClient = useQueryClient();
  const settings = useSettings();
  useStoredColorScheme();
  useEffect(() => listenToKeys(), []);
  useEffect(() => setChosenKeys(keysSetting(settings)), [settings]);
  useEffect(() => onHealed(() => void queryClient.invalidateQueries()), [queryClient]);
  return null;
}
