import { existsSync } from 'node:fs';
import { join } from 'node:path';
import koffi, { type LibraryHandle } from 'koffi';
import { bindLibrary } from '../memory/library.ts';
import type { Pointer } from '../memory/memory.ts';
import { parseVariant, type Variant } from './gvariant.ts';

/**
 * D-Bus by GLib's own library, which every desktop with a portal has (the portal is made of it). A client in JavaScript
 * would not do: the portal hands its PipeWire connection over as a file descriptor, which Node's sockets cannot receive.
 */
export type Bus = {
  /**
   * Calls and waits. `args`: a tuple in GVariant's text. Throws BusError.
   */
  call(to: Address, method: string, args?: string, withinMs?: number): { value: Variant[]; fds: number[] };
  /** Our own name on the bus, `:1.42`. */
  name: string;
  /** Hears a signal from now on; returns the end of it. Heard only within `turn`. */
  subscribe(signal: SignalMatch, heard: (value: Variant[], from: Omit<Address, 'face'>) => void): () => void;
  /** Hands out the signals that have come. Never waits. */
  turn(): void;
  isOpen(): boolean;
  /** GLib's own connection, and work whose callbacks come within `turn`: for a double of the portal, which serves. */
  connection: Pointer;
  within<T>(work: () => T): T;
  close(): void;
};
export type Address = { name: string; path: string; face: string };
/** `null`: anybody's, any. `first`: what the signal's first argument says. */
export type SignalMatch = {
  sender: string | null;
  path: string | null;
  face: string;
  member: string;
  first?: string;
};

/** An error of the other side: `name` is D-Bus' own (`org.freedesktop.DBus.Error.ServiceUnknown`), or empty. */
export class BusError extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

type Fn<A extends unknown[], R> = (...args: A) => R;
type OutPointer = (Pointer | null)[];

const AUTHENTICATE = 1;
const MESSAGE_BUS = 8;
const SESSION_BUS = 2;
const CALL_MS = 25_000;

const MISSING =
  ', through which the desktop is asked for its screen and where its elements are told. Install GLib: "apt install libglib2.0-0" (Debian, Ubuntu), "dnf install glib2" (Fedora).';
let loaded: ReturnType<typeof bind> | null = null;
export function gio(): ReturnType<typeof bind> {
  loaded ??= bindLibrary('libgio-2.0.so.0', MISSING, bind);
  return loaded;
}

// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
function bind(g: LibraryHandle) {
  const signal = koffi.proto(
    'void GioSignal(void *bus, const char *sender, const char *path, const char *face, const char *member, void *args, void *data)',
  );
  return {
    signal,
    busAddress: g.func('void *g_dbus_address_get_for_bus_sync(int type, void *cancel, _Out_ void **error)') as Fn<
      [number, null, OutPointer],
      Pointer | null
    >,
    copyText: g.func('void *g_strdup(const char *text)') as Fn<[string], Pointer>,
    connect: g.func(
      'void *g_dbus_connection_new_for_address_sync(void *address, int flags, void *observer, void *cancel, _Out_ void **error)',
    ) as Fn<[Pointer, number, null, null, OutPointer], Pointer | null>,
    exitOnClose: g.func('void g_dbus_connection_set_exit_on_close(void *bus, int yes)') as Fn<[Pointer, number], void>,
    uniqueName: g.func('const char *g_dbus_connection_get_unique_name(void *bus)') as Fn<[Pointer], string>,
    isClosed: g.func('int g_dbus_connection_is_closed(void *bus)') as Fn<[Pointer], number>,
    closeSync: g.func('int g_dbus_connection_close_sync(void *bus, void *cancel, void *error)') as Fn<
      [Pointer, null, null],
      number
    >,
    call: g.func(
      'void *g_dbus_connection_call_with_unix_fd_list_sync(void *bus, const char *name, const char *path, const char *face, const char *method, void *args, void *type, int flags, int ms, void *fds, _Out_ void **outFds, void *cancel, _Out_ void **error)',
    ) as Fn<
      [Pointer, string, string, string, string, Pointer, null, number, number, null, OutPointer, null, OutPointer],
      Pointer | null
    >,
    fdCount: g.func('int g_unix_fd_list_get_length(void *list)') as Fn<[Pointer], number>,
    fdGet: g.func('int g_unix_fd_list_get(void *list, int index, void *error)') as Fn<[Pointer, number, null], number>,
    subscribe: g.func(
      'uint g_dbus_connection_signal_subscribe(void *bus, const char *sender, const char *face, const char *member, const char *path, const char *arg, int flags, void *callback, void *data, void *free)',
    ) as Fn<
      [Pointer, string | null, string, string, string | null, string | null, number, Pointer, null, null],
      number
    >,
    unsubscribe: g.func('void g_dbus_connection_signal_unsubscribe(void *bus, uint id)') as Fn<[Pointer, number], void>,
    contextNew: g.func('void *g_main_context_new()') as Fn<[], Pointer>,
    contextPush: g.func('void g_main_context_push_thread_default(void *context)') as Fn<[Pointer], void>,
    contextPop: g.func('void g_main_context_pop_thread_default(void *context)') as Fn<[Pointer], void>,
    contextTurn: g.func('int g_main_context_iteration(void *context, int wait)') as Fn<[Pointer, number], number>,
    variantParse: g.func(
      'void *g_variant_parse(void *type, const char *text, void *limit, void *end, _Out_ void **error)',
    ) as Fn<[null, string, null, null, OutPointer], Pointer | null>,
    variantPrint: g.func('void *g_variant_print(void *value, int annotate)') as Fn<[Pointer, number], Pointer>,
    variantUnref: g.func('void g_variant_unref(void *value)') as Fn<[Pointer], void>,
    remoteError: g.func('void *g_dbus_error_get_remote_error(void *error)') as Fn<[Pointer], Pointer | null>,
    errorFree: g.func('void g_error_free(void *error)') as Fn<[Pointer], void>,
    free: g.func('void g_free(void *memory)') as Fn<[Pointer], void>,
    unref: g.func('void g_object_unref(void *object)') as Fn<[Pointer], void>,
  };
}

