import type { LibraryHandle } from 'koffi';
import { bindLibrary } from '../memory/library.ts';
import { lazy, type Pointer } from '../memory/memory.ts';

/**
 * libdbus, which the accessibility bus and every program that speaks on it have, as plain values. It ends the process where
 * it is handed a name that is none, so what names things is checked by its own words first. It checks what arrives before it
 * hands it out: nothing is read beyond a message, and values are nested at most 64 deep.
 */
type Fn<A extends unknown[], R> = (...args: A) => R;

const MISSING =
  ', through which programs are asked for their elements. Install it: "apt install libdbus-1-3" (Debian, Ubuntu), "dnf install dbus-libs" (Fedora).';
export const libdbus = lazy(() => bindLibrary('libdbus-1.so.3', MISSING, bind));

// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
function bind(d: LibraryHandle) {
  return {
    open: d.func('void *dbus_connection_open_private(const char *address, void *error)') as Fn<
      [string, null],
      Pointer | null
    >,
    close: d.func('void dbus_connection_close(void *bus)') as Fn<[Pointer], void>,
    unrefBus: d.func('void dbus_connection_unref(void *bus)') as Fn<[Pointer], void>,
    isConnected: d.func('int dbus_connection_get_is_connected(void *bus)') as Fn<[Pointer], number>,
    /** Waits until something can be read or written, no longer than `ms`, and does it; 0 once the connection is lost. */
    readWrite: d.func('int dbus_connection_read_write(void *bus, int ms)') as Fn<[Pointer, number], number>,
    /** The next message that has come, to be unreferenced. */
    pop: d.func('void *dbus_connection_pop_message(void *bus)') as Fn<[Pointer], Pointer | null>,
    send: d.func('int dbus_connection_send(void *bus, void *message, _Out_ uint32_t *serial)') as Fn<
      [Pointer, Pointer, number[]],
      number
    >,
    isPath: d.func('int dbus_validate_path(const char *path, void *error)') as Fn<[string, null], number>,
    isBusName: d.func('int dbus_validate_bus_name(const char *name, void *error)') as Fn<[string, null], number>,
    isFace: d.func('int dbus_validate_interface(const char *name, void *error)') as Fn<[string, null], number>,
    isMember: d.func('int dbus_validate_member(const char *name, void *error)') as Fn<[string, null], number>,
    newCall: d.func(
      'void *dbus_message_new_method_call(const char *name, const char *path, const char *face, const char *method)',
    ) as Fn<[string, string, string, string], Pointer | null>,
    unref: d.func('void dbus_message_unref(void *message)') as Fn<[Pointer], void>,
    kind: d.func('int dbus_message_get_type(void *message)') as Fn<[Pointer], number>,
    replyTo: d.func('uint32_t dbus_message_get_reply_serial(void *message)') as Fn<[Pointer], number>,
    sender: d.func('const char *dbus_message_get_sender(void *message)') as Fn<[Pointer], string | null>,
    path: d.func('const char *dbus_message_get_path(void *message)') as Fn<[Pointer], string | null>,
    face: d.func('const char *dbus_message_get_interface(void *message)') as Fn<[Pointer], string | null>,
    member: d.func('const char *dbus_message_get_member(void *message)') as Fn<[Pointer], string | null>,
    errorName: d.func('const char *dbus_message_get_error_name(void *message)') as Fn<[Pointer], string | null>,
    beginAppend: d.func('void dbus_message_iter_init_append(void *message, void *at)') as Fn<[Pointer, Pointer], void>,
    appendText: d.func('int dbus_message_iter_append_basic(void *at, int type, const char **value)') as Fn<
      [Pointer, number, string[]],
      number
    >,
    appendNumber: d.func('int dbus_message_iter_append_basic(void *at, int type, int64_t *value)') as Fn<
      [Pointer, number, bigint[]],
      number
    >,
    openContainer: d.func(
      'int dbus_message_iter_open_container(void *at, int type, const char *of, void *inside)',
    ) as Fn<[Pointer, number, string, Pointer], number>,
    closeContainer: d.func('int dbus_message_iter_close_container(void *at, void *inside)') as Fn<
      [Pointer, Pointer],
      number
    >,
    /** 0 for a message without arguments. */
    beginRead: d.func('int dbus_message_iter_init(void *message, void *at)') as Fn<[Pointer, Pointer], number>,
    /** The type of the value there, 0 at the end. */
    typeAt: d.func('int dbus_message_iter_get_arg_type(void *at)') as Fn<[Pointer], number>,
    elementType: d.func('int dbus_message_iter_get_element_type(void *at)') as Fn<[Pointer], number>,
    next: d.func('int dbus_message_iter_next(void *at)') as Fn<[Pointer], number>,
    goIn: d.func('void dbus_message_iter_recurse(void *at, void *inside)') as Fn<[Pointer, Pointer], void>,
    readText: d.func('void dbus_message_iter_get_basic(void *at, _Out_ const char **value)') as Fn<
      [Pointer, (string | null)[]],
      void
    >,
    /** Up to eight bytes. */
    readNumber: d.func('void dbus_message_iter_get_basic(void *at, void *value)') as Fn<[Pointer, Uint8Array], void>,
  };
}
