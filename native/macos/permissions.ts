import type { PermissionCheck } from '../platform.ts';
import type { MacApi } from './api.ts';

const PRIVACY = 'System Settings > Privacy & Security';

/** What macOS must allow (I5): each with the pane that grants it. The three asked for here never open a dialog. */
export function macPermissions(api: MacApi): PermissionCheck[] {
  const fix = (pane: string): string =>
    `Open ${PRIVACY} > ${pane}, switch on the program that you start the recorder from (your terminal, or Trajectory Studio), then quit and start that program again.`;
  return [
    {
      id: 'screen-recording',
      granted: api.CGPreflightScreenCaptureAccess(),
      what: 'the picture of the screen and the titles of windows',
      fix: fix('Screen & System Audio Recording (named "Screen Recording" before macOS 15)'),
    },
    {
      id: 'input-monitoring',
      granted: api.CGPreflightListenEventAccess(),
      what: 'keys and pointer input in other programs',
      fix: fix('Input Monitoring'),
    },
    {
      id: 'accessibility',
      granted: api.AXIsProcessTrusted(),
      what: 'the input hook and the elements under the pointer',
      fix: fix('Accessibility'),
    },
  ];
}
