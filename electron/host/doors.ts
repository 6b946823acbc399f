import type { HostApi, HostContents } from './api.ts';
import type { Log } from './log.ts';
import { externalAddress, isOwn, mayHave, mayRequest } from './security.ts';

/** Every way in or out that Chromium has, with the decisions of security.ts behind it. */
export function closeDoors({ session }: Pick<HostApi, 'session'>, log: Log): void {
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((contents, permission, callback) => {
    const granted = mayHave(permission, contents.getURL());
    if (!granted) log.write(`refused: permission ${permission} for ${contents.getURL()}`);
    callback(granted);
  });
  defaultSession.setPermissionCheckHandler((contents, permission) =>
    contents === null ? false : mayHave(permission, contents.getURL()),
  );
  defaultSession.setDevicePermissionHandler(() => false);
  defaultSession.setSpellCheckerEnabled(false);
  defaultSession.webRequest.onBeforeRequest(({ url }, callback) => {
    const cancel = !mayRequest(url);
    if (cancel) log.write(`refused: request ${url.slice(0, 200)}`);
    callback({ cancel });
  });
  defaultSession.on('will-download', (event, item) => {
    if (!isOwn(item.getURL()) && !item.getURL().startsWith('blob:studio://app/')) event.preventDefault();
  });
}

/** Each page, however it came to be: it stays where it is, and opens no window. A web link opens in the person's browser. */
export function secureContents(contents: HostContents, { shell }: Pick<HostApi, 'shell'>, log: Log): void {
  contents.setWindowOpenHandler(({ url }) => {
    const address = externalAddress(url);
    if (address === null) log.write(`refused: window ${url.slice(0, 200)}`);
    else shell.openExternal(address).catch((error: Error) => log.write(`browser: ${error.message}`));
    return { action: 'deny' };
  });
  const stay = (event: { url: string; preventDefault(): void }): void => {
    if (isOwn(event.url)) return;
    log.write(`refused: navigation to ${event.url.slice(0, 200)}`);
    event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
}
