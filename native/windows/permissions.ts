import type { PermissionCheck } from '../platform/platform.ts';
import type { WindowsApi } from './api.ts';

const PER_MONITOR_AWARE_V2 = -4;
/** DPI_AWARENESS_PER_MONITOR_AWARE. Either version sees physical pixels; Node's own manifest asks for the first. */
const PER_MONITOR = 2;
const SM_REMOTESESSION = 0x1000;

/**
 * Makes this process see physical pixels. Must come before any other call that has to do with the screen; it fails when
 * a manifest has set it already, which is as good.
 */
export function becomeDpiAware(api: WindowsApi): void {
  api.SetProcessDpiAwarenessContext(PER_MONITOR_AWARE_V2);
}

/** Permissions on Windows (I5). It asks nobody for leave, so nothing is refused here; limits are reported. */
export function windowsPermissions(api: WindowsApi): PermissionCheck[] {
  const aware = api.GetAwarenessFromDpiAwarenessContext(api.GetThreadDpiAwarenessContext()) === PER_MONITOR;
  return [
    {
      id: 'elevated-windows',
      granted: api.IsUserAnAdmin() ? true : 'unknown',
      what: 'input to windows of programs that run as administrator',
      fix: 'Windows hides such input from other programs. If the task uses one, start this recorder with "Run as administrator".',
    },
    {
      id: 'desktop-duplication',
      granted: api.GetSystemMetrics(SM_REMOTESESSION) === 0 ? true : 'unknown',
      what: 'screen capture through Desktop Duplication',
      fix: 'It may be missing in a remote desktop session. Record at the machine itself, or use an ffmpeg older than 6 (gdigrab).',
    },
    {
      id: 'dpi-awareness',
      granted: aware,
      what: 'positions in physical pixels on scaled displays',
      fix: 'Open the properties of node.exe (or of this application), Compatibility, Change high DPI settings, and clear "Override high DPI scaling behavior". Windows 10 1703 or newer is needed.',
    },
  ];
}
