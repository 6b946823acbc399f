/**
 * The few functions of Electron that the host uses, typed. Everything else of the host is plain code over these, so that
 * the tests can give it a double with a real Chromium behind it (test/desktop). real.ts checks them against Electron's own
 * types. Positions and sizes are DIP unless a name says px.
 */
export type Rect = { x: number; y: number; width: number; height: number };

type Preventable = { preventDefault(): void };

type HostApp = {
  readonly isPackaged: boolean;
  readonly commandLine: { appendSwitch(name: string, value?: string): void };
  requestSingleInstanceLock(): boolean;
  whenReady(): Promise<void>;
  getPath(name: 'userData' | 'logs' | 'crashDumps'): string;
  getVersion(): string;
  setAsDefaultProtocolClient(protocol: string): boolean;
  addRecentDocument(path: string): void;
  setAppUserModelId(id: string): void;
  setAboutPanelOptions(options: { applicationName: string; applicationVersion: string; copyright: string }): void;
  quit(): void;
  exit(status?: number): void;
  on(event: 'second-instance', listener: (event: unknown, argv: string[], cwd: string) => void): unknown;
  on(event: 'open-file', listener: (event: Preventable, path: string) => void): unknown;
  on(event: 'open-url', listener: (event: Preventable, url: string) => void): unknown;
  on(event: 'before-quit', listener: (event: Preventable) => void): unknown;
  on(event: 'activate', listener: () => void): unknown;
  on(event: 'window-all-closed', listener: () => void): unknown;
  on(event: 'web-contents-created', listener: (event: unknown, contents: HostContents) => void): unknown;
  on(
    event: 'render-process-gone',
    listener: (event: unknown, contents: HostContents, details: { reason: string }) => void,
  ): unknown;
  on(
    event: 'child-process-gone',
    listener: (event: unknown, details: { type: string; reason: string }) => void,
  ): unknown;
};

export type HostContents = {
  readonly id: number;
  getURL(): string;
  isDestroyed(): boolean;
  reload(): void;
  send(channel: string, ...args: unknown[]): void;
  executeJavaScript(code: string, userGesture?: boolean): Promise<unknown>;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void;
  on(event: 'will-navigate', listener: (event: Preventable & { url: string }) => void): unknown;
  on(event: 'will-redirect', listener: (event: Preventable & { url: string }) => void): unknown;
  on(event: 'will-attach-webview', listener: (event: Preventable) => void): unknown;
  on(event: 'did-navigate-in-page', listener: (event: unknown, url: string) => void): unknown;
  on(event: 'did-finish-load', listener: () => void): unknown;
};

export type WindowOptions = {
  title: string;
  width: number;
  height: number;
  x?: number;
  y?: number;
  minWidth?: number;
  minHeight?: number;
  show: boolean;
  backgroundColor: string;
  icon?: string;
  frame?: boolean;
  resizable?: boolean;
  minimizable?: boolean;
  maximizable?: boolean;
  fullscreenable?: boolean;
  focusable?: boolean;
  skipTaskbar?: boolean;
  alwaysOnTop?: boolean;
  hasShadow?: boolean;
  type?: string;
  webPreferences: {
    preload: string;
    contextIsolation: boolean;
    sandbox: boolean;
    nodeIntegration: boolean;
    nodeIntegrationInWorker: boolean;
    nodeIntegrationInSubFrames: boolean;
    webSecurity: boolean;
    allowRunningInsecureContent: boolean;
    webviewTag: boolean;
    spellcheck: boolean;
    navigateOnDragDrop: boolean;
    backgroundThrottling: boolean;
  };
};
export type PlainWindowOptions = Pick<
  WindowOptions,
  'width' | 'height' | 'x' | 'y' | 'show' | 'backgroundColor' | 'frame' | 'resizable' | 'focusable' | 'skipTaskbar'
> & { alwaysOnTop: boolean; hasShadow: boolean };

/** The functions that a window of either kind has. */
export type PlainWindow = {
  isDestroyed(): boolean;
  destroy(): void;
  showInactive(): void;
  getBounds(): Rect;
  setBounds(bounds: Rect): void;
  setAlwaysOnTop(flag: boolean, level?: 'screen-saver'): void;
  setContentProtection(enable: boolean): void;
  setVisibleOnAllWorkspaces(visible: boolean, options?: { visibleOnFullScreen?: boolean }): void;
  setIgnoreMouseEvents(ignore: boolean): void;
  setBackgroundColor(colour: string): void;
};
export type HostWindow = PlainWindow & {
  readonly webContents: HostContents;
  loadURL(url: string): Promise<void>;
  show(): void;
  hide(): void;
  focus(): void;
  close(): void;
  minimize(): void;
  restore(): void;
  maximize(): void;
  isMinimized(): boolean;
  isMaximized(): boolean;
  isVisible(): boolean;
  getNormalBounds(): Rect;
  on(event: 'close', listener: (event: Preventable) => void): unknown;
  on(event: 'closed' | 'focus' | 'resize' | 'move' | 'maximize' | 'unmaximize', listener: () => void): unknown;
  once(event: 'ready-to-show', listener: () => void): unknown;
};

