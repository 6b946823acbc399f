import '@mantine/core/styles.layer.css';
import './app/global.css';
import { createRoot } from 'react-dom/client';
import { client } from './app/api.ts';
import { App } from './app/app.tsx';
import { setProbe } from './app/connection.ts';
import { askEarly } from './app/early.ts';
import { adoptThemeVariables } from './app/theme.ts';

const COLOR_SCHEME_KEY = 'mantine-color-scheme-value';

/** Before the first paint, so that a dark page does not begin white. */
function applyStoredColorScheme(): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(COLOR_SCHEME_KEY);
  } catch {
    // A browser that keeps nothing: the system's scheme.
  }
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
}

askEarly(location.pathname);
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
applyStoredColorScheme();
adoptThemeVariables();
setProbe(() => client.settings.get());
createRoot(root).render(<App />);
