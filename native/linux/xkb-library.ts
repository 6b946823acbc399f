import koffi from 'koffi';
import { lazy, type Pointer } from '../memory/memory.ts';
import { libX11 } from './library.ts';

/** Xlib's XKB: its functions and structures (XKB.h, XKBstr.h), each once, for all that read the keyboard. */

export const CORE_KEYBOARD = 0x100;
export const ALL_MAP_COMPONENTS = 0xff;
const GROUPS = 4;

type Fn<A extends unknown[], R> = (...args: A) => R;
type Out = number[];
type Description = Pointer;
export type XkbState = { group: number; latched_mods: number; locked_mods: number; lookup_mods: number };

// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
export const xkbLibrary = lazy(() => {
  const lib = libX11();
  // The tails that are not read are left out, as these are only decoded from memory that Xlib owns, or `State` fills.
  const State = koffi.struct({
    group: 'uint8',
    locked_group: 'uint8',
    base_group: 'uint16',
    latched_group: 'uint16',
    mods: 'uint8',
    base_mods: 'uint8',
    latched_mods: 'uint8',
    locked_mods: 'uint8',
    compat_state: 'uint8',
    grab_mods: 'uint8',
    compat_grab_mods: 'uint8',
    lookup_mods: 'uint8',
    compat_lookup_mods: 'uint8',
    ptr_buttons: 'uint16',
  });
  const query = lib.func(
    'int XkbQueryExtension(void *display, _Out_ int *opcode, _Out_ int *event, _Out_ int *error, _Inout_ int *major, _Inout_ int *minor)',
  ) as Fn<[Pointer, Out, Out, Out, Out, Out], number>;
  const getState = lib.func('int XkbGetState(void *display, uint device, _Out_ void *state)');
  const free = lib.func('void XkbFreeKeyboard(void *description, uint which, int freeAll)');
  const translate = lib.func(
    'int XkbTranslateKeyCode(void *description, uint8 keycode, uint mods, _Out_ uint *consumed, _Out_ ulong *keysym)',
  ) as Fn<[Description, number, number, Out, Out], number>;
  return {
    Description: koffi.struct({
      dpy: 'void *',
      flags: 'uint16',
      device_spec: 'uint16',
      min_key_code: 'uint8',
      max_key_code: 'uint8',
      ctrls: 'void *',
      server: 'void *',
      map: 'void *',
      indicators: 'void *',
      names: 'void *',
    }),
    Names: koffi.struct({ before: koffi.array('ulong', 5 + 16 + 32), groups: koffi.array('ulong', GROUPS) }),
    ClientMap: koffi.struct({
      size_types: 'uint8',
      num_types: 'uint8',
      types: 'void *',
      size_syms: 'uint16',
      num_syms: 'uint16',
      syms: 'void *',
      key_sym_map: 'void *',
      modmap: 'void *',
    }),
    ServerMap: koffi.struct({
      num_acts: 'uint16',
      size_acts: 'uint16',
      acts: 'void *',
      behaviors: 'void *',
      key_acts: 'void *',
    }),
    SymMap: koffi.struct({
      kt_index: koffi.array('uint8', GROUPS),
      group_info: 'uint8',
      width: 'uint8',
      offset: 'uint16',
    }),
    /** The number of its first event; null where the server has no XKB. */
    initialise(display: Pointer): { firstEvent: number } | null {
      const event = [0];
      return query(display, [0], event, [0], [1], [0]) === 0 ? null : { firstEvent: event[0] ?? 0 };
    },
    select: lib.func('int XkbSelectEvents(void *display, uint device, uint affect, uint values)') as Fn<
      [Pointer, number, number, number],
      number
    >,
    selectDetails: lib.func(
      'int XkbSelectEventDetails(void *display, uint device, uint type, ulong affect, ulong details)',
    ) as Fn<[Pointer, number, number, number, number], number>,
    state(display: Pointer): XkbState {
      const bytes = Buffer.alloc(koffi.sizeof(State));
      getState(display, CORE_KEYBOARD, bytes);
      return koffi.decode(bytes, State);
    },
    getMap: lib.func('void *XkbGetMap(void *display, uint which, uint device)') as Fn<
      [Pointer, number, number],
      Description | null
    >,
    getNames: lib.func('int XkbGetNames(void *display, uint which, void *description)') as Fn<
      [Pointer, number, Description],
      number
    >,
    getControls: lib.func('int XkbGetControls(void *display, ulong which, void *description)') as Fn<
      [Pointer, number, Description],
      number
    >,
    free(description: Description): void {
      free(description, 0, 1);
    },
    modifiersOf: lib.func('uint XkbKeysymToModifiers(void *display, ulong keysym)') as Fn<[Pointer, number], number>,
    /** Keysym (0: none) and the modifiers that its key type took into account, for `mods` with the group in bits 13, 14. */
    translate(description: Description, keycode: number, mods: number): { keysym: number; consumed: number } {
      const [consumed, keysym]: [Out, Out] = [[0], [0]];
      if (translate(description, keycode, mods, consumed, keysym) === 0) return { keysym: 0, consumed: 0 };
      return { keysym: Number(keysym[0]), consumed: consumed[0] ?? 0 };
    },
    update: lib.func(
      'int XkbUpdateMapFromCore(void *description, uint8 first, int keys, int width, const ulong *keysyms, void *changes)',
    ) as Fn<[Description, number, number, number, BigUint64Array, null], number>,
    keysymName: lib.func('const char *XKeysymToString(ulong keysym)') as Fn<[number], string | null>,
  };
});