type MenuRole =
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'reload'
  | 'minimize'
  | 'zoom'
  | 'front'
  | 'close';
export type MenuItem = {
  id?: string;
  label?: string;
  type?: 'separator' | 'checkbox' | 'normal';
  role?: MenuRole;
  accelerator?: string;
  /** False: the accelerator is shown and the page hears the key (Linux and Windows). */
  registerAccelerator?: boolean;
  enabled?: boolean;
  checked?: boolean;
  submenu?: MenuItem[];
  click?: () => void;
};
/** Electron's menu, which the host only hands on. */
export type HostMenu = { readonly items: readonly unknown[] };

type HostTray = {
  setImage(image: string): void;
  setToolTip(text: string): void;
  setContextMenu(menu: HostMenu | null): void;
  on(event: 'click', listener: () => void): unknown;
  destroy(): void;
};

export type HostDisplay = {
  readonly id: number;
  readonly bounds: Rect;
  readonly workArea: Rect;
  readonly scaleFactor: number;
  /** The origin in px where the system places displays in px (X11); else 0, 0. */
  readonly nativeOrigin: { x: number; y: number };
};

type HostSession = {
  setPermissionRequestHandler(
    handler: (contents: HostContents, permission: string, callback: (granted: boolean) => void) => void,
  ): void;
  setPermissionCheckHandler(handler: (contents: HostContents | null, permission: string) => boolean): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  setDisplayMediaRequestHandler(
    handler: (
      request: { frame: { url: string } | null },
      callback: (streams: { video: { id: string; name: string } } | null) => void,
    ) => void,
  ): void;
  setSpellCheckerEnabled(enable: boolean): void;
  webRequest: {
    onBeforeRequest(
      listener: (details: { url: string }, callback: (response: { cancel: boolean }) => void) => void,
    ): void;
  };
  on(event: 'will-download', listener: (event: Preventable, item: { getURL(): string }) => void): unknown;
};

export type IpcEvent = { sender: HostContents; senderFrame: { url: string; parent: unknown } | null };

export type HostApi = {
  app: HostApp;
  BrowserWindow: new (options: WindowOptions) => HostWindow;
  BaseWindow: new (options: PlainWindowOptions) => PlainWindow;
  Tray: new (image: string) => HostTray;
  Menu: {
    buildFromTemplate(template: MenuItem[]): HostMenu;
    setApplicationMenu(menu: HostMenu | null): void;
  };
  protocol: {
    registerSchemesAsPrivileged(
      schemes: {
        scheme: string;
        privileges: { standard: boolean; secure: boolean; supportFetchAPI: boolean; stream: boolean };
      }[],
    ): void;
    handle(scheme: string, handler: (request: Request) => Promise<Response>): void;
  };
  session: { readonly defaultSession: HostSession };
  ipcMain: { handle(channel: string, listener: (event: IpcEvent, ...args: unknown[]) => unknown): void };
  dialog: {
    showMessageBox(options: {
      type: 'question' | 'warning' | 'error';
      message: string;
      detail: string;
      buttons: string[];
      defaultId: number;
      cancelId: number;
    }): Promise<{ response: number }>;
    showOpenDialog(options: {
      properties: ('openFile' | 'openDirectory' | 'createDirectory')[];
      filters?: { name: string; extensions: string[] }[];
    }): Promise<{ canceled: boolean; filePaths: string[] }>;
  };
  shell: { openExternal(url: string): Promise<void>; openPath(path: string): Promise<string> };
  screen: {
    getAllDisplays(): HostDisplay[];
    getPrimaryDisplay(): HostDisplay;
    /** Windows only; elsewhere it gives the rectangle back. */
    dipToScreenRect(window: null, rect: Rect): Rect;
  };
  globalShortcut: { register(accelerator: string, callback: () => void): boolean; unregisterAll(): void };
  powerSaveBlocker: { start(type: 'prevent-display-sleep'): number; stop(id: number): unknown };
  nativeTheme: { readonly shouldUseDarkColors: boolean };
  powerMonitor: { on(event: 'suspend' | 'resume', listener: () => void): unknown };
  crashReporter: {
    start(options: { submitURL: string; uploadToServer: boolean; compress: boolean }): void;
  };
  desktopCapturer: {
    getSources(options: {
      types: ('screen' | 'window')[];
      thumbnailSize: { width: number; height: number };
    }): Promise<
      { id: string; name: string; display_id: string; thumbnail: { toDataURL(): string; isEmpty(): boolean } }[]
    >;
  };
  systemPreferences: { isTrustedAccessibilityClient(prompt: boolean): boolean };
};
