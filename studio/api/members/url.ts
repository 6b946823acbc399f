import { StudioError } from '../../../schemas/errors.ts';
import { readMeta, writeMeta } from '../../store/meta.ts';
import type { Store } from '../../store/store.ts';

/** The address at which people find a team's server. */

const KEY = 'team';

/**
 * Its origin. Throws USAGE for what is none; for http but on this machine itself, since passwords would be sent for everybody
 * to read.
 */
export function originOf(text: string): URL {
  const wrong = (why: string) =>
    new StudioError('USAGE', `--url ${text.slice(0, 200)}: ${why}. Write it as https://studio.lab.org.`, { url: text });
  if (!URL.canParse(text)) throw wrong('it is no address');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw wrong('it is no address of a web page');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/')
    throw wrong('it has more than a name and a port');
  if (url.protocol === 'http:' && !isThisMachine(url))
    throw wrong('passwords would travel unencrypted: http is for trying on this machine alone');
  return url;
}

/** A name of loopback, where nothing travels over a network. */
export const isThisMachine = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** As the server was started. */
export async function keepUrl(store: Store, url: URL): Promise<void> {
  await writeMeta(store, KEY, { url: url.origin });
}

/** Throws USAGE where none was said and no server was started for this workspace yet. */
export async function teamUrl(store: Store, given: string | undefined): Promise<string> {
  if (given !== undefined) return originOf(given).origin;
  const kept = await readMeta(store, KEY);
  const url: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, 'url') : undefined;
  if (typeof url === 'string') return url;
  throw new StudioError(
    'USAGE',
    'The address of the server is not known yet: say it with --url https://studio.lab.org, or start the server first (`npm run studio -- serve --team --url …`).',
    { field: 'url' },
  );
}
