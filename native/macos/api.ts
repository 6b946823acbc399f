import koffi from 'koffi';

/**
 * The macOS calls of this adapter, one function each with its documented arguments, so that tests can put a table of their
 * own in its place. `loadMacApi` is the only code here that needs macOS; it has not been run on this project's test
 * machines. Pointers are bigint.
 */
export type Ref = bigint;
export type CGRect = { x: number; y: number; width: number; height: number };

export type MacApi = {
  /** CoreGraphics: ids of the displays that are drawn to, the main one first. */
  CGGetActiveDisplayList(max: number): number[];
  CGMainDisplayID(): number;
  /** Points, origin top left of the main display. */
  CGDisplayBounds(display: number): CGRect;
  /** Physical pixels across of the display's mode (CGDisplayCopyDisplayMode, CGDisplayModeGetPixelWidth). 0: unknown. */
  modePixelWidth(display: number): number;
  /** Where the pointer is (CGEventCreate, CGEventGetLocation), points; null when macOS makes no event. */
  pointerLocation(): { x: number; y: number } | null;
  /** Ticks; stands still while the machine sleeps. */
  mach_absolute_time(): bigint;
  /** Ticks; does not. */
  mach_continuous_time(): bigint;
  mach_timebase_info(): { numer: number; denom: number };
  /** Carbon: the layout that characters come from; to be released. Null when there is none. */
  TISCopyCurrentKeyboardLayoutInputSource(): Ref | null;
  /** A string property: kTISPropertyInputSourceID, kTISPropertyLocalizedName. */
  inputSourceString(source: Ref, property: 'InputSourceID' | 'LocalizedName'): string;
  /** kTISPropertyUnicodeKeyLayoutData's bytes (`uchr`), valid while the source is held; null for a layout without. */
  inputSourceLayout(source: Ref): Ref | null;
  CFRelease(object: Ref): void;
  /** Carbon: kind of the keyboard in use, for UCKeyTranslate. */
  LMGetKbdType(): number;
  /** Carbon: 'ANSI', 'ISO ' or 'JIS ' of a keyboard kind. */
  KBGetLayoutType(kind: number): string;
  /** Carbon. action 0: key down. modifiers: EventRecord bits >> 8. Text and the dead key state afterwards. */
  UCKeyTranslate(
    layout: Ref,
    key: number,
    action: number,
    modifiers: number,
    kind: number,
    options: number,
    deadState: number,
  ): { status: number; text: string; deadState: number };
  /** CoreGraphics: held modifiers. state 0: combined session. */
  CGEventSourceFlagsState(state: number): number;
  /** CoreFoundation: takes in what came since the last call, so that a changed layout is seen. */
  CFRunLoopRunInMode(seconds: number): void;
  CGPreflightScreenCaptureAccess(): boolean;
  CGPreflightListenEventAccess(): boolean;
  AXIsProcessTrusted(): boolean;
};

const MAX_DISPLAYS = 32;
const UTF8 = 0x08000100;
const FRAMEWORKS = '/System/Library/Frameworks';

