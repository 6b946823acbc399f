/** Rights as pure decisions: host.ts asks them at every door that Electron has. */

/** The one origin whose pages the app shows. */
export const ORIGIN = 'studio://app';

/** The hidden window that shares the screen (share.ts). */
export const SHARE_PAGE = `${ORIGIN}/desktop/screen`;

/** The limits of a window's pages: separated from Node, from each other and from the preload script. */
export const SAFE_PREFERENCES = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  // Its dictionaries are fetched from the network.
  spellcheck: false,
  // A file that is dropped beside a drop target would otherwise be opened in the place of the page.
  navigateOnDragDrop: false,
} as const;

/** True for an address of ours, whatever page it is. */
export function isOwn(url: string): boolean {
  try {
    const { protocol, host, username, password } = new URL(url);
    return protocol === 'studio:' && host === 'app' && username === '' && password === '';
  } catch {
    return false;
  }
}

/**
 * True for a request that leaves nothing of this machine: our own pages, and data that a page made itself. Everything else
 * is refused for the whole session, so the app cannot use the network even if a page wanted to.
 */
export function mayRequest(url: string): boolean {
  return isOwn(url) || url.startsWith('data:') || url.startsWith(`blob:${ORIGIN}/`) || url.startsWith('devtools:');
}

/** A web address that a person clicked (a task's source video), to be opened in their browser; null for anything else. */
export function externalAddress(url: string): string | null {
  try {
    const { protocol, href, username, password } = new URL(url);
    const isWeb = protocol === 'https:' || protocol === 'http:';
    return isWeb && username === '' && password === '' ? href : null;
  } catch {
    return null;
  }
}

/**
 * The permissions that pages need: copying texts to the clipboard, and the whole screen for the workspace; and pictures of
 * the screen for the one page that shares it. Everything else is refused.
 */
const GRANTED = new Set(['clipboard-sanitized-write', 'fullscreen']);
export const mayHave = (permission: string, url: string): boolean =>
  permission === 'display-capture' ? url === SHARE_PAGE : GRANTED.has(permission) && isOwn(url);

/** True when a call comes from the top frame of a page of ours. */
export function isTrustedSender(frame: { url: string; parent: unknown } | null): boolean {
  return frame !== null && frame.parent === null && isOwn(frame.url);
}

/**
 * Chromium's own talk with the network, switched off; and a resolver that knows no name, so that even what was forgotten
 * here reaches nobody.
 */
export const NETWORK_SWITCHES: readonly (readonly [name: string, value?: string])[] = [
  ['disable-background-networking'],
  ['disable-component-update'],
  ['disable-domain-reliability'],
  ['disable-sync'],
  ['no-pings'],
  ['host-resolver-rules', 'MAP * ~NOTFOUND'],
  ['force-webrtc-ip-handling-policy', 'disable_non_proxied_udp'],
];
