import { StudioError } from '../../schemas/errors.ts';
import type { SessionClock } from '../clock/session-clock.ts';
import type { SyncPatch } from '../platform/platform.ts';
import type { WindowsApi } from './api.ts';

/** How often the patch's window takes its messages, ms: a window that takes none counts as hung after five seconds. */
const PUMP_MS = 100;

/**
 * The sync patch (C4): a small window above all others, without focus, whose colour changes at known times. It belongs to
 * the thread that opens it. Throws SYNC_FAILED when Windows refuses the window.
 */
export function openWindowsPatch(
  api: WindowsApi,
  clock: SessionClock,
  at: { x: number; y: number; size: number },
): SyncPatch {
  const window = api.createPatchWindow(at);
  if (window === 0n) throw failed('Windows gave no window');
  const pump = setInterval(() => api.pumpMessages(), PUMP_MS);
  pump.unref();
  let open = true;
  api.pumpMessages();
  return {
    paint: async (rgb) => {
      if (!open) throw failed('it is closed');
      api.pumpMessages();
      const before = clock.now();
      if (!api.fillWindow(window, at.size, rgb)) throw failed('Windows did not paint it');
      return { before, after: clock.now() };
    },
    close: async () => {
      if (!open) return;
      open = false;
      clearInterval(pump);
      api.DestroyWindow(window);
      api.pumpMessages();
    },
  };
}

function failed(why: string): StudioError {
  return new StudioError('SYNC_FAILED', `The sync patch cannot be shown: ${why}.`, {});
}
