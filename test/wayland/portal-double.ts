import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import koffi from 'koffi';
import { gio, makeVariant, openBus, readVariant } from '../../native/bus/gio.ts';
import { member, quote, type Variant } from '../../native/bus/gvariant.ts';
import type { Pointer } from '../../native/memory/memory.ts';
import { closeFd, connectUnix } from '../../native/wayland/wire.ts';
import { type HandsDo, openHands } from './hands.ts';
import { NO_NODE, type OwnScreen, openOwnScreen } from './own-screen.ts';

/**
 * A double of the ScreenCast portal on the session bus, in front of Mutter's own interface: what the person answers is told
 * to it by the tests, the screen is Mutter's and PipeWire's. It also has the person's hands, because Mutter takes injected
 * input only from whom it casts its screen to. A process of its own, told what to do by its parent.
 */
/** `no-pipewire`: it is allowed, but nobody is behind the connection that is handed over. */
export type Answer = 'allow' | 'deny' | 'fail' | 'no-pipewire';
export type ToDouble =
  | { type: 'answer'; answer: Answer }
  /** `silent`: the pictures end, and nobody says that the session is over. */
  | { type: 'end-cast'; silent: boolean }
  /** What is shared from now on is no screen of Mutter's (own-screen.ts). */
  | { type: 'own-screen'; screen: { x: number; y: number; width: number; height: number } }
  | { type: 'show'; picture: Parameters<OwnScreen['show']>[0] }
  | { type: 'resize'; size: { width: number; height: number } }
  | { type: 'do'; id: number; what: HandsDo };
export type FromDouble =
  | { type: 'ready' }
  | { type: 'asked'; questions: number; token: string | null; cursor: number; persist: number }
  | { type: 'casting' }
  | { type: 'done'; id: number; us: number };

const PORTAL = 'org.freedesktop.portal.Desktop';
const PATH = '/org/freedesktop/portal/desktop';
const FACE = 'org.freedesktop.portal.ScreenCast';
const MUTTER = {
  name: 'org.gnome.Mutter.ScreenCast',
  path: '/org/gnome/Mutter/ScreenCast',
  face: 'org.gnome.Mutter.ScreenCast',
};
const REMOTE = {
  name: 'org.gnome.Mutter.RemoteDesktop',
  path: '/org/gnome/Mutter/RemoteDesktop',
  face: 'org.gnome.Mutter.RemoteDesktop',
};
const XML = `<node>
  <interface name="${FACE}">
    <method name="CreateSession"><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/></method>
    <method name="SelectSources"><arg type="o" direction="in"/><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/></method>
    <method name="Start"><arg type="o" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/></method>
    <method name="OpenPipeWireRemote"><arg type="o" direction="in"/><arg type="a{sv}" direction="in"/><arg type="h" direction="out"/></method>
    <property name="version" type="u" access="read"/>
    <property name="AvailableCursorModes" type="u" access="read"/>
    <property name="AvailableSourceTypes" type="u" access="read"/>
  </interface>
</node>`;
const PROPERTIES: Readonly<Record<string, number>> = { version: 4, AvailableCursorModes: 7, AvailableSourceTypes: 3 };

type Fn<A extends unknown[], R> = (...args: A) => R;
const lib = koffi.load('libgio-2.0.so.0');
// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
const nodeInfo = lib.func('void *g_dbus_node_info_new_for_xml(const char *xml, void *error)') as Fn<
  [string, null],
  Pointer
>;
const lookup = lib.func('void *g_dbus_node_info_lookup_interface(void *node, const char *name)') as Fn<
  [Pointer, string],
  Pointer
>;
const register = lib.func(
  'uint g_dbus_connection_register_object(void *bus, const char *path, void *face, void *table, void *data, void *free, void *error)',
) as Fn<[Pointer, string, Pointer, Pointer, null, null, null], number>;
const answerWith = lib.func('void g_dbus_method_invocation_return_value(void *call, void *value)') as Fn<
  [Pointer, Pointer],
  void
>;
const answerFds = lib.func(
  'void g_dbus_method_invocation_return_value_with_unix_fd_list(void *call, void *value, void *fds)',
) as Fn<[Pointer, Pointer, Pointer], void>;
const fdList = lib.func('void *g_unix_fd_list_new()') as Fn<[], Pointer>;
const appendFd = lib.func('int g_unix_fd_list_append(void *list, int fd, void *error)') as Fn<
  [Pointer, number, null],
  number
>;
const emit = lib.func(
  'int g_dbus_connection_emit_signal(void *bus, const char *to, const char *path, const char *face, const char *member, void *args, void *error)',
) as Fn<[Pointer, string, string, string, string, Pointer, null], number>;
const onCall = koffi.proto(
  'void DoubleCall(void *bus, const char *sender, const char *path, const char *face, const char *method, void *args, void *call, void *data)',
);
const onGet = koffi.proto(
  'void *DoubleGet(void *bus, const char *sender, const char *path, const char *face, const char *name, void *error, void *data)',
);