export function loadMacApi(): MacApi {
  const graphics = koffi.load(`${FRAMEWORKS}/CoreGraphics.framework/CoreGraphics`);
  const foundation = koffi.load(`${FRAMEWORKS}/CoreFoundation.framework/CoreFoundation`);
  const carbon = koffi.load(`${FRAMEWORKS}/Carbon.framework/Carbon`);
  const services = koffi.load(`${FRAMEWORKS}/ApplicationServices.framework/ApplicationServices`);
  const system = koffi.load('/usr/lib/libSystem.B.dylib');
  const Rect = koffi.struct({ x: 'double', y: 'double', width: 'double', height: 'double' });
  const Timebase = koffi.struct({ numer: 'uint32', denom: 'uint32' });

  const CGGetActiveDisplayList = graphics.func('CGGetActiveDisplayList', 'int', ['uint32', 'void *', 'void *']);
  const CGMainDisplayID = graphics.func('CGMainDisplayID', 'uint32', []);
  const Point = koffi.struct({ x: 'double', y: 'double' });
  const CGEventCreate = graphics.func('CGEventCreate', 'void *', ['void *']);
  const CGEventGetLocation = graphics.func('CGEventGetLocation', Point, ['void *']);
  const CGDisplayBounds = graphics.func('CGDisplayBounds', Rect, ['uint32']);
  const CGDisplayCopyDisplayMode = graphics.func('CGDisplayCopyDisplayMode', 'void *', ['uint32']);
  const CGDisplayModeGetPixelWidth = graphics.func('CGDisplayModeGetPixelWidth', 'size_t', ['void *']);
  const CGDisplayModeRelease = graphics.func('CGDisplayModeRelease', 'void', ['void *']);
  const CGEventSourceFlagsState = graphics.func('CGEventSourceFlagsState', 'uint64', ['int32']);
  const CGPreflightScreenCaptureAccess = graphics.func('CGPreflightScreenCaptureAccess', 'bool', []);
  const CGPreflightListenEventAccess = graphics.func('CGPreflightListenEventAccess', 'bool', []);
  const AXIsProcessTrusted = services.func('AXIsProcessTrusted', 'bool', []);
  const absolute = system.func('mach_absolute_time', 'uint64', []);
  const continuous = system.func('mach_continuous_time', 'uint64', []);
  const timebase = system.func('mach_timebase_info', 'int', [koffi.out(koffi.pointer(Timebase))]);
  const copyLayout = carbon.func('TISCopyCurrentKeyboardLayoutInputSource', 'void *', []);
  const getProperty = carbon.func('TISGetInputSourceProperty', 'void *', ['void *', 'void *']);
  const LMGetKbdType = carbon.func('LMGetKbdType', 'uint8', []);
  const KBGetLayoutType = carbon.func('KBGetLayoutType', 'uint32', ['int16']);
  const UCKeyTranslate = carbon.func('UCKeyTranslate', 'int32', [
    ...['void *', 'uint16', 'uint16', 'uint32', 'uint32', 'uint32'],
    koffi.inout(koffi.pointer('uint32')),
    'ulong',
    koffi.out(koffi.pointer('ulong')),
    'void *',
  ]);
  const CFRelease = foundation.func('CFRelease', 'void', ['void *']);
  const CFDataGetBytePtr = foundation.func('CFDataGetBytePtr', 'void *', ['void *']);
  const CFStringGetCString = foundation.func('CFStringGetCString', 'bool', ['void *', 'void *', 'long', 'uint32']);
  const CFRunLoopRunInMode = foundation.func('CFRunLoopRunInMode', 'int32', ['void *', 'double', 'bool']);
  /** A constant CFStringRef: the symbol is a variable that holds it. */
  const constant = (library: typeof carbon, name: string): Ref => koffi.decode(library.symbol(name), 'void *');

  return {
    CGGetActiveDisplayList: (max) => {
      const count = Math.min(max, MAX_DISPLAYS);
      const ids = new Uint32Array(count);
      const found = new Uint32Array(1);
      if (CGGetActiveDisplayList(count, ids, found) !== 0) return [];
      return [...ids.subarray(0, found[0])];
    },
    CGMainDisplayID: () => CGMainDisplayID(),
    CGDisplayBounds: (display) => CGDisplayBounds(display),
    pointerLocation: () => {
      const event: Ref | null = CGEventCreate(null);
      if (event === null) return null;
      const place: { x: number; y: number } = CGEventGetLocation(event);
      CFRelease(event);
      return place;
    },
    modePixelWidth: (display) => {
      const mode: Ref | null = CGDisplayCopyDisplayMode(display);
      if (mode === null) return 0;
      const width = Number(CGDisplayModeGetPixelWidth(mode));
      CGDisplayModeRelease(mode);
      return width;
    },
    mach_absolute_time: () => BigInt(absolute()),
    mach_continuous_time: () => BigInt(continuous()),
    mach_timebase_info: () => {
      const info = { numer: 1, denom: 1 };
      timebase(info);
      return info;
    },
    TISCopyCurrentKeyboardLayoutInputSource: () => copyLayout(),
    inputSourceString: (source, property) => {
      const text: Ref | null = getProperty(source, constant(carbon, `kTISProperty${property}`));
      const bytes = Buffer.alloc(256);
      if (text === null || !CFStringGetCString(text, bytes, bytes.length, UTF8)) return '';
      return bytes.toString('utf8', 0, bytes.indexOf(0));
    },
    inputSourceLayout: (source) => {
      const data: Ref | null = getProperty(source, constant(carbon, 'kTISPropertyUnicodeKeyLayoutData'));
      return data === null ? null : CFDataGetBytePtr(data);
    },
    CFRelease: (object) => CFRelease(object),
    LMGetKbdType: () => LMGetKbdType(),
    KBGetLayoutType: (kind) => {
      const four = Buffer.alloc(4);
      four.writeUInt32BE(KBGetLayoutType(kind));
      return four.toString('latin1');
    },
    UCKeyTranslate: (layout, key, action, modifiers, kind, options, deadState) => {
      const state = [deadState];
      const length: (number | bigint)[] = [0];
      const units = Buffer.alloc(16 * 2);
      const status = UCKeyTranslate(layout, key, action, modifiers, kind, options, state, 16, length, units);
      return { status, text: units.toString('utf16le', 0, Number(length[0]) * 2), deadState: state[0]! };
    },
    CGEventSourceFlagsState: (state) => Number(CGEventSourceFlagsState(state)),
    CFRunLoopRunInMode: (seconds) => {
      CFRunLoopRunInMode(constant(foundation, 'kCFRunLoopDefaultMode'), seconds, true);
    },
    CGPreflightScreenCaptureAccess: () => CGPreflightScreenCaptureAccess(),
    CGPreflightListenEventAccess: () => CGPreflightListenEventAccess(),
    AXIsProcessTrusted: () => AXIsProcessTrusted(),
  };
}