const GError = koffi.struct({ domain: 'uint32', code: 'int', message: 'const char *' });

/** A text that GLib made, freed. */
function takeText(pointer: Pointer): string {
  const text = koffi.decode(pointer, 'char', -1) as string; // a NUL-terminated string, as decode gives it
  gio().free(pointer);
  return text;
}

/** A variant's value; the variant itself stays the caller's. */
export function readVariant(variant: Pointer): Variant {
  return parseVariant(takeText(gio().variantPrint(variant, 0)));
}

/** A signal's arguments; null when they cannot be read, since any program may send anything. */
function readSignal(args: Pointer): Variant[] | null {
  try {
    const value = readVariant(args);
    return Array.isArray(value) ? value : [value];
  } catch {
    return null;
  }
}

/** A new variant (floating) from its text. Throws BusError. */
export function makeVariant(text: string): Pointer {
  const error: OutPointer = [null];
  const made = gio().variantParse(null, text, null, null, error);
  if (made) return made;
  throw takeError(error);
}

function takeError([error]: OutPointer): BusError {
  if (!error) return new BusError('', 'D-Bus gave no reason.');
  const g = gio();
  const remote = g.remoteError(error);
  const name = remote ? takeText(remote) : '';
  const { message } = koffi.decode(error, GError) as { message: string }; // as the struct says
  g.errorFree(error);
  return new BusError(name, message.replace(/^GDBus\.Error:[\w.]+: /, ''));
}

/** Whether there is a session bus. Where there is none GLib would start one, which nobody ends. */
export function hasSessionBus(): boolean {
  const { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: folder } = process.env;
  return Boolean(address) || Boolean(folder && existsSync(join(folder, 'bus')));
}

/** A connection of our own, to the session bus where no other address is given. Throws BusError where there is none. */
export function openBus(at?: string): Bus {
  if (at === undefined && !hasSessionBus()) throw new BusError('', 'This session has no D-Bus session bus.');
  const g = gio();
  const error: OutPointer = [null];
  const address = at === undefined ? g.busAddress(SESSION_BUS, null, error) : g.copyText(at);
  if (!address) throw takeError(error);
  const context = g.contextNew();
  // Signals are delivered to the context that was the thread's own when they were subscribed.
  const within = <T>(work: () => T): T => {
    g.contextPush(context);
    try {
      return work();
    } finally {
      g.contextPop(context);
    }
  };
  const bus = within(() => g.connect(address, AUTHENTICATE | MESSAGE_BUS, null, null, error));
  g.free(address);
  if (!bus) throw takeError(error);
  g.exitOnClose(bus, 0);
  let open = true;
  const callbacks = new Set<bigint>();

  return {
    name: g.uniqueName(bus),
    connection: bus,
    within,
    call({ name, path, face }, method, args = '()', withinMs = CALL_MS) {
      const failed: OutPointer = [null];
      const list: OutPointer = [null];
      const answer = g.call(
        bus,
        name,
        path,
        face,
        method,
        makeVariant(args),
        null,
        0,
        withinMs,
        null,
        list,
        null,
        failed,
      );
      if (!answer) throw takeError(failed);
      const value = readVariant(answer);
      g.variantUnref(answer);
      const fds: number[] = [];
      if (list[0]) {
        for (let i = 0; i < g.fdCount(list[0]); i++) fds.push(g.fdGet(list[0], i, null));
        g.unref(list[0]);
      }
      return { value: Array.isArray(value) ? value : [value], fds };
    },
    subscribe(match, heard) {
      const hear = (_bus: Pointer, name: string, path: string, _face: string, _member: string, args: Pointer) => {
        const value = readSignal(args);
        if (value) heard(value, { name, path });
      };
      const callback = koffi.register(hear, koffi.pointer(g.signal)) as bigint; // koffi hands callbacks out as addresses
      callbacks.add(callback);
      const id = within(() =>
        g.subscribe(
          bus,
          match.sender,
          match.face,
          match.member,
          match.path,
          match.first ?? null,
          0,
          callback,
          null,
          null,
        ),
      );
      return () => {
        if (open) g.unsubscribe(bus, id);
      };
    },
    turn() {
      while (open && g.contextTurn(context, 0) !== 0);
    },
    isOpen: () => open && g.isClosed(bus) === 0,
    close() {
      if (!open) return;
      g.closeSync(bus, null, null);
      while (g.contextTurn(context, 0) !== 0);
      open = false;
      for (const callback of callbacks) koffi.unregister(callback);
    },
  };
}
