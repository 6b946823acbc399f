import type { InputSettings } from '../../schemas/events.ts';
import { xlib } from './xlib.ts';

type XSetting = number | string | readonly [red: number, green: number, blue: number, alpha: number];

/**
 * The bytes of `_XSETTINGS_SETTINGS` as name -> value (XSETTINGS 0.5: byte order, serial, count; then each setting's type,
 * name padded to 4 bytes, serial and value). What does not fit ends the list; nothing is thrown.
 */
export function parseXSettings(bytes: Uint8Array): Map<string, XSetting> {
  const settings = new Map<string, XSetting>();
  if (bytes.length < 12) return settings;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0;
  const text = (from: number, length: number): string => {
    if (from + length > bytes.length) throw new RangeError('setting beyond the property');
    return Buffer.from(bytes.subarray(from, from + length)).toString('utf8');
  };
  const padded = (length: number): number => (length + 3) & ~3;
  const count = view.getUint32(8, little);
  let at = 12;
  try {
    for (let index = 0; index < count; index++) {
      const type = view.getUint8(at);
      const nameLength = view.getUint16(at + 2, little);
      const name = text(at + 4, nameLength);
      // The name's padding, then the setting's own serial.
      at += 4 + padded(nameLength) + 4;
      if (type === 0) {
        settings.set(name, view.getInt32(at, little));
        at += 4;
      } else if (type === 1) {
        const length = view.getUint32(at, little);
        settings.set(name, text(at + 4, length));
        at += 4 + padded(length);
      } else if (type === 2) {
        const channel = (offset: number): number => view.getUint16(at + offset, little);
        settings.set(name, [channel(0), channel(4), channel(2), channel(6)]);
        at += 8;
      } else {
        break;
      }
    }
  } catch {
    // Truncated: keep what was whole.
  }
  return settings;
}

/** Double-click time (ms) and drag threshold (px) out of the settings; absent where the desktop does not say. */
export function inputSettingsOf(settings: ReadonlyMap<string, XSetting>): InputSettings {
  const positive = (name: string): number | undefined => {
    const value = settings.get(name);
    return typeof value === 'number' && value > 0 ? value : undefined;
  };
  const doubleClickMs = positive('Net/DoubleClickTime');
  const dragThresholdPx = positive('Net/DndDragThreshold');
  return {
    ...(doubleClickMs === undefined ? {} : { doubleClickMs }),
    ...(dragThresholdPx === undefined ? {} : { dragThresholdPx }),
  };
}

/** The settings of the running desktop; {} without a settings manager, a server or the library. Never throws. */
export function readXSettings(displayName?: string): InputSettings {
  try {
    const x = xlib();
    const display = x.open(displayName ?? null);
    if (display === null) return {};
    try {
      const selection = x.atom(display, '_XSETTINGS_S0');
      const property = x.atom(display, '_XSETTINGS_SETTINGS');
      if (selection === 0 || property === 0) return {};
      // Grabbed: the owner must not vanish before its property is read, as the X error would end this process.
      const bytes = x.grabbed(display, () => {
        const owner = x.selectionOwner(display, selection);
        return owner === 0 ? null : x.property(display, owner, property);
      });
      return bytes === null ? {} : inputSettingsOf(parseXSettings(bytes));
    } finally {
      x.close(display);
    }
  } catch {
    return {};
  }
}
