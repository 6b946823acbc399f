import { startSessionClock } from '../../../native/clock/session-clock.ts';
import { openPlatform } from '../../../native/index.ts';
import type { Platform } from '../../../native/platform/platform.ts';
import type { Preflight } from '../../../schemas/api/models.ts';
import { examine } from '../doctor/doctor.ts';
import { thisMachine } from '../doctor/machine.ts';

/**
 * Looks at this machine and writes a Preflight as JSON to stdout. A process of its own: a display that is gone ends or
 * hangs whoever asks it, and that must not be the studio. Arguments: the folder that recordings would go to; `--shared`
 * where the desktop app shares the screen (Wayland).
 */
const folder = process.argv[2] ?? '.';
const shared = process.argv.includes('--shared');
const machine = thisMachine(shared);

async function look<T>(ask: (platform: Platform) => T, otherwise: T): Promise<T> {
  try {
    const platform = await openPlatform(startSessionClock(), { shared });
    try {
      return ask(platform);
    } finally {
      platform.close();
    }
  } catch {
    return otherwise; // The check of the display says why.
  }
}

function freeBytes(): number | null {
  try {
    return machine.freeBytes(folder);
  } catch {
    return null;
  }
}

const { status, checks } = await examine(machine, folder);
const seen = await look(
  (platform) => ({
    displays: platform.displays(),
    windows: platform
      .windows()
      .filter(({ title, bounds }) => title !== '' && bounds !== null)
      .map(({ id, title, app, bounds }) => ({ id, title, app, bounds })),
  }),
  { displays: [], windows: [] },
);
const answer: Preflight = { status, checks, ...seen, freeBytes: freeBytes(), ...(shared && { shared }) };
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
