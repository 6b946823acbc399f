import { join } from 'node:path';
import type { MenuCommand, OpenRequest } from '../../schemas/desktop.ts';
import type { HostApi } from './api.ts';
import { createOverlay } from './bar.ts';
import { closeDoors, secureContents } from './doors.ts';
import { leavesOut, type Screen, screensOf } from './geometry.ts';
import { answerCalls, pick } from './ipc.ts';
import { openLog } from './log.ts';
import { menuTemplate } from './menu.ts';
import { askedFor, LINK_SCHEME, linkedPage, whatIs } from './open.ts';
import { forward } from './pipe.ts';
import { createQuit } from './quit.ts';
import { readLibrary } from './recent.ts';
import { createRecording } from './recording.ts';
import { NETWORK_SWITCHES } from './security.ts';
import { answerSharing, createShare, forwardScreen, SCREEN_PREFIX } from './share.ts';
import { type StudioProgram, startStudio } from './studio-process.ts';
import { type LastRecording, trayPicture, trayTemplate, trayWords } from './tray.ts';
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

/** The desktop host: wires Electron's doors to the studio process. Its decisions are in the files beside this one. */
export function startHost(api: HostApi, options: HostOptions): void {
  const { app } = api;
  if (!app.requestSingleInstanceLock()) {
    // The one that runs is told what was asked for (second-instance).
    app.exit(0);
    return;
  }
  const { platform, icons } = options;
  for (const [name, value] of NETWORK_SWITCHES)
    app.commandLine.appendSwitch(name, ...(value === undefined ? [] : [value]));
  // A Wayland session lets a program have keys of its own through its portal, which asks the person.
  if (options.wayland) app.commandLine.appendSwitch('enable-features', 'GlobalShortcutsPortal');
  api.protocol.registerSchemesAsPrivileged([
    { scheme: 'studio', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
  api.crashReporter.start({ submitURL: '', uploadToServer: false, compress: false });
  const log = openLog(app.getPath('logs'), 'host');
  log.write(`Trajectory Studio ${app.getVersion()} on ${platform} ${options.release}`);
  log.write(`crashes are written to ${app.getPath('crashDumps')} and sent nowhere`);
  process.on('uncaughtExceptionMonitor', (error) => log.write(`defect: ${error.stack ?? error.message}`));

  const commands = new Map<number, MenuCommand[]>();
  let recent: { id: string; name: string; dir: string }[] = [];
  let last: LastRecording[] = [];
  let asked: OpenRequest | null = askedFor(options.argv, options.cwd);
  let isReady = false;

  const screens = (): Screen[] =>
    screensOf(api.screen.getAllDisplays(), platform, (rect) => api.screen.dipToScreenRect(null, rect));
  const studio = startStudio({
    program: options.program,
    platform,
    wayland: options.wayland,
    log,
    onReady(pipe) {
      void app.whenReady().then(() => {
        recording.connect(pipe);
        refreshLibrary();
      });
    },
    onGivenUp: (why) => void quit.studioIsGone(why),
  });
  const overlay = createOverlay({
    api,
    preload: options.preload,
    screens,
    leavesOut: leavesOut(platform, options.release),
    mayPlace: !options.wayland,
    onMoved: (rects) => recording.barMoved(rects),
  });
  const windows = createWindows({
    api,
    preload: options.preload,
    icon: join(icons, 'linux', '256x256.png'),
    memoryFile: join(app.getPath('userData'), 'windows.json'),
    screens,
    keeps: () => quit.keepsWindow(windows.all().length === 1),
    onFocus: showMenu,
    onPage: refreshLibrary,
    onLastClosed: () => platform !== 'darwin' && quit.ask(),
  });
  const share = options.wayland ? createShare({ api, preload: options.preload, log }) : null;
  let trayShown = '';
  const recording = createRecording({
    api,
    overlay,
    log,
    screens,
    wayland: options.wayland,
    windows: windows.all,
    start,
    onChange(now) {
      share?.follow(now);
      if (now === null || now.phase === 'done' || now.phase === 'failed') refreshLibrary();
      showTray();
    },
  });
  const quit = createQuit({
    api,
    log,
    recorder: recording.now,
    retry: studio.retry,
    logs: app.getPath('logs'),
    async close() {
      recording.close();
      await studio.stop();
      share?.close();
    },
  });

  /** Records once more what was recorded last; by the key and by the tray. */
  function start(): void {
    const page = windows.recordPage();
    if (page === null) windows.show();
    else windows.request({ kind: 'page', path: page, command: 'record.start' });
  }
  function request(what: OpenRequest | null): void {
    if (what === null) windows.show();
    else if (isReady) windows.request(what);
    else asked = what;
  }
  let libraryTimer: NodeJS.Timeout | undefined;
  /** Asks what was opened and recorded last, for the menu and the tray; a moment later, once for many changes. */
  function refreshLibrary(): void {
    clearTimeout(libraryTimer);
    libraryTimer = setTimeout(() => {
      studio
        .pipe()
        .then(readLibrary)
        .then((library) => {
          const [newest] = library.recent;
          if (newest && newest.dir !== recent[0]?.dir) app.addRecentDocument(newest.dir);
          [recent, last] = [library.recent, library.last];
          showMenu();
          showTray();
        })
        .catch((error: Error) => log.write(`library: ${error.message}`));
    }, 300);
    libraryTimer.unref();
  }

  function showMenu(): void {
    if (!isReady) return;
    const contents = windows.current()?.webContents;
    const own = contents && !contents.isDestroyed() ? (commands.get(contents.id) ?? []) : [];
    const acts = {
      command: windows.command,
      openFolder: () => void picked('folder'),
      importRecording: () => void picked('recording'),
      openWorkspace: (id: string) => windows.request({ kind: 'page', path: `/w/${encodeURIComponent(id)}` }),
      newWindow: () => void windows.open(),
      openLogs: () => void api.shell.openPath(app.getPath('logs')),
      quit: () => quit.ask(),
    };
    const template = menuTemplate({ platform, commands: own, recent }, acts);
    api.Menu.setApplicationMenu(api.Menu.buildFromTemplate(template));
  }
  async function picked(what: 'folder' | 'recording'): Promise<void> {
    const path = await pick(api, what);
    if (path === null) return;
    const found = whatIs(path);
    // A folder that is no workspace is said so by the page that tries to open it.
    windows.request(found ?? (what === 'folder' ? { kind: 'workspace', dir: path } : { kind: 'import', path }));
  }

  let tray: InstanceType<HostApi['Tray']> | null = null;
  function showTray(): void {
    if (!isReady) return;
    const now = recording.now();
    const template = trayTemplate(
      { now, last, keys: recording.keys(), startTaken: recording.isStartTaken() },
      {
        start,
        stop: () => recording.command({ type: 'stop' }),
        pause: () => recording.command({ type: now?.paused === 'user' ? 'resume' : 'pause', reason: 'user' }),
        privacy: () => recording.command({ type: now?.paused === 'privacy' ? 'resume' : 'pause', reason: 'privacy' }),
        mark: () => recording.command({ type: 'mark' }),
        forget: () => recording.command({ type: 'forget' }),
        openRecording: (ws, id) =>
          windows.request({
            kind: 'page',
            path: `/w/${encodeURIComponent(ws)}/recordings/${encodeURIComponent(id)}`,
          }),
        show: () => void windows.show(),
        quit: () => quit.ask(),
      },
    );
    const shown = JSON.stringify([template, trayPicture(now)]);
    if (shown === trayShown) return;
    trayShown = shown;
    const template16 = platform === 'darwin' ? 'Template' : '';
    const picture = join(icons, 'tray', `${trayPicture(now)}${template16}.${platform === 'win32' ? 'ico' : 'png'}`);
    if (tray) tray.setImage(picture);
    else {
      tray = new api.Tray(picture);
      if (platform !== 'darwin') tray.on('click', () => void windows.show());
    }
    tray.setToolTip(trayWords(now));
    tray.setContextMenu(api.Menu.buildFromTemplate(template));
  }

  app.on('second-instance', (_event, argv, cwd) => request(askedFor(argv.slice(1), cwd)));
  app.on('open-url', (event, url) => {
    event.preventDefault();
    request(linkedPage(url));
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    request(whatIs(path));
  });
  app.on('web-contents-created', (_event, contents) => secureContents(contents, api, log));
  app.on('render-process-gone', (_event, contents, { reason }) => {
    log.write(`a page's process ended: ${reason}`);
    if (reason !== 'clean-exit' && !contents.isDestroyed()) contents.reload();
  });
  app.on('child-process-gone', (_event, { type, reason }) => log.write(`process ${type} ended: ${reason}`));
  app.on('activate', () => void windows.show());
  // Closing the last window is looked at by createWindows; the bar's end means nothing.
  app.on('window-all-closed', () => undefined);
  app.on('before-quit', (event) => {
    if (!quit.mayQuit()) {
      event.preventDefault();
      quit.ask();
    }
  });

  void app.whenReady().then(() => {
    app.setAppUserModelId('org.trajectory-studio.app');
    app.setAboutPanelOptions({
      applicationName: 'Trajectory Studio',
      applicationVersion: app.getVersion(),
      copyright: 'MIT licence',
    });
    if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
    closeDoors(api, log);
    answerSharing(api, log);
    api.protocol.handle('studio', async (page) => {
      try {
        const { pathname } = new URL(page.url);
        // The hidden page asks until a recorder listens.
        if (pathname.startsWith(SCREEN_PREFIX)) return await forwardScreen(page, studio.screen);
        const response = await forward(page, await studio.pipe());
        if (pathname === '/rpc/settings/set') recording.readSettings();
        return response;
      } catch (error) {
        log.write(`${page.method} ${new URL(page.url).pathname}: ${error instanceof Error ? error.message : error}`);
        // A failed request, as if a server were gone: the page says so and asks again.
        return Response.error();
      }
    });
    answerCalls({
      api,
      platform,
      wayland: options.wayland,
      log,
      screens,
      onMenu(contents, list) {
        if (!windows.isOne(contents)) return;
        commands.set(contents.id, list);
        if (windows.current()?.webContents.id === contents.id) showMenu();
      },
    });
    isReady = true;
    const first = asked;
    windows.open(first?.kind === 'page' ? first.path : '/');
    if (first && first.kind !== 'page') windows.request(first);
    showMenu();
    showTray();
  });
}
