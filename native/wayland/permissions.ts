import { userInfo } from 'node:os';
import { StudioError } from '../../schemas/errors.ts';
import { openBus } from '../bus/gio.ts';
import type { PermissionCheck } from '../platform/platform.ts';
import { inputAccess, inputFolder } from './input-devices.ts';
import { NO_PORTAL, portalVersion } from './portal.ts';

const WHY =
  'Wayland shows no program the input of others, so the keyboard and the mouse are read from the kernel, which the group "input" may do.';

const howTo = (): string =>
  `Run \`sudo usermod -aG input ${userInfo().username}\`, log out and in again. Everything that runs as you can hear the keyboard then; \`sudo gpasswd -d ${userInfo().username} input\` takes it back.`;

/** The reason why input cannot be heard; null where it can. */
export function inputRefused({ devices, readable }: ReturnType<typeof inputAccess>): StudioError | null {
  if (readable > 0) return null;
  if (devices === 0)
    return new StudioError('NO_PERMISSION', `There is no input device in ${inputFolder()}: ${WHY}`, {});
  return new StudioError(
    'NO_PERMISSION',
    `None of the ${devices} input devices in ${inputFolder()} may be read. ${WHY} ${howTo()}`,
    {
      devices,
    },
  );
}

/** Rights that a Wayland desktop must grant before a recording. */
export function waylandPermissions(): PermissionCheck[] {
  return [screen(), input()];
}

function screen(): PermissionCheck {
  const id = 'screen-cast';
  try {
    const bus = openBus();
    const version = portalVersion(bus);
    bus.close();
    if (version !== null)
      return {
        id,
        granted: true,
        what: `the desktop shares its screen (ScreenCast portal, version ${version}), and asks the first time`,
        fix: '',
      };
    return { id, granted: false, what: 'the desktop has no ScreenCast portal', fix: NO_PORTAL };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return { id, granted: false, what: `the session bus cannot be reached: ${what}`, fix: NO_PORTAL };
  }
}

function input(): PermissionCheck {
  const id = 'input';
  const access = inputAccess(inputFolder());
  const refused = inputRefused(access);
  if (refused) return { id, granted: false, what: refused.message, fix: howTo() };
  const all = access.readable === access.devices;
  const what = `input of all programs by ${access.readable} of ${access.devices} devices in ${inputFolder()}`;
  return { id, granted: all ? true : 'unknown', what, fix: all ? '' : howTo() };
}
