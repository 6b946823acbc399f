import { EventEmitter } from 'node:events';
import type { BrowserContext, Page } from 'playwright-core';
import type {
  HostContents,
  HostWindow,
  PlainWindow,
  PlainWindowOptions,
  Rect,
  WindowOptions,
} from '../../electron/host/api.ts';

/** Windows of the double: a page of a real Chromium each, with the real preload script in it. */

/** What the windows need of the rest of the double. */
export type Around = {
  context: BrowserContext;
  /** The address at which Chromium finds `studio://app`. */
  origin(): string;
  preloadCode: string;
  platform: string;
  invoke(
    contents: DoubleContents,
    frame: { url: string; parent: unknown } | null,
    channel: string,
    args: unknown[],
  ): Promise<unknown>;
  /** A page asks for pictures of the screen: true when the host gives it some. */
  displayMedia(frame: { url: string }): Promise<boolean>;
  onCreated(contents: DoubleContents): void;
  onClosed(): void;
};

export type DoubleContents = HostContents & {
  emit(event: string, ...args: unknown[]): boolean;
  /** What a page that opens a window is told. */
  windowOpen: ((details: { url: string }) => { action: 'deny' }) | null;
};

export type Preventable = { preventDefault(): void; prevented: boolean };
export function preventable<T extends object>(more: T): T & Preventable {
  const event = {
    ...more,
    prevented: false,
    preventDefault() {
      event.prevented = true;
    },
  };
  return event;
}

const inner = (url: string, origin: string): string => url.replace('studio://app', origin);
export const outer = (url: string, origin: string): string => url.replace(origin, 'studio://app');

/** In the page: what the host tells it. */
function tellIn([channel, value]: readonly [string, unknown]): void {
  Reflect.get(globalThis, '__tell')(channel, value);
}

let ids = 0;

abstract class Plain extends EventEmitter implements PlainWindow {
  bounds: Rect;
  visible = false;
  destroyed = false;
  level: string | null = null;
  protectedContent = false;
  ignoresMouse = false;
  /** As it was changed to; null: as it was made. */
  colour: string | null = null;
  constructor({ x = 0, y = 0, width, height }: { x?: number; y?: number; width: number; height: number }) {
    super();
    this.bounds = { x, y, width, height };
  }
  isDestroyed = (): boolean => this.destroyed;
  abstract destroy(): void;
  showInactive(): void {
    this.visible = true;
  }
  getBounds = (): Rect => ({ ...this.bounds });
  getNormalBounds = (): Rect => ({ ...this.bounds });
  setBounds(bounds: Rect): void {
    this.bounds = { ...bounds };
    this.emit('resize');
    this.emit('move');
  }
  setAlwaysOnTop(flag: boolean, level = 'floating'): void {
    this.level = flag ? level : null;
  }
  setContentProtection(enable: boolean): void {
    this.protectedContent = enable;
  }
  setVisibleOnAllWorkspaces(): void {}
  setIgnoreMouseEvents(ignore: boolean): void {
    this.ignoresMouse = ignore;
  }
  setBackgroundColor(colour: string): void {
    this.colour = colour;
  }
}

export class DoubleBase extends Plain {
  readonly options: PlainWindowOptions;
  constructor(options: PlainWindowOptions) {
    super(options);
    this.options = options;
  }
  destroy(): void {
    this.destroyed = true;
    this.visible = false;
  }
}

export class DoubleWindow extends Plain implements HostWindow {
  readonly options: WindowOptions;
  readonly webContents: DoubleContents;
  /** The page, once Chromium has made it. */
  readonly page: Promise<Page>;
  /** What the page's console and exceptions said that no test asked for. */
  readonly faults: string[] = [];
  minimized = false;
  maximized = false;
  readonly around: Around;

  constructor(options: WindowOptions, around: Around) {
    super(options);
    this.options = options;
    this.around = around;
    this.webContents = this.makeContents();
    this.page = this.makePage();
    this.page.catch(() => undefined);
    around.onCreated(this.webContents);
  }

