import koffi from 'koffi';
import type { InputSettings } from '../../schemas/events.ts';
import { readVariant } from '../bus/gio.ts';
import type { Variant } from '../bus/gvariant.ts';
import type { Pointer } from '../memory/memory.ts';
import type { PointerSettings } from './device-event.ts';
import { DEFAULT_POINTER } from './evdev.ts';

/** GNOME's settings, where they are (GSettings); elsewhere nothing is known and the usual values stand in. */
type Fn<A extends unknown[], R> = (...args: A) => R;

let loaded: ReturnType<typeof bind> | null | undefined;
// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
function bind() {
  const g = koffi.load('libgio-2.0.so.0');
  return {
    source: g.func('void *g_settings_schema_source_get_default()') as Fn<[], Pointer | null>,
    lookup: g.func('void *g_settings_schema_source_lookup(void *source, const char *id, int recursive)') as Fn<
      [Pointer, string, number],
      Pointer | null
    >,
    hasKey: g.func('int g_settings_schema_has_key(void *schema, const char *key)') as Fn<[Pointer, string], number>,
    unrefSchema: g.func('void g_settings_schema_unref(void *schema)') as Fn<[Pointer], void>,
    settings: g.func('void *g_settings_new(const char *id)') as Fn<[string], Pointer>,
    value: g.func('void *g_settings_get_value(void *settings, const char *key)') as Fn<[Pointer, string], Pointer>,
    unrefVariant: g.func('void g_variant_unref(void *value)') as Fn<[Pointer], void>,
    unref: g.func('void g_object_unref(void *object)') as Fn<[Pointer], void>,
  };
}

/** A setting's value; null where there is no such setting. GLib would end the process for one that it does not know. */
export function readSetting(schema: string, key: string): Variant | null {
  try {
    loaded ??= bind();
  } catch {
    loaded = null;
  }
  const source = loaded?.source();
  const about = source ? loaded?.lookup(source, schema, 1) : null;
  if (!loaded || !about) return null;
  const known = loaded.hasKey(about, key) !== 0;
  loaded.unrefSchema(about);
  if (!known) return null;
  const settings = loaded.settings(schema);
  const value = loaded.value(settings, key);
  const result = readVariant(value);
  loaded.unrefVariant(value);
  loaded.unref(settings);
  return result;
}

const PERIPHERALS = 'org.gnome.desktop.peripherals';
export const isGnome = (env: NodeJS.ProcessEnv = process.env): boolean =>
  /gnome|unity/i.test(env.XDG_CURRENT_DESKTOP ?? '');

export function pointerSettings(): PointerSettings {
  if (!isGnome()) return DEFAULT_POINTER;
  const flag = (device: string, key: string, otherwise: boolean): boolean => {
    const value = readSetting(`${PERIPHERALS}.${device}`, key);
    return typeof value === 'boolean' ? value : otherwise;
  };
  return {
    naturalMouse: flag('mouse', 'natural-scroll', false),
    naturalTouchpad: flag('touchpad', 'natural-scroll', true),
    tapToClick: flag('touchpad', 'tap-to-click', true),
    leftHanded: flag('mouse', 'left-handed', false),
  };
}

export function inputSettings(): InputSettings {
  if (!isGnome()) return {};
  const doubleClick = readSetting(`${PERIPHERALS}.mouse`, 'double-click');
  const threshold = readSetting(`${PERIPHERALS}.mouse`, 'drag-threshold');
  return {
    ...(typeof doubleClick === 'number' && doubleClick > 0 && { doubleClickMs: doubleClick }),
    ...(typeof threshold === 'number' && threshold > 0 && { dragThresholdPx: threshold }),
  };
}
