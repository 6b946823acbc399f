import type { PermissionCheck } from '../platform/platform.ts';
import type { MacApi } from './api.ts';

const PRIVACY = 'System Settings > Privacy & Security';
const SETTINGS = 'x-apple.systempreferences:com.apple.preference.security';

/** The permissions that macOS must give (I5): each with the pane that grants it. The three asked for here never open a dialog. */
export function macPermissions(api: MacApi): PermissionCheck[] {
  const fix = (pane: string, anchor: string): string =>
    `Open ${PRIVACY} > ${pane} (\`open "${SETTINGS}?${anchor}"\`), switch on the program that you start the recorder from (your terminal, or Trajectory Studio), then quit and start that program again.`;
  return [
    {
      id: 'screen-recording',
      granted: api.CGPreflightScreenCaptureAccess(),
      what: 'the picture of the screen and the titles of windows',
      fix: fix('Screen & System Audio Recording (named "Screen Recording" before macOS 15)', 'Privacy_ScreenCapture'),
    },
    {
      id: 'input-monitoring',
      granted: api.CGPreflightListenEventAccess(),
      what: 'keys and pointer input in other programs',
      fix: fix('Input Monitoring', 'Privacy_ListenEvent'),
    },
    {
      id: 'accessibility',
      granted: api.AXIsProcessTrusted(),
      what: 'the input hook and the elements under the pointer',
      fix: fix('Accessibility', 'Privacy_Accessibility'),
    },
  ];
}
