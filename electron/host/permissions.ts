import type { PermissionName } from '../../schemas/desktop.ts';

/** The page of System Settings that grants each (macOS 13 and later answer to these names too). */
const PANES: Readonly<Record<PermissionName, string>> = {
  'screen-recording': 'Privacy_ScreenCapture',
  'input-monitoring': 'Privacy_ListenEvent',
  accessibility: 'Privacy_Accessibility',
};

/** The settings page of a permission; null when it is none that macOS asks for. */
export function settingsPage(permission: unknown): string | null {
  const pane = Object.entries(PANES).find(([name]) => name === permission)?.[1];
  return pane === undefined ? null : `x-apple.systempreferences:com.apple.preference.security?${pane}`;
}
