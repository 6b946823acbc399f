import { join } from 'node:path';
import type { MenuCommand, OpenRequest } from '../../schemas/desktop.ts';
import type { HostApi, HostContents } from './api.ts';
import { createOverlay } from './bar.ts';
import { closeDoors, secureContents } from './doors.ts';
import { leavesOut, type Screen, screensOf } from './geometry.ts';
import { answerCalls, pick } from './ipc.ts';
import { type Log, openLog } from './log.ts';
import { menuTemplate } from './menu.ts';
import { askedFor, LINK_SCHEME, linkedPage, whatIs } from './open.ts';
import { forward } from './pipe.ts';
import { createQuit } from './quit.ts';
import { RecentLibrary } from './recent-library.ts';
import { HostRecording } from './recording.ts';
import { NETWORK_SWITCHES } from './security.ts';
import { answerSharing, createShare, forwardScreen, SCREEN_PREFIX } from './share.ts';
import { type StudioProgram, startStudio } from './studio-process.ts';
import { TrayIcon } from './tray-icon.ts';
import { createWindows } from './windows.ts';

type HostOptions = {
  program: StudioProgram;
  /** The preload script, built. */
  preload: string;
  /** The folder of icons. */
  icons: string;
  platform: string;
  /** os.release(). */
  release: string;
  /** The words after the program's name. */
  argv: readonly string[];
  cwd: string;
  wayland: boolean;
};

