import type { CaptureSource, MenuCommand } from '../../schemas/desktop.ts';
import type { HostApi, HostContents, IpcEvent } from './api.ts';
import { CALLS, readCommands, readPath } from './channels.ts';
import type { Screen } from './geometry.ts';
import type { Log } from './log.ts';
import { isExport, whatIs } from './open.ts';
import { settingsPage } from './permissions.ts';
import { isTrustedSender } from './security.ts';

export type IpcOptions = {
  api: Pick<HostApi, 'ipcMain' | 'dialog' | 'desktopCapturer' | 'shell' | 'screen' | 'systemPreferences'>;
  platform: string;
  /** A Wayland session asks the person at every look at the screen, so no small pictures are made there. */
  wayland: boolean;
  log: Log;
  screens(): Screen[];
  onMenu(contents: HostContents, commands: MenuCommand[]): void;
};

const THUMBNAIL = { width: 480, height: 300 };

/** The pages' calls. Each is refused unless it comes from the top frame of a page of ours, and checks what it was given. */
export function answerCalls(options: IpcOptions): void {
  const { api, platform, log } = options;
  const handle = (channel: string, answer: (event: IpcEvent, given: unknown) => unknown): void =>
    api.ipcMain.handle(channel, (event, given) => {
      if (!isTrustedSender(event.senderFrame)) {
        log.write(`refused: ${channel} from ${event.senderFrame?.url ?? 'a frame that is gone'}`);
        throw new Error('This page may not ask that.');
      }
      return answer(event, given);
    });
  const refuse = (what: string): never => {
    throw new Error(`${what} cannot be taken.`);
  };

  handle(CALLS.menu, ({ sender }, given) => {
    options.onMenu(sender, readCommands(given) ?? refuse('These commands'));
  });
  handle(CALLS.pick, (_event, given) => {
    if (given === 'folder') return pick(api, 'folder');
    return given === 'recording' ? pick(api, 'recording') : refuse('This wish');
  });
  handle(CALLS.dropped, (_event, given) => whatIs(readPath(given) ?? refuse('This path')));
  handle(CALLS.sources, () => (options.wayland ? [] : sources(options)));
  handle(CALLS.openFolder, async (_event, given) => {
    const path = readPath(given) ?? refuse('This path');
    if (!isExport(path)) refuse('A folder that is no export of this studio');
    const why = await api.shell.openPath(path);
    if (why !== '') throw new Error(why);
  });
  handle(CALLS.allow, async (_event, given) => {
    const page = settingsPage(given) ?? refuse('This permission');
    if (platform !== 'darwin') return;
    // The system's own question comes once; the page of the settings helps each time.
    if (given === 'accessibility') api.systemPreferences.isTrustedAccessibilityClient(true);
    if (given === 'screen-recording') await sources(options).catch(() => []);
    await api.shell.openExternal(page);
  });
}

/** The system's own dialog: a folder (a workspace), or a recording's folder or archive. Null when it was closed. */
export async function pick(api: Pick<HostApi, 'dialog'>, what: 'folder' | 'recording'): Promise<string | null> {
  const { canceled, filePaths } = await api.dialog.showOpenDialog(
    what === 'folder'
      ? { properties: ['openDirectory', 'createDirectory'] }
      : { properties: ['openFile'], filters: [{ name: 'Recording archive', extensions: ['tstar', 'tar'] }] },
  );
  return canceled ? null : (filePaths[0] ?? null);
}

async function sources({ api, screens }: IpcOptions): Promise<CaptureSource[]> {
  const found = await api.desktopCapturer.getSources({ types: ['screen', 'window'], thumbnailSize: THUMBNAIL });
  const displays = api.screen.getAllDisplays();
  const all = screens();
  return found
    .filter(({ thumbnail }) => !thumbnail.isEmpty())
    .map(({ id, name, display_id, thumbnail }) => {
      const isDisplay = id.startsWith('screen:');
      const at = isDisplay ? displays.findIndex((display) => String(display.id) === display_id) : -1;
      const kind = isDisplay ? 'display' : 'window';
      return { kind, name, rect: all[at]?.px ?? null, thumbnail: thumbnail.toDataURL() };
    });
}
