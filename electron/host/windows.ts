import type { OpenRequest } from '../../schemas/desktop.ts';
import type { HostApi, HostContents, HostWindow, Rect, WindowOptions } from './api.ts';
import { TELLS } from './channels.ts';
import { fitWindow, type Screen } from './geometry.ts';
import { type Memory, RECORD_PAGE, readMemory, writeMemory } from './memory.ts';
import { ORIGIN, SAFE_PREFERENCES } from './security.ts';

/** The studio's windows: each a page of its own over the one studio. */
type Windows = {
  /** A new one, at this page. */
  open(path?: string): HostWindow;
  all(): readonly HostWindow[];
  /** The one that had the focus last. */
  current(): HostWindow | null;
  /** In front and with the focus; opened when there is none. */
  show(): HostWindow;
  /** Shows it in the front window. */
  request(what: OpenRequest): void;
  command(id: string): void;
  isOne(contents: HostContents): boolean;
  /** The page on which something was recorded last. */
  recordPage(): string | null;
};

type WindowsOptions = {
  api: Pick<HostApi, 'BrowserWindow' | 'nativeTheme'>;
  preload: string;
  icon: string;
  memoryFile: string;
  screens(): Screen[];
  /** A person closes one; true: it stays for now. */
  keeps(window: HostWindow): boolean;
  onFocus(): void;
  onPage(): void;
  onLastClosed(): void;
};

const SIZE = { width: 1366, height: 860 };
const TITLE = 'Trajectory Studio';
/** A window that is resized or moved writes its place once it rests, ms. */
const REST_MS = 400;

export function createWindows(options: WindowsOptions): Windows {
  const { api, memoryFile } = options;
  const windows: HostWindow[] = [];
  /** Messages that wait for a window's page: a page that is not loaded hears nothing. Null: it is loaded. */
  const waiting = new Map<number, [channel: string, value: unknown][] | null>();
  let memory: Memory = readMemory(memoryFile);
  let timer: NodeJS.Timeout | undefined;

  function remember(change: Partial<Memory>): void {
    memory = { ...memory, ...change };
    clearTimeout(timer);
    timer = setTimeout(() => writeMemory(memoryFile, memory), REST_MS);
    timer.unref();
  }

  function open(path = '/'): HostWindow {
    const bounds: Rect | null = windows.length === 0 ? fitWindow(memory.bounds, options.screens()) : null;
    const window = new api.BrowserWindow(
      studioWindow(options.preload, options.icon, bounds, api.nativeTheme.shouldUseDarkColors),
    );
    const contents = window.webContents;
    windows.push(window);
    waiting.set(contents.id, []);
    contents.on('did-finish-load', () => {
      const messages = waiting.get(contents.id) ?? [];
      waiting.set(contents.id, null);
      for (const [channel, value] of messages) contents.send(channel, value);
    });
    if (windows.length === 1 && memory.maximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    const moved = (): void => {
      if (window.isDestroyed() || window.isMinimized()) return;
      remember({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
    };
    for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event, moved);
    window.on('focus', () => {
      windows.splice(windows.indexOf(window), 1);
      windows.push(window);
      options.onFocus();
    });
    window.on('close', (event) => {
      if (options.keeps(window)) event.preventDefault();
    });
    window.on('closed', () => {
      windows.splice(windows.indexOf(window), 1);
      waiting.delete(contents.id);
      writeMemory(memoryFile, memory);
      if (windows.length === 0) options.onLastClosed();
    });
    contents.on('did-navigate-in-page', (_event, url) => {
      const { pathname } = new URL(url);
      if (RECORD_PAGE.test(pathname)) remember({ recordPage: pathname });
      options.onPage();
    });
    void window.loadURL(`${ORIGIN}${path}`).catch(() => undefined);
    return window;
  }

  const current = (): HostWindow | null => windows.at(-1) ?? null;
  function tell(window: HostWindow, channel: string, value: unknown): void {
    const messages = waiting.get(window.webContents.id);
    if (messages) messages.push([channel, value]);
    else window.webContents.send(channel, value);
  }
  function show(): HostWindow {
    const window = current() ?? open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    return window;
  }
  return {
    open,
    all: () => windows,
    current,
    show,
    request(what) {
      if (what.kind === 'page' && windows.length === 0 && what.command === undefined) open(what.path);
      else tell(show(), TELLS.open, what);
    },
    command(id) {
      const window = current();
      if (window) tell(window, TELLS.command, id);
    },
    isOne: (contents) => windows.some((window) => window.webContents.id === contents.id),
    recordPage: () => memory.recordPage,
  };
}

function studioWindow(preload: string, icon: string, bounds: Rect | null, dark: boolean): WindowOptions {
  return {
    title: TITLE,
    ...SIZE,
    ...(bounds ?? {}),
    minWidth: 900,
    minHeight: 560,
    show: false,
    // The page's own (renderer/ui/global.css), so that nothing flashes; a theme chosen in the settings comes with the page.
    backgroundColor: dark ? '#191c23' : '#ffffff',
    icon,
    webPreferences: { ...SAFE_PREFERENCES, preload, backgroundThrottling: true },
  };
}