const bus = openBus();
const tell = (message: FromDouble) => process.send?.(message);
const TOKEN = 'the-person-allowed-this-screen';
let answer: Answer = 'allow';
let questions = 0;
let selected: Variant | undefined;
let session: { path: string; client: string } | null = null;
let cast: { remote: typeof REMOTE | null; stream: string; node: number } | null = null;
let wanted: { x: number; y: number; width: number; height: number } | null = null;
let own: OwnScreen | null = null;

type Started = { node: number; about: string };

function startOwn(screen: NonNullable<typeof wanted>): Started {
  own?.end();
  own = openOwnScreen(screen);
  while (own.node() === NO_NODE) own.turn(20);
  cast = { remote: null, stream: '', node: own.node() };
  return { node: cast.node, about: aboutOf(`(${screen.x}, ${screen.y})`, `(${screen.width}, ${screen.height})`) };
}
const aboutOf = (position: string, size: string): string =>
  `{'position': <${position}>, 'size': <${size}>, 'source_type': <uint32 1>}`;

/** Mutter's screen, with the hands on it. */
function startCast(): Started {
  endCast();
  const [remotePath] = bus.call(REMOTE, 'CreateSession').value;
  const remote = { ...REMOTE, path: String(remotePath), face: `${REMOTE.face}.Session` };
  const [id] = bus.call(
    { ...remote, face: 'org.freedesktop.DBus.Properties' },
    'Get',
    `('${remote.face}', 'SessionId')`,
  ).value;
  const [path] = bus.call(MUTTER, 'CreateSession', `({'remote-desktop-session-id': <${quote(String(id))}>},)`).value;
  const screen = { ...MUTTER, path: String(path), face: `${MUTTER.face}.Session` };
  const [stream] = bus.call(screen, 'RecordMonitor', "('', {'cursor-mode': <uint32 2>})").value;
  let node = 0;
  bus.subscribe(
    { sender: MUTTER.name, path: String(stream), face: `${MUTTER.face}.Stream`, member: 'PipeWireStreamAdded' },
    ([added]) => {
      node = Number(added);
    },
  );
  bus.call(remote, 'Start');
  while (node === 0) bus.turn();
  cast = { remote, stream: String(stream), node };
  bus.subscribe({ sender: REMOTE.name, path: remote.path, face: remote.face, member: 'Closed' }, () => {
    // Mutter ends the cast of a display that changes.
    if (cast?.remote?.path !== remote.path) return;
    cast = null;
    tellClosed();
  });
  return { node, about: aboutOf(placeOf(String(stream), 'position'), placeOf(String(stream), 'size')) };
}

/** Mutter's facts about a stream: two numbers, as text. */
function placeOf(stream: string, what: 'position' | 'size'): string {
  const at = { ...MUTTER, path: stream, face: 'org.freedesktop.DBus.Properties' };
  const [parameters] = bus.call(at, 'Get', `('${MUTTER.face}.Stream', 'Parameters')`).value;
  const [a, b] = member(parameters, what) as number[]; // two numbers, by Mutter's interface
  return `(${a}, ${b})`;
}

function tellClosed(): void {
  if (!session) return;
  const nothing = makeVariant('(@a{sv} {},)');
  const { client, path } = session;
  emit(bus.connection, client, path, 'org.freedesktop.portal.Session', 'Closed', nothing, null);
}

function endCast(): void {
  const ending = cast;
  cast = null;
  if (ending?.remote) bus.call(ending.remote, 'Stop');
  own?.end();
  own = null;
}

/** A session manager's work: the screen's port to the one who takes it. */
function link(tries = 0, linked = false): void {
  const of = (one: string, what: string) => Number(new RegExp(`${what} = "(\\d+)"`).exec(one)?.[1] ?? -1);
  const ports = spawnSync('pw-cli', ['ls', 'Port'])
    .stdout.toString()
    .split(/^\tid /m)
    .map((one) => ({
      id: Number.parseInt(one, 10),
      serial: of(one, 'object.serial'),
      node: of(one, 'node.id'),
      alias: /port\.alias = "(.*)"/.exec(one)?.[1] ?? '',
    }))
    .toSorted((a, b) => a.serial - b.serial);
  // By their numbers: the ports of a cast that has just ended may still be there, by the same names.
  const from = ports.find(({ node }) => node === cast?.node);
  const to = ports.findLast(({ alias }) => alias === 'trajectory-studio:in_0');
  const made = from !== undefined && to !== undefined && spawnSync('pw-link', [`${from.id}`, `${to.id}`]).status === 0;
  if (made) tell({ type: 'casting' });
  // Again: one that was about to go may have been linked. A link that is there is refused. On a busy machine the recorder's
  // port may come only after all of these tries.
  if (cast && (tries < LINK_TRIES || !(linked || made))) setTimeout(link, 100, tries + 1, linked || made);
}
const LINK_TRIES = 50;

