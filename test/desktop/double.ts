import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import type {
  HostApi,
  HostContents,
  HostDisplay,
  HostMenu,
  IpcEvent,
  MenuItem,
  PlainWindowOptions,
  Rect,
  WindowOptions,
} from '../../electron/host/api.ts';
import { DoubleBase, type DoubleContents, DoubleWindow, outer, preventable } from './double-windows.ts';

/**
 * A double of the few functions of Electron that the host uses (electron/host/api.ts), with a real Chromium behind it.
 * `studio://app` is an address of 127.0.0.1 to that Chromium; the host sees it as Electron would show it.
 */
export type Double = {
  api: HostApi;
  context: BrowserContext;
  windows: DoubleWindow[];
  sides: DoubleBase[];
  tray: { image: string; toolTip: string; items: MenuItem[] } | null;
  menu: MenuItem[];
  /** Accelerators that are registered now, with what they do. */
  shortcuts: Map<string, () => void>;
  /** Blockers of the display's sleep that stand. */
  awake: Set<number>;
  switches: [name: string, value?: string][];
  /** Answers to message boxes, the next first; a box without one is a failure. */
  answers: number[];
  asked: { message: string; detail: string; buttons: string[] }[];
  /** Paths that the next open dialogs give. */
  picks: string[];
  external: string[];
  openedPaths: string[];
  schemes: string[];
  crashReports: { submitURL: string; uploadToServer: boolean }[];
  /** What the session's handlers answer. */
  permission(name: string): Promise<boolean>;
  permissionCheck(name: string): boolean;
  device(): boolean;
  displayMedia(frame: { url: string }): Promise<boolean>;
  /** False: the person answers the system's question which screen to share with no. */
  shares: boolean;
  spellChecker: boolean | null;
  mayRequest(url: string): boolean;
  /** Requests of pages that were cancelled. */
  cancelled: string[];
  invoke(frame: { url: string; parent: unknown } | null, channel: string, ...args: unknown[]): Promise<unknown>;
  power: EventEmitter;
  app: EventEmitter;
  recentDocuments: string[];
  clients: string[];
  /** Resolves when the app has ended. */
  ended: Promise<number>;
  hasEnded(): boolean;
};

export type DoubleOptions = {
  browser: Browser;
  preload: string;
  platform: string;
  /** The app's own folder: settings of the host, logs. */
  folder: string;
  displays: HostDisplay[];
  /** False: another instance runs. */
  isFirst?: boolean;
  isPackaged?: boolean;
  look?: { scheme?: 'light' | 'dark' };
  /** Accelerators that another program has. */
  taken?: readonly string[];
};

export const oneDisplay = (width: number, height: number): HostDisplay => ({
  id: 1,
  bounds: { x: 0, y: 0, width, height },
  workArea: { x: 0, y: 0, width, height },
  scaleFactor: 1,
  nativeOrigin: { x: 0, y: 0 },
});

