import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian packages that the studio, its desktop app and its tests need, and what shows that each is there. */

/** The purpose of a package: recording at all, the desktop app, tests and the demo only, or the benches only. */
export const NEED = 'start';
const APP = 'app';
export const TEST = 'test';
export const BENCH = 'bench';

const library = (purpose) => (entry) => {
  // `instead`: its name in newer releases, where the old one is a name that several packages answer to.
  const [name, file, instead] = entry;
  return { name, for: purpose, library: file, ...(instead && { instead }) };
};

export const PACKAGES = [
  { name: 'ffmpeg', for: NEED, program: 'ffmpeg' },
  ...[
    ['libx11-6', 'libX11.so.6'],
    ['libxext6', 'libXext.so.6'],
    ['libxdamage1', 'libXdamage.so.1'],
    ['libxfixes3', 'libXfixes.so.3'],
    ['libxrandr2', 'libXrandr.so.2'],
    ['libxtst6', 'libXtst.so.6'],
    ['libxi6', 'libXi.so.6'],
    ['libxt6', 'libXt.so.6'],
    ['libxinerama1', 'libXinerama.so.1'],
    ['libxkbfile1', 'libxkbfile.so.1'],
    ['libxkbcommon-x11-0', 'libxkbcommon-x11.so.0'],
  ].map(library(NEED)),
  // Libraries that Electron's program is linked with or loads, beside the above (`ldd electron`, and its own .deb).
  ...[
    ['libnss3', 'libnss3.so'],
    ['libnspr4', 'libnspr4.so'],
    ['libatk1.0-0', 'libatk-1.0.so.0', 'libatk1.0-0t64'],
    ['libatk-bridge2.0-0', 'libatk-bridge-2.0.so.0', 'libatk-bridge2.0-0t64'],
    ['libatspi2.0-0', 'libatspi.so.0', 'libatspi2.0-0t64'],
    ['libcups2', 'libcups.so.2', 'libcups2t64'],
    ['libdbus-1-3', 'libdbus-1.so.3'],
    ['libdrm2', 'libdrm.so.2'],
    ['libexpat1', 'libexpat.so.1'],
    ['libgtk-3-0', 'libgtk-3.so.0', 'libgtk-3-0t64'],
    ['libgbm1', 'libgbm.so.1'],
    ['libasound2', 'libasound.so.2', 'libasound2t64'],
    ['libpango-1.0-0', 'libpango-1.0.so.0'],
    ['libcairo2', 'libcairo.so.2'],
    ['libxcomposite1', 'libXcomposite.so.1'],
    ['libxkbcommon0', 'libxkbcommon.so.0'],
    ['libnotify4', 'libnotify.so.4'],
    ['libsecret-1-0', 'libsecret-1.so.0'],
  ].map(library(APP)),
  { name: 'xkb-data', for: TEST, file: '/usr/share/X11/xkb/symbols/us' },
  { name: 'xvfb', for: TEST, program: 'Xvfb' },
  { name: 'xdotool', for: TEST, program: 'xdotool' },
  { name: 'openbox', for: TEST, program: 'openbox' },
  { name: 'xterm', for: TEST, program: 'xterm' },
  { name: 'xkbset', for: TEST, program: 'xkbset' },
  { name: 'xvkbd', for: TEST, program: 'xvkbd' },
  { name: 'chromium', for: TEST, program: 'chromium' },
  // Debian's: tests do without it where Chromium came another way.
  {
    name: 'chromium-headless-shell',
    for: TEST,
    program: 'chromium-headless-shell',
    beside: { program: 'chromium', file: '/usr/lib/chromium' },
  },
  { name: 'mousepad', for: TEST, program: 'mousepad' },
  { name: 'zenity', for: TEST, program: 'zenity' },
  // Unpacks .tar.xz for recipes.
  { name: 'xz-utils', for: TEST, program: 'xz' },
  { name: 'bubblewrap', for: TEST, program: 'bwrap' },
  // Programs that ask for secrets, in a window or in a terminal (test/e2e/secrets.e2e.ts): a few megabytes together.
  ...[
    ['yad', 'yad'],
    ['dialog', 'dialog'],
    ['whiptail', 'whiptail'],
    ['tmux', 'tmux'],
    ['screen', 'screen'],
    ['sudo', 'sudo'],
    ['gpg', 'gpg'],
    ['openssh-client', 'ssh-keygen'],
    ['pinentry-gtk2', 'pinentry-gtk-2'],
    ['pinentry-qt', 'pinentry-qt'],
    ['pinentry-fltk', 'pinentry-fltk'],
    ['pinentry-curses', 'pinentry-curses'],
    ['pinentry-tty', 'pinentry-tty'],
    ['pinentry-gnome3', 'pinentry-gnome3'],
    ['lxqt-sudo', 'lxqt-sudo'],
  ].map(([name, program]) => ({ name, for: TEST, program })),
  { name: 'ssh-askpass', for: TEST, file: '/usr/libexec/ssh-askpass/x11-ssh-askpass' },
  { name: 'ssh-askpass-gnome', for: TEST, file: '/usr/lib/openssh/gnome-ssh-askpass' },
  { name: 'python3-tk', for: TEST, file: '/usr/share/doc/python3-tk' },
  // Shows what programs tell beside their windows (test/e2e/privacy.e2e.ts).
  { name: 'dunst', for: TEST, program: 'dunst' },
  // The clock of a scenario, and what tells on a stage beside its windows (studio/play/stage/clock.ts, studio/agents/compositions/day.ts).
  { name: 'faketime', for: TEST, program: 'faketime' },
  { name: 'libnotify-bin', for: TEST, program: 'notify-send' },
  // Programs of the day that ships (npm run demo -- --scenario), beside mousepad, chromium, dunst and gnumeric.
  { name: 'mutt', for: TEST, program: 'mutt' },
  { name: 'nano', for: TEST, program: 'nano' },
  { name: 'calcurse', for: TEST, program: 'calcurse' },
  { name: 'slirp4netns', for: TEST, program: 'slirp4netns' },
  // Pictures of a display in a cage (native/linux/shm.ts).
  { name: 'libx11-xcb1', for: TEST, library: 'libX11-xcb.so.1' },
  { name: 'libxcb-shm0', for: TEST, library: 'libxcb-shm.so.0' },
  { name: 'gimp', for: TEST, program: 'gimp' },
  { name: 'x11-xserver-utils', for: TEST, program: 'xrandr' },
  { name: 'x11-xkb-utils', for: TEST, program: 'setxkbmap' },
  // Windows, to be tested on (scripts/setup-windows.mjs).
  { name: 'wine64', for: TEST, file: '/usr/lib/wine/wine64' },
  { name: 'wine', for: TEST, program: 'wine' },
  { name: 'fonts-wine', for: TEST, file: '/usr/share/wine/fonts' },
  { name: 'x11-utils', for: TEST, program: 'xdpyinfo' },
  { name: 'dbus-x11', for: TEST, program: 'dbus-launch' },
  { name: 'at-spi2-core', for: TEST, file: '/usr/share/dbus-1/services/org.a11y.Bus.service' },
  // The store is tested over a server of it, too (test/support/postgres.ts).
  { name: 'postgresql', for: TEST, file: '/usr/share/doc/postgresql' },
  // The proxy before a team's server (test/e2e/studio/team-proxy.e2e.ts).
  { name: 'caddy', for: TEST, program: 'caddy' },
  // Reads deploy/docker-compose.yml (test/e2e/studio/team-deploy.e2e.ts).
  { name: 'python3-yaml', for: TEST, file: '/usr/lib/python3/dist-packages/yaml/__init__.py' },
  // Input methods: the bus, what GTK programs speak to it with, a Chinese and a Japanese engine (which is a script for Python).
  { name: 'ibus', for: TEST, program: 'ibus-daemon' },
  { name: 'ibus-gtk3', for: TEST, file: '/usr/share/doc/ibus-gtk3' },
  { name: 'ibus-libpinyin', for: TEST, file: '/usr/share/ibus/component/libpinyin.xml' },
  { name: 'ibus-anthy', for: TEST, file: '/usr/share/ibus/component/anthy.xml' },
  { name: 'python3-gi', for: TEST, file: '/usr/lib/python3/dist-packages/gi' },
  { name: 'python3-pyqt5', for: TEST, file: '/usr/lib/python3/dist-packages/PyQt5/__init__.py' },
  { name: 'gir1.2-gtk-3.0', for: TEST, file: '/usr/share/doc/gir1.2-gtk-3.0' },
  // A Wayland session without a graphics card (test/wayland).
  { name: 'mutter', for: TEST, program: 'mutter' },
  { name: 'libgl1-mesa-dri', for: TEST, file: '/usr/share/drirc.d/00-mesa-defaults.conf' },
  // A microphone without a sound card (test/e2e/voice.e2e.ts).
  { name: 'pulseaudio', for: TEST, program: 'pulseaudio' },
  { name: 'pulseaudio-utils', for: TEST, program: 'pacat' },
  { name: 'pipewire', for: TEST, program: 'pipewire' },
  { name: 'pipewire-bin', for: TEST, program: 'pw-link' },
  { name: 'pipewire-pulse', for: TEST, program: 'pipewire-pulse' },
  { name: 'wireplumber', for: TEST, program: 'wireplumber' },
  { name: 'dbus', for: TEST, program: 'dbus-daemon' },
  { name: 'libglib2.0-bin', for: TEST, program: 'gdbus' },
  { name: 'fonts-dejavu-core', for: TEST, file: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf' },
  // Programs that benches work in: large; tests with them are left out where they are missing.
  { name: 'libreoffice-calc', for: BENCH, file: '/usr/lib/libreoffice/program/libsclo.so' },
  { name: 'libreoffice-writer', for: BENCH, file: '/usr/lib/libreoffice/program/libswuilo.so' },
  { name: 'libreoffice-impress', for: BENCH, file: '/usr/lib/libreoffice/program/libsdlo.so' },
  { name: 'libreoffice-gtk3', for: BENCH, file: '/usr/lib/libreoffice/program/libvclplug_gtk3lo.so' },
  { name: 'inkscape', for: BENCH, program: 'inkscape' },
  { name: 'firefox-esr', for: BENCH, program: 'firefox-esr' },
  { name: 'featherpad', for: BENCH, program: 'featherpad' },
  { name: 'qt6ct', for: BENCH, program: 'qt6ct' },
  { name: 'gnome-calculator', for: BENCH, program: 'gnome-calculator' },
  ...[
    'geany',
    'pluma',
    'zim',
    'kcalc',
    'gnumeric',
    'sqlitebrowser',
    'xournalpp',
    'evince',
    'thunar',
    'qalculate-gtk',
    'scite',
    'kolourpaint',
  ].map((name) => ({ name, for: BENCH, program: name })),
  { name: 'python3-gi', for: BENCH, file: '/usr/lib/python3/dist-packages/gi/__init__.py' },
  { name: 'gir1.2-gtk-4.0', for: BENCH, file: '/usr/share/doc/gir1.2-gtk-4.0/copyright' },
  // GIMP and other GTK 2 programs tell of their elements only with it.
  { name: 'libatk-adaptor', for: BENCH, file: '/etc/X11/Xsession.d/90atk-adaptor' },
];

/**
 * Those that are not there. `hasElectron`: Electron's program is, so its libraries are wanted too. `libraries`: names that
 * the loader knows; null where it cannot be asked (Alpine, Nix): then none is missing, and doctor loads them for real.
 */
export function missingOf(packages, { purpose, hasElectron, hasOwnFfmpeg, libraries, hasProgram, hasFile }) {
  return packages.filter((one) => {
    if (one.for === TEST && purpose !== TEST && purpose !== BENCH) return false;
    if (one.for === BENCH && purpose !== BENCH) return false;
    if (one.for === APP && !hasElectron) return false;
    if (one.name === 'ffmpeg' && hasOwnFfmpeg) return false;
    if (one.beside && hasProgram(one.beside.program) && !hasFile(one.beside.file)) return false;
    if (one.program) return !hasProgram(one.program);
    if (one.library) return libraries !== null && !libraries.has(one.library);
    return !hasFile(one.file);
  });
}

/** The things that cannot be done without them, a line for each purpose. */
export function lacking(missing) {
  const of = (purpose) => missing.filter((one) => one.for === purpose).map((one) => one.name);
  const [needed, app] = [of(NEED), of(APP)];
  return [
    ...(needed.length > 0 ? [`Without ${needed.join(', ')} nothing can be recorded.`] : []),
    ...(app.length > 0
      ? [`Without ${app.join(', ')} the desktop app does not start; the browser serves instead.`]
      : []),
    ...(of(TEST).length > 0 && needed.length === 0 && app.length === 0
      ? ['Only tests and the demo need them; those that do will fail.']
      : []),
    ...(of(BENCH).length > 0 ? [`Without ${of(BENCH).join(', ')} benches and tests leave their programs out.`] : []),
  ];
}

export function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    const names = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
    return names.some((name) => isExecutable(join(folder, name)));
  });
}

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const isThere = existsSync;
