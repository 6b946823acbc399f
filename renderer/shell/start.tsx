import '@fontsource-variable/inter/index.css';
import '@mantine/core/styles.layer.css';
import '../ui/global.css';
import { createRoot } from 'react-dom/client';
import { client } from '../client/api.ts';
import { setProbe } from '../client/connection.ts';
import { askEarly } from '../client/early.ts';
import { paths } from '../client/paths.ts';
import { askMe } from '../client/team.ts';
import { isTeamPage } from '../client/team-page.ts';
import { describeCommands } from '../ui/keys/store.ts';
import { adoptThemeVariables } from '../ui/theme.ts';
import { App } from './app.tsx';
import { catalogue } from './catalogue.ts';
import { greyOutByRole } from './command-rights.ts';
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

/** A team's server tells nothing before somebody has signed in. False: the page that asks for it is shown instead. */
async function isKnown(): Promise<boolean> {
  if (location.pathname === paths.signIn || location.pathname === paths.invitation) return false;
  const me = await askMe();
  if (me === null) {
    const here = `${location.pathname}${location.search}`;
    history.replaceState(null, '', `${paths.signIn}${here === '/' ? '' : `?${new URLSearchParams({ to: here })}`}`);
    return false;
  }
  if (location.pathname === paths.welcome) history.replaceState(null, '', paths.library(me.ws));
  return true;
}

// First: a long recording keeps the studio busy, and the page's code would come after it. A server that does not answer says so
// on the page.
if (!isTeamPage || (await isKnown().catch(() => true))) {
  loadEarly(location.pathname);
  askEarly(location.pathname);
}
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
applyStoredColorScheme();
adoptThemeVariables();
describeCommands(catalogue);
greyOutByRole();
setProbe(() => client.settings.get());
createRoot(root).render(<App />);
