import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How electron-builder makes the packages (`npm run package`). */

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const BUILD = join(ROOT, 'build', 'desktop');
const { electron } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies;

const both = (...targets) => targets.map((target) => ({ target, arch: ['x64', 'arm64'] }));

export const config = {
  appId: 'org.trajectory-studio.app',
  productName: 'Trajectory Studio',
  copyright: 'MIT licence',
  electronVersion: electron,
  directories: {
    app: 'build/desktop/app',
    output: 'build/desktop/out',
    buildResources: 'assets/icons',
  },
  // The host is one archive; the studio process stands beside it, since its own children (the capture process, workers,
  // ffmpeg) are started from files and native modules are loaded from them.
  asar: true,
  files: ['main.js', 'preload.cjs', 'package.json'],
  extraResources: [{ from: 'build/desktop/resources', to: '.', filter: ['**/*'] }],
  // Native modules are prebuilt for N-API, which Electron's Node speaks too.
  npmRebuild: false,
  electronFuses: {
    // The studio process and the capture process are Electron in Node mode: they must outlive the host's crash, which a
    // utility process does not, and a second Node would double the size.
    runAsNode: true,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
    resetAdHocDarwinSignature: true,
  },
  fileAssociations: [
    {
      ext: 'tstar',
      name: 'Trajectory Studio Recording',
      description: 'A recording with its screen, input and annotation',
      mimeType: 'application/x-trajectory-studio-recording',
      icon: 'archive',
      role: 'Editor',
    },
  ],
  protocols: [{ name: 'Trajectory Studio', schemes: ['trajectory-studio'], role: 'Viewer' }],
  // Nothing is published and nothing asks for updates.
  publish: null,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder's own placeholders
  artifactName: '${name}-${version}-${os}-${arch}.${ext}',
  win: { target: both('nsis'), icon: 'assets/icons/icon.ico' },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    installerIcon: 'assets/icons/icon.ico',
    uninstallerIcon: 'assets/icons/icon.ico',
    // Recordings belong to the people who made them.
    deleteAppDataOnUninstall: false,
  },
  mac: {
    target: both('dmg'),
    icon: 'assets/icons/icon.icns',
    category: 'public.app-category.developer-tools',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'electron/entitlements.plist',
    entitlementsInherit: 'electron/entitlements.plist',
    extendInfo: {
      NSScreenCaptureUsageDescription:
        'Trajectory Studio records the screen while you demonstrate a task, and only after you press Record.',
      NSInputMonitoringUsageDescription:
        'Trajectory Studio records the keys and clicks of a demonstration, so that each step is exact. Nothing is heard before you press Record or while you pause, but the recorder’s own keys.',
      NSAccessibilityUsageDescription:
        'Trajectory Studio reads which element is under the pointer, so that steps name what was clicked.',
    },
  },
  linux: {
    target: both('AppImage', 'deb'),
    icon: 'assets/icons/linux',
    category: 'Development',
    synopsis: 'Record, annotate and export desktop demonstrations',
    maintainer: 'Trajectory Studio',
    executableName: 'trajectory-studio-desktop',
  },
  deb: {
    // Beside Electron's own: what reads the screen and the keys on X11 (scripts/setup.mjs).
    depends: [
      ...['libgtk-3-0 | libgtk-3-0t64', 'libnotify4', 'libnss3', 'libxss1', 'libxtst6', 'xdg-utils', 'libatspi2.0-0'],
      ...['libx11-6', 'libxext6', 'libxdamage1', 'libxfixes3', 'libxrandr2', 'libxi6', 'libxt6', 'libxinerama1'],
      ...['libxkbfile1', 'libxkbcommon-x11-0', 'libsecret-1-0'],
    ],
    recommends: ['ffmpeg'],
  },
};