  private makeContents(): DoubleContents {
    const emitter = new EventEmitter();
    const window = this;
    const contents = Object.assign(emitter, {
      id: ++ids,
      windowOpen: null as ((details: { url: string }) => { action: 'deny' }) | null,
      getURL: () => window.url,
      isDestroyed: () => window.destroyed,
      reload: () => void window.page.then((page) => page.reload()).catch(() => undefined),
      send(channel: string, ...args: unknown[]) {
        void window.page.then((page) => page.evaluate(tellIn, [channel, args[0]] as const)).catch(() => undefined);
      },
      // Playwright's evaluate counts as a person's gesture, as Electron's does when it is asked to.
      executeJavaScript: async (code: string) => (await window.page).evaluate(code),
      setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }) {
        contents.windowOpen = handler;
      },
    });
    return contents;
  }

  url = '';

  private async makePage(): Promise<Page> {
    const { context, origin, preloadCode, platform } = this.around;
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.setViewportSize({ width: this.bounds.width, height: this.bounds.height });
    await page.exposeBinding('__invoke', ({ frame }, channel: string, args: unknown[]) =>
      this.around.invoke(
        this.webContents,
        { url: outer(frame.url(), origin()), parent: frame.parentFrame() },
        channel,
        args,
      ),
    );
    await page.exposeBinding('__displayMedia', ({ frame }) =>
      this.around.displayMedia({ url: outer(frame.url(), origin()) }),
    );
    await page.addInitScript({ content: preloadIn(preloadCode, platform) });
    page.on('pageerror', (error) => this.faults.push(`${error.name}: ${error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) this.faults.push(message.text());
    });
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) return;
      this.url = outer(frame.url(), origin());
      this.webContents.emit('did-navigate-in-page', {}, this.url);
    });
    page.on('load', () => this.webContents.emit('did-finish-load'));
    page.on('crash', () => this.webContents.emit('crash'));
    page.on('popup', (popup) => void popup.close().catch(() => undefined));
    return page;
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.page;
    if (this.destroyed) return;
    // As long as it takes, as in Electron: the first start builds the pages.
    await page.goto(inner(url, this.around.origin()), { waitUntil: 'load', timeout: 0 });
    this.emit('ready-to-show');
  }
  show(): void {
    this.visible = true;
    this.minimized = false;
    this.focus();
  }
  hide(): void {
    this.visible = false;
  }
  focus(): void {
    this.emit('focus');
  }
  minimize(): void {
    this.minimized = true;
  }
  restore(): void {
    this.minimized = false;
    this.focus();
  }
  maximize(): void {
    this.maximized = true;
    this.emit('maximize');
  }
  isMinimized = (): boolean => this.minimized;
  isMaximized = (): boolean => this.maximized;
  isVisible = (): boolean => this.visible;
  close(): void {
    const event = preventable({});
    this.emit('close', event);
    if (!event.prevented) this.destroy();
  }
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.visible = false;
    void this.page.then((page) => page.close()).catch(() => undefined);
    this.emit('closed');
    this.around.onClosed();
  }
}

/** The preload script with what a sandboxed one may use, as an init script of the page. */
function preloadIn(code: string, platform: string): string {
  return `(() => {
    if (window !== window.top || location.protocol === 'about:') return;
    const listeners = new Map();
    Object.defineProperty(window, '__tell', { value: (channel, value) => {
      for (const listener of listeners.get(channel) ?? []) listener({}, value);
    } });
    const media = navigator.mediaDevices;
    const share = media?.getDisplayMedia.bind(media);
    if (share) media.getDisplayMedia = async (options) => {
      if (!(await window.__displayMedia())) throw new DOMException('Permission denied', 'NotAllowedError');
      return share(options);
    };
    const electron = {
      contextBridge: { exposeInMainWorld: (name, value) => Object.defineProperty(window, name, { value: Object.freeze({ ...value }) }) },
      ipcRenderer: {
        invoke: (channel, ...args) => window.__invoke(channel, args),
        on: (channel, listener) => listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
      },
      webUtils: { getPathForFile: (file) => (window.__paths ?? {})[file.name] ?? '' },
    };
    const require = (name) => {
      if (name === 'electron') return electron;
      throw new Error('a sandboxed preload script cannot load ' + name);
    };
    ((require, process) => {
      ${code}
    })(require, { platform: ${JSON.stringify(platform)} });
  })();`;
}