/** The desktop host. Its decisions are in the files beside this one. */
export function startHost(api: HostApi, options: HostOptions): void {
  const { app } = api;
  if (!app.requestSingleInstanceLock()) {
    // The one that runs is told what was asked for (second-instance).
    app.exit(0);
    return;
  }
  for (const [name, value] of NETWORK_SWITCHES)
    app.commandLine.appendSwitch(name, ...(value === undefined ? [] : [value]));
  // A Wayland session lets a program have keys of its own through its portal, which asks the person.
  if (options.wayland) app.commandLine.appendSwitch('enable-features', 'GlobalShortcutsPortal');
  api.protocol.registerSchemesAsPrivileged([
    { scheme: 'studio', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
  api.crashReporter.start({ submitURL: '', uploadToServer: false, compress: false });
  const log = openLog(app.getPath('logs'), 'host');
  log.write(`Trajectory Studio ${app.getVersion()} on ${options.platform} ${options.release}`);
  log.write(`crashes are written to ${app.getPath('crashDumps')} and sent nowhere`);
  process.on('uncaughtExceptionMonitor', (error) => log.write(`defect: ${error.stack ?? error.message}`));
  const host = new Host(api, options, log);
  host.listen();
  void app.whenReady().then(() => host.begin());
}

/** Wires Electron's doors to the studio process. */
class Host {
  readonly #api: HostApi;
  readonly #options: HostOptions;
  readonly #log: Log;
  readonly #library: RecentLibrary;
  readonly #studio: ReturnType<typeof startStudio>;
  readonly #windows: ReturnType<typeof createWindows>;
  readonly #share: ReturnType<typeof createShare> | null;
  readonly #recording: HostRecording;
  readonly #quit: ReturnType<typeof createQuit>;
  readonly #tray: TrayIcon;
  /** The commands of each page, by its id. */
  readonly #commands = new Map<number, MenuCommand[]>();
  /** Asked for before the first window was there. */
  #asked: OpenRequest | null;
  #isReady = false;

  constructor(api: HostApi, options: HostOptions, log: Log) {
    const { program, preload, icons, platform, release, wayland } = options;
    const { app } = api;
    this.#api = api;
    this.#options = options;
    this.#log = log;
    this.#asked = askedFor(options.argv, options.cwd);
    const screens = (): Screen[] => this.#screens();
    this.#studio = startStudio({
      program,
      platform,
      wayland,
      log,
      onReady: (pipe) => {
        void app.whenReady().then(() => {
          this.#recording.connect(pipe);
          this.#library.refresh();
        });
      },
      onGivenUp: (why) => void this.#quit.studioIsGone(why),
    });
    this.#library = new RecentLibrary({
      log,
      pipe: () => this.#studio.pipe(),
      onNewest: (dir) => app.addRecentDocument(dir),
      onRead: () => {
        this.#showMenu();
        this.#showTray();
      },
    });
    const overlay = createOverlay({
      api,
      preload,
      screens,
      leavesOut: leavesOut(platform, release),
      mayPlace: !wayland,
      onMoved: (rects) => this.#recording.barMoved(rects),
    });
    this.#windows = createWindows({
      api,
      preload,
      icon: join(icons, 'linux', '256x256.png'),
      memoryFile: join(app.getPath('userData'), 'windows.json'),
      screens,
      keeps: () => this.#quit.keepsWindow(this.#windows.all().length === 1),
      onFocus: () => this.#showMenu(),
      onPage: () => this.#library.refresh(),
      onLastClosed: () => platform !== 'darwin' && this.#quit.ask(),
    });
    this.#share = wayland ? createShare({ api, preload, log }) : null;
    this.#recording = new HostRecording({
      api,
      overlay,
      log,
      screens,
      wayland,
      windows: () => this.#windows.all(),
      start: () => this.#startAgain(),
      onChange: (now) => {
        this.#share?.follow(now);
        if (now === null || now.phase === 'done' || now.phase === 'failed') this.#library.refresh();
        this.#showTray();
      },
    });
    this.#quit = createQuit({
      api,
      log,
      recorder: () => this.#recording.now(),
      retry: () => this.#studio.retry(),
      logs: app.getPath('logs'),
      close: async () => {
        this.#recording.close();
        await this.#studio.stop();
        this.#share?.close();
      },
    });
    this.#tray = new TrayIcon(api, icons, platform);
  }

  /** Hears what Electron says of the app as a whole. */
  listen(): void {
    const { app } = this.#api;
    const log = this.#log;
    app.on('second-instance', (_event, argv, cwd) => this.#request(askedFor(argv.slice(1), cwd)));
    app.on('open-url', (event, url) => {
      event.preventDefault();
      this.#request(linkedPage(url));
    });
    app.on('open-file', (event, path) => {
      event.preventDefault();
      this.#request(whatIs(path));
    });
    app.on('web-contents-created', (_event, contents) => secureContents(contents, this.#api, log));
    app.on('render-process-gone', (_event, contents, { reason }) => {
      log.write(`a page's process ended: ${reason}`);
      if (reason !== 'clean-exit' && !contents.isDestroyed()) contents.reload();
    });
    app.on('child-process-gone', (_event, { type, reason }) => log.write(`process ${type} ended: ${reason}`));
    app.on('activate', () => void this.#windows.show());
    // Closing the last window is looked at by createWindows; the bar's end means nothing.
    app.on('window-all-closed', () => undefined);
    app.on('before-quit', (event) => {
      if (!this.#quit.mayQuit()) {
        event.preventDefault();
        this.#quit.ask();
      }
    });
  }

  /** Electron is ready: what may be asked of the host is answered, and the first window opens. */
  begin(): void {
    const api = this.#api;
    const { app } = api;
    const { platform, wayland } = this.#options;
    app.setAppUserModelId('org.trajectory-studio.app');
    app.setAboutPanelOptions({
      applicationName: 'Trajectory Studio',
      applicationVersion: app.getVersion(),
      copyright: 'MIT licence',
    });
    if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
    closeDoors(api, this.#log);
    answerSharing(api, this.#log);
    api.protocol.handle('studio', (page) => this.#answer(page));
    answerCalls({
      api,
      platform,
      wayland,
      log: this.#log,
      screens: () => this.#screens(),
      onMenu: (contents, list) => this.#setCommands(contents, list),
    });
    this.#isReady = true;
    const first = this.#asked;
    this.#windows.open(first?.kind === 'page' ? first.path : '/');
    if (first && first.kind !== 'page') this.#windows.request(first);
    this.#showMenu();
    this.#showTray();
  }

  #screens(): Screen[] {
    const { screen } = this.#api;
    return screensOf(screen.getAllDisplays(), this.#options.platform, (rect) => screen.dipToScreenRect(null, rect));
  }

  /** A request of a page. */
  async #answer(page: Request): Promise<Response> {
    try {
      const { pathname } = new URL(page.url);
      // The hidden page asks until a recorder listens.
      if (pathname.startsWith(SCREEN_PREFIX)) return await forwardScreen(page, this.#studio.screen);
      const response = await forward(page, await this.#studio.pipe());
      if (pathname === '/rpc/settings/set') this.#recording.readSettings();
      return response;
    } catch (error) {
      const why = error instanceof Error ? error.message : error;
      this.#log.write(`${page.method} ${new URL(page.url).pathname}: ${why}`);
      // A failed request, as if a server were gone: the page says so and asks again.
      return Response.error();
    }
  }

  #setCommands(contents: HostContents, list: MenuCommand[]): void {
    if (!this.#windows.isOne(contents)) return;
    this.#commands.set(contents.id, list);
    if (this.#windows.current()?.webContents.id === contents.id) this.#showMenu();
  }

  #request(what: OpenRequest | null): void {
    if (what === null) this.#windows.show();
    else if (this.#isReady) this.#windows.request(what);
    else this.#asked = what;
  }

  /** Records once more what was recorded last; by the key and by the tray. */
  #startAgain(): void {
    const page = this.#windows.recordPage();
    if (page === null) this.#windows.show();
    else this.#windows.request({ kind: 'page', path: page, command: 'record.start' });
  }

  #showMenu(): void {
    if (!this.#isReady) return;
    const { app, shell, Menu } = this.#api;
    const windows = this.#windows;
    const contents = windows.current()?.webContents;
    const commands = contents && !contents.isDestroyed() ? (this.#commands.get(contents.id) ?? []) : [];
    const acts = {
      command: windows.command,
      openFolder: () => void this.#picked('folder'),
      importRecording: () => void this.#picked('recording'),
      openWorkspace: (id: string) => windows.request({ kind: 'page', path: `/w/${encodeURIComponent(id)}` }),
      newWindow: () => void windows.open(),
      openLogs: () => void shell.openPath(app.getPath('logs')),
      quit: () => this.#quit.ask(),
    };
    const template = menuTemplate({ platform: this.#options.platform, commands, recent: this.#library.recent }, acts);
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }

  async #picked(what: 'folder' | 'recording'): Promise<void> {
    const path = await pick(this.#api, what);
    if (path === null) return;
    const found = whatIs(path);
    // A folder that is no workspace is said so by the page that tries to open it.
    this.#windows.request(found ?? (what === 'folder' ? { kind: 'workspace', dir: path } : { kind: 'import', path }));
  }

  #showTray(): void {
    if (!this.#isReady) return;
    const recording = this.#recording;
    const windows = this.#windows;
    const now = recording.now();
    const { last } = this.#library;
    const state = { now, last, keys: recording.keys(), startTaken: recording.isStartTaken() };
    this.#tray.show(state, {
      start: () => this.#startAgain(),
      stop: () => recording.command({ type: 'stop' }),
      pause: () => recording.command({ type: now?.paused === 'user' ? 'resume' : 'pause', reason: 'user' }),
      privacy: () => recording.command({ type: now?.paused === 'privacy' ? 'resume' : 'pause', reason: 'privacy' }),
      mark: () => recording.command({ type: 'mark', kind: 'subtask' }),
      moment: () => recording.command({ type: 'mark', kind: 'moment' }),
      forget: () => recording.command({ type: 'forget' }),
      openRecording: (ws, id) =>
        windows.request({ kind: 'page', path: `/w/${encodeURIComponent(ws)}/recordings/${encodeURIComponent(id)}` }),
      show: () => void windows.show(),
      quit: () => this.#quit.ask(),
    });
  }
}