export async function createDouble(options: DoubleOptions): Promise<Double> {
  let blockers = 0;
  const { browser, folder, platform, displays, isFirst = true, isPackaged = false } = options;
  const context = await browser.newContext({ viewport: null, colorScheme: options.look?.scheme ?? 'light' });
  const app = new EventEmitter();
  const power = new EventEmitter();
  const ended = Promise.withResolvers<number>();
  const ready = Promise.withResolvers<void>();
  let isOver = false;
  let origin = '';
  let serve: ((request: Request) => Promise<Response>) | null = null;
  let requestPermission: Parameters<HostApi['session']['defaultSession']['setPermissionRequestHandler']>[0] | null =
    null;
  let checkPermission: Parameters<HostApi['session']['defaultSession']['setPermissionCheckHandler']>[0] | null = null;
  let checkDevice: (() => boolean) | null = null;
  let displayMedia: Parameters<HostApi['session']['defaultSession']['setDisplayMediaRequestHandler']>[0] | null = null;
  let beforeRequest: Parameters<HostApi['session']['defaultSession']['webRequest']['onBeforeRequest']>[0] | null = null;
  const calls = new Map<string, (event: IpcEvent, ...args: unknown[]) => unknown>();

  const server = http.createServer((request, response) => void answer(request, response));
  async function answer(from: http.IncomingMessage, to: http.ServerResponse): Promise<void> {
    const gone = new AbortController();
    to.once('close', () => gone.abort());
    try {
      const headers = new Headers();
      for (const [name, value] of Object.entries(from.headers)) {
        if (typeof value === 'string' && name !== 'host') headers.set(name, outer(value, origin));
      }
      const hasBody = from.method !== 'GET' && from.method !== 'HEAD';
      const init: RequestInit & { duplex: 'half' } = {
        method: from.method ?? 'GET',
        headers,
        signal: gone.signal,
        duplex: 'half',
        // Node's type of the same stream.
        ...(hasBody && { body: Readable.toWeb(from) as ReadableStream<Uint8Array> }),
      };
      if (!serve) throw new Error('no handler for studio://');
      const answered = await serve(new Request(`studio://app${from.url}`, init));
      // Electron makes a failed request of it.
      if (answered.type === 'error') return void to.destroy();
      to.writeHead(answered.status, Object.fromEntries(answered.headers));
      to.flushHeaders();
      if (answered.body === null) return void to.end();
      await pipeline(Readable.fromWeb(answered.body as Parameters<typeof Readable.fromWeb>[0]), to);
    } catch {
      to.destroy();
    }
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  const windows: DoubleWindow[] = [];
  const sides: DoubleBase[] = [];
  const cancelled: string[] = [];
  let closing = false;

  async function end(status: number): Promise<void> {
    if (isOver) return;
    isOver = true;
    for (const window of windows) window.destroyed = true;
    await context.close().catch(() => undefined);
    server.closeAllConnections();
    server.close();
    ended.resolve(status);
  }

  // Everything that is no page of ours: what Electron would ask the host about first.
  await context.route(
    (url) => url.origin !== origin,
    async (route) => {
      const request = route.request();
      const url = outer(request.url(), origin);
      const page = (() => {
        try {
          return request.frame().page();
        } catch {
          return null; // The first request of a page that is being opened.
        }
      })();
      const known = await Promise.all(windows.map(async (window) => ((await window.page) === page ? window : null)));
      const own = known.find((window) => window !== null);
      if (request.isNavigationRequest()) {
        if (own && request.frame() === request.frame().page().mainFrame()) {
          const event = preventable({ url });
          own.webContents.emit('will-navigate', event);
          if (event.prevented) return route.abort('aborted');
        } else if (!own) {
          for (const window of windows) window.webContents.windowOpen?.({ url });
          return route.abort('aborted');
        }
      }
      beforeRequest?.({ url }, ({ cancel }) => void (cancel && cancelled.push(url)));
      // Whatever was said: tests touch no network.
      return route.abort('blockedbyclient');
    },
  );

  const menuOf = (template: MenuItem[]): HostMenu => ({ items: template });
  const itemsOf = (menu: HostMenu | null): MenuItem[] => (menu?.items ?? []) as MenuItem[]; // as menuOf made them
  const preloadCode = fs.readFileSync(options.preload, 'utf8');
  const around = {
    context,
    origin: () => origin,
    preloadCode,
    platform,
    invoke: async (sender: DoubleContents, senderFrame: IpcEvent['senderFrame'], channel: string, args: unknown[]) =>
      call({ sender, senderFrame }, channel, args),
    displayMedia: askForScreen,
    onCreated: (contents: DoubleContents) => void app.emit('web-contents-created', {}, contents),
    onClosed() {
      if (windows.every((window) => window.destroyed)) app.emit('window-all-closed');
    },
  };
  async function askForScreen(frame: { url: string }): Promise<boolean> {
    if (!displayMedia) throw new Error('no handler of shared screens');
    const handler = displayMedia;
    return new Promise((done) => handler({ frame }, (streams) => done(streams !== null)));
  }
  async function call(event: IpcEvent, channel: string, args: unknown[]): Promise<unknown> {
    const handler = calls.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    return handler(event, ...args);
  }

  class BrowserWindow extends DoubleWindow {
    constructor(given: WindowOptions) {
      super(given, around);
      windows.push(this);
    }
  }
  class BaseWindow extends DoubleBase {
    constructor(given: PlainWindowOptions) {
      super(given);
      sides.push(this);
    }
  }
  class Tray extends EventEmitter {
    constructor(image: string) {
      super();
      double.tray = { image, toolTip: '', items: [] };
    }
    setImage(image: string): void {
      if (double.tray) double.tray.image = image;
    }
    setToolTip(text: string): void {
      if (double.tray) double.tray.toolTip = text;
    }
    setContextMenu(menu: HostMenu | null): void {
      if (double.tray) double.tray.items = itemsOf(menu);
    }
    destroy(): void {}
  }

  const hostApp: HostApi['app'] = Object.assign(app, {
    isPackaged,
    commandLine: {
      appendSwitch: (name: string, value?: string) =>
        void double.switches.push(value === undefined ? [name] : [name, value]),
    },
    requestSingleInstanceLock: () => isFirst,
    whenReady: () => ready.promise,
    getPath: (name: string) => path.join(folder, name),
    getVersion: () => '0.1.0',
    setAsDefaultProtocolClient(protocol: string) {
      double.clients.push(protocol);
      return true;
    },
    addRecentDocument: (file: string) => void double.recentDocuments.push(file),
    setAppUserModelId() {},
    setAboutPanelOptions() {},
    quit() {
      if (closing) return;
      const event = preventable({});
      app.emit('before-quit', event);
      if (event.prevented) return;
      closing = true;
      void end(0);
    },
    exit: (status = 0) => void end(status),
  });
  const session: HostApi['session']['defaultSession'] = {
    setPermissionRequestHandler: (handler) => {
      requestPermission = handler;
    },
    setPermissionCheckHandler: (handler) => {
      checkPermission = handler;
    },
    setDevicePermissionHandler: (handler) => {
      checkDevice = handler;
    },
    setDisplayMediaRequestHandler: (handler) => {
      displayMedia = handler;
    },
    setSpellCheckerEnabled: (enable) => {
      double.spellChecker = enable;
    },
    webRequest: {
      onBeforeRequest: (listener) => {
        beforeRequest = listener;
      },
    },
    on: () => session,
  };
  const firstContents = (): HostContents => {
    const contents = windows[0]?.webContents;
    if (!contents) throw new Error('there is no window yet');
    return contents;
  };

  const double: Double = {
    context,
    windows,
    sides,
    tray: null,
    menu: [],
    shortcuts: new Map(),
    awake: new Set(),
    switches: [],
    answers: [],
    asked: [],
    picks: [],
    external: [],
    openedPaths: [],
    schemes: [],
    crashReports: [],
    spellChecker: null,
    cancelled,
    power,
    app,
    recentDocuments: [],
    clients: [],
    ended: ended.promise,
    hasEnded: () => isOver,
    permission: (name) =>
      new Promise((done) => {
        if (!requestPermission) throw new Error('no handler of permissions');
        requestPermission(firstContents(), name, done);
      }),
    permissionCheck: (name) => checkPermission?.(firstContents(), name) ?? true,
    device: () => checkDevice?.() ?? true,
    displayMedia: askForScreen,
    shares: true,
    mayRequest(url) {
      let may = true;
      beforeRequest?.({ url }, ({ cancel }) => {
        may = !cancel;
      });
      return may;
    },
    invoke: (senderFrame, channel, ...args) => call({ sender: firstContents(), senderFrame }, channel, args),
    api: {
      app: hostApp,
      BrowserWindow,
      BaseWindow,
      Tray,
      Menu: {
        buildFromTemplate: menuOf,
        setApplicationMenu: (menu) => {
          double.menu = itemsOf(menu);
        },
      },
      protocol: {
        registerSchemesAsPrivileged: (schemes) => void double.schemes.push(...schemes.map(({ scheme }) => scheme)),
        handle(scheme, handler) {
          if (scheme === 'studio') serve = handler;
        },
      },
      session: { defaultSession: session },
      ipcMain: { handle: (channel, listener) => void calls.set(channel, listener) },
      dialog: {
        async showMessageBox({ message, detail, buttons }) {
          double.asked.push({ message, detail, buttons });
          const response = double.answers.shift();
          if (response === undefined) throw new Error(`nobody answers: ${message}`);
          return { response };
        },
        async showOpenDialog() {
          const file = double.picks.shift();
          return file === undefined ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [file] };
        },
      },
      shell: {
        openExternal: async (url) => void double.external.push(url),
        async openPath(file) {
          double.openedPaths.push(file);
          return '';
        },
      },
      screen: {
        getAllDisplays: () => displays,
        getPrimaryDisplay: () => displays[0] ?? oneDisplay(1280, 800),
        dipToScreenRect: (_window, rect: Rect) => rect,
      },
      globalShortcut: {
        register(accelerator, callback) {
          if (options.taken?.includes(accelerator)) return false;
          double.shortcuts.set(accelerator, callback);
          return true;
        },
        unregisterAll: () => double.shortcuts.clear(),
      },
      powerSaveBlocker: {
        start() {
          double.awake.add(++blockers);
          return blockers;
        },
        stop: (id) => double.awake.delete(id),
      },
      nativeTheme: { shouldUseDarkColors: false },
      powerMonitor: power,
      crashReporter: { start: (given) => void double.crashReports.push(given) },
      desktopCapturer: {
        getSources: async () =>
          (double.shares ? displays : []).map(({ id }) => ({
            id: `screen:${id}:0`,
            name: `Screen ${id}`,
            display_id: String(id),
            thumbnail: { toDataURL: () => PIXEL, isEmpty: () => false },
          })),
      },
      systemPreferences: { isTrustedAccessibilityClient: () => false },
    },
  };
  // As Electron: ready only after the entry has run.
  setImmediate(() => ready.resolve());
  return double;
}

/** A red pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8Dwn4EIAAAmBQH/lGNj9QAAAABJRU5ErkJggg==';
