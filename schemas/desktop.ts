/**
 * The desktop app's part in a page: `window.desktop`, which the preload script puts there (electron/preload.ts). In a
 * browser it is not there, and the pages do without. Plain data only: everything crosses a process boundary.
 */

/** A command as the native menu shows it. */
export type MenuCommand = {
  id: string;
  label: string;
  /** The heading under which it stands: `Everywhere`, `Annotate`. */
  group: string;
  /** Its key as renderer/ui/keys writes it (`Ctrl+Shift+Z`, `D`); null when it has none. */
  key: string | null;
  enabled: boolean;
};

/** A wish of the host for what a page shows. */
export type OpenRequest =
  /** A page of the studio; the command is done once it can be. */
  | { kind: 'page'; path: string; command?: string }
  | { kind: 'workspace'; dir: string }
  /** A recording's folder or archive, to be imported into the workspace at hand. */
  | { kind: 'import'; path: string };

/** A display or window that can be captured, with a small picture of it as a data: address. */
export type CaptureSource = {
  kind: 'display' | 'window';
  name: string;
  /** The place of a display, physical px; null for a window, or where the system does not say. */
  rect: { x: number; y: number; width: number; height: number } | null;
  thumbnail: string;
};

/** The permissions that macOS must give before a recording. */
export const PERMISSIONS = ['screen-recording', 'input-monitoring', 'accessibility'] as const;
export type PermissionName = (typeof PERMISSIONS)[number];

export type DesktopBridge = {
  /** The host's system as Node names it: `linux`, `darwin`, `win32`. */
  platform: string;
  /** The native menu shows these from now on. */
  showMenu(commands: readonly MenuCommand[]): void;
  /** A command was chosen in the menu, the tray or by a global shortcut. Gives the way to stop listening. */
  onCommand(listener: (id: string) => void): () => void;
  onOpen(listener: (request: OpenRequest) => void): () => void;
  /** The system's own dialog; null when it was closed. */
  pick(what: 'folder' | 'recording'): Promise<string | null>;
  /** The use of a dropped file or folder; null when the studio has no use for it. */
  dropped(file: File): Promise<OpenRequest | null>;
  /** Displays and windows with small pictures; empty where the system gives none. */
  sources(): Promise<CaptureSource[]>;
  /** Shows an export's folder in the system's file manager. Throws for a folder that this studio did not write. */
  openFolder(path: string): Promise<void>;
  /** Lets the system ask for a permission, and opens its page in the system's settings. */
  allow(permission: PermissionName): Promise<void>;
};
