import '@fontsource-variable/inter/index.css';
import '@mantine/core/styles.layer.css';
import '../ui/global.css';
import { createRoot } from 'react-dom/client';
import { client } from '../client/api.ts';
import { setProbe } from '../client/connection.ts';
import { askEarly } from '../client/early.ts';
import { describeCommands } from '../ui/keys/store.ts';
import { adoptThemeVariables } from '../ui/theme.ts';
import { App } from './app.tsx';
import { catalogue } from './catalogue.ts';
import { loadEarly } from './pages.tsx';

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

// First: a long recording keeps the studio busy, and the page's code would come after it.
loadEarly(location.pathname);
askEarly(location.pathname);
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
applyStoredColorScheme();
adoptThemeVariables();
describeCommands(catalogue);
setProbe(() => client.settings.get());
createRoot(root).render(<App />);