function respond(to: string, path: string, status: number, results = '@a{sv} {}'): void {
  // After the call's own answer, as the portal does.
  setTimeout(() => {
    const args = makeVariant(`(uint32 ${status}, ${results})`);
    emit(bus.connection, to, path, 'org.freedesktop.portal.Request', 'Response', args, null);
  }, 5);
}

function start(sender: string, request: string): void {
  const token = member(selected, 'restore_token');
  const known = token === TOKEN;
  if (!known) questions++;
  tell({
    type: 'asked',
    questions,
    token: typeof token === 'string' ? token : null,
    cursor: Number(member(selected, 'cursor_mode')),
    persist: Number(member(selected, 'persist_mode') ?? 0),
  });
  if (!known && (answer === 'deny' || answer === 'fail')) {
    respond(sender, request, answer === 'deny' ? 1 : 2);
    return;
  }
  const { node, about } = wanted ? startOwn(wanted) : startCast();
  respond(sender, request, 0, `{'streams': <[(uint32 ${node}, ${about})]>, 'restore_token': <'${TOKEN}'>}`);
}

function serve(sender: string, method: string, args: Variant[], call: Pointer): void {
  if (method === 'OpenPipeWireRemote') {
    const socket = `${process.env.XDG_RUNTIME_DIR}/pipewire-0`;
    const fd = answer === 'no-pipewire' ? openSync('/dev/null', 'r+') : (connectUnix(socket) ?? -1);
    const list = fdList();
    appendFd(list, fd, null);
    answerFds(call, makeVariant('(handle 0,)'), list);
    // The list has copies of its own. One that stayed open would keep a client alive that has long ended.
    gio().unref(list);
    closeFd(fd);
    setTimeout(link, 20);
    return;
  }
  const options = args.at(-1);
  const request = `${PATH}/request/${sender.slice(1).replaceAll('.', '_')}/${String(member(options, 'handle_token'))}`;
  answerWith(call, makeVariant(`(objectpath ${quote(request)},)`));
  if (method === 'CreateSession') {
    const path = `${PATH}/session/${String(member(options, 'session_handle_token'))}`;
    session = { path, client: sender };
    respond(sender, request, 0, `{'session_handle': <${quote(path)}>}`);
  } else if (method === 'SelectSources') {
    selected = options;
    respond(sender, request, 0);
    // Outside of the bus's own call: it turns the bus itself.
  } else setTimeout(start, 0, sender, request);
}

const called = koffi.register(
  (_bus: Pointer, sender: string, _path: string, _face: string, method: string, args: Pointer, call: Pointer) => {
    const value = readVariant(args);
    serve(sender, method, Array.isArray(value) ? value : [value], call);
  },
  koffi.pointer(onCall),
) as bigint; // koffi hands registered callbacks out as addresses
const got = koffi.register(
  (_bus: Pointer, _sender: string, _path: string, _face: string, name: string) =>
    makeVariant(`uint32 ${PROPERTIES[name] ?? 0}`),
  koffi.pointer(onGet),
) as bigint; // the same
const table = koffi.alloc('uint64', 12) as bigint; // the same
koffi.encode(table, koffi.array('uint64', 3), [called, got, 0n]);
bus.within(() => register(bus.connection, PATH, lookup(nodeInfo(XML, null), FACE), table, null, null, null));
bus.call(
  { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', face: 'org.freedesktop.DBus' },
  'RequestName',
  `('${PORTAL}', uint32 0)`,
);

const hands = openHands(process.env.TRAJECTORY_STUDIO_INPUT ?? '', (method, args) => {
  if (cast?.remote) bus.call(cast.remote, method, args.replace('STREAM', quote(cast.stream)));
});

process.on('message', (message: ToDouble) => {
  if (message.type === 'answer') answer = message.answer;
  if (message.type === 'end-cast') {
    endCast();
    if (!message.silent) tellClosed();
  }
  if (message.type === 'own-screen') wanted = message.screen;
  if (message.type === 'show') own?.show(message.picture);
  if (message.type === 'resize') own?.resize(message.size);
  if (message.type === 'do') tell({ type: 'done', id: message.id, us: hands.act(message.what) });
});
process.on('disconnect', () => process.exit(0));
setInterval(() => {
  bus.turn();
  own?.turn();
}, 3);
tell({ type: 'ready' });
