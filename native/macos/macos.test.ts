import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Display } from '../../schemas/events.ts';
import { layoutSchema } from '../../schemas/layout.ts';
import { sessionClock } from '../clock/session-clock.ts';
import { uiohookOf } from '../input/keys.ts';
import { fakeApi } from '../platform/fake-api-for-tests.ts';
import type { CGRect, MacApi } from './api.ts';
import { captureScreen, physicalToPoint, pointToPhysical, readDisplays, rectToPhysical } from './displays.ts';
import { awakeNsToSession, macPatch, openMac, openMacHost, physicalKey } from './index.ts';
import { macCode, macCodeOf, readLayout, watchKeyboard } from './layout.ts';
import { macPermissions } from './permissions.ts';
import { macInputSettings } from './settings.ts';

type Screen = { points: CGRect; pixels: number };
function screens(list: Record<number, Screen>, main: number): Partial<MacApi> {
  return {
    CGGetActiveDisplayList: () => Object.keys(list).map(Number),
    CGMainDisplayID: () => main,
    CGDisplayBounds: (id) => list[id]!.points,
    modePixelWidth: (id) => list[id]!.pixels,
  };
}
/** A Retina screen, a plain one to its left and up, a plain one to its right. */
const MIXED = screens(
  {
    1: { points: { x: 0, y: 0, width: 1440, height: 900 }, pixels: 2880 },
    5: { points: { x: -1920, y: -180, width: 1920, height: 1080 }, pixels: 1920 },
    7: { points: { x: 1440, y: 0, width: 1280, height: 720 }, pixels: 1280 },
  },
  1,
);

test('displays keep their own pixels, and their origins are points times the largest scale', () => {
  expect(readDisplays(fakeApi<MacApi>(MIXED))).toEqual([
    { id: 1, name: 'display 5', x: -3840, y: -360, width: 1920, height: 1080, scale: 1, primary: false },
    { id: 2, name: 'display 1', x: 0, y: 0, width: 2880, height: 1800, scale: 2, primary: true },
    { id: 3, name: 'display 7', x: 2880, y: 0, width: 1280, height: 720, scale: 1, primary: false },
  ]);
});

test('the pointer’s place is asked in points and told in physical px', () => {
  const keyboard: Partial<MacApi> = { TISCopyCurrentKeyboardLayoutInputSource: () => null, LMGetKbdType: () => 0 };
  const at = (place: { x: number; y: number } | null) =>
    openMac(sessionClock(0n, 0), fakeApi<MacApi>({ ...MIXED, ...keyboard, pointerLocation: () => place })).pointer();
  expect(at({ x: 100.5, y: 20 })).toEqual({ x: 201, y: 40 });
  expect(at({ x: -1900, y: -100 })).toEqual({ x: -3820, y: -280 });
  expect(at(null)).toBeNull();
});

test('a mode that does not tell its pixels counts as scale 1; no display is NO_DISPLAY', () => {
  const unknown = screens({ 9: { points: { x: 0, y: 0, width: 1024, height: 768 }, pixels: 0 } }, 9);
  expect(readDisplays(fakeApi<MacApi>(unknown))[0]).toMatchObject({ width: 1024, scale: 1 });
  expect(() => readDisplays(fakeApi<MacApi>(screens({}, 1)))).toThrow(expect.objectContaining({ code: 'NO_DISPLAY' }));
});

test('avfoundation numbers screens in the system’s order, not ours', () => {
  const api = fakeApi<MacApi>(MIXED);
  expect(readDisplays(api).map((display) => captureScreen(api, display))).toEqual([
    'Capture screen 1',
    'Capture screen 0',
    'Capture screen 2',
  ]);
});

test('points to pixels: each display by its own scale, negative origins included', () => {
  const displays = readDisplays(fakeApi<MacApi>(MIXED));
  expect(pointToPhysical(10.5, 20.25, displays)).toEqual({ x: 21, y: 40 });
  expect(pointToPhysical(-1920, -180, displays)).toEqual({ x: -3840, y: -360 });
  expect(pointToPhysical(-1, 0, displays)).toEqual({ x: -3840 + 1919, y: -360 + 180 });
  expect(pointToPhysical(1440, 719, displays)).toEqual({ x: 2880, y: 719 });
});

test('a point off every display goes to the nearest pixel of the nearest one', () => {
  const displays = readDisplays(fakeApi<MacApi>(MIXED));
  expect(pointToPhysical(100, 950, displays)).toEqual({ x: 200, y: 1799 });
  expect(pointToPhysical(5000, 10, displays)).toEqual({ x: 2880 + 1279, y: 10 });
});

test('law: displays never overlap, and a physical pixel’s point is that pixel again', () => {
  const screen = fc.record({ width: fc.integer({ min: 640, max: 3000 }), scale: fc.constantFrom(1, 2) });
  fc.assert(
    fc.property(fc.array(screen, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat(), (row, px, py) => {
      let x = -500;
      const list: Record<number, Screen> = {};
      row.forEach(({ width, scale }, index) => {
        list[index + 1] = { points: { x, y: -100 * index, width, height: 600 }, pixels: width * scale };
        x += width;
      });
      const displays = readDisplays(fakeApi<MacApi>(screens(list, 1)));
      displays.forEach((display, index) => {
        const next = displays[index + 1];
        if (next) expect(display.x + display.width).toBeLessThanOrEqual(next.x);
        const pixel = { x: display.x + (px % display.width), y: display.y + (py % display.height) };
        const point = physicalToPoint(pixel.x, pixel.y, displays);
        expect(pointToPhysical(point.x, point.y, displays)).toEqual(pixel);
      });
    }),
  );
});

test('a window’s rectangle takes the scale of the display under its centre', () => {
  const displays = readDisplays(fakeApi<MacApi>(MIXED));
  expect(rectToPhysical({ x: 100, y: 50, width: 300.5, height: 200 }, displays)).toEqual({
    x: 200,
    y: 100,
    width: 601,
    height: 400,
  });
  // Half on the plain display, its centre on the Retina one.
  expect(rectToPhysical({ x: -50, y: 0, width: 200, height: 100 }, displays)).toEqual({
    x: -100,
    y: 0,
    width: 400,
    height: 200,
  });
});

/** A German-like uchr: key 0x10 makes z; Option+l (0x25) is @; key 0x18 is a dead acute; 0x0a is <; Return; F1. */
function german(keyboard: string, calls: unknown[][] = []): MacApi {
  const plain: Record<number, string> = { 0: 'a', 14: 'e', 16: 'z', 37: 'l', 10: '^', 50: '<', 49: ' ', 83: '1' };
  return fakeApi<MacApi>(
    {
      LMGetKbdType: () => 43,
      KBGetLayoutType: () => keyboard,
      UCKeyTranslate: (_layout, key, _action, modifiers, _kind, _options, dead) => {
        const made = (text: string, deadState = 0) => ({ status: 0, text, deadState });
        if (dead === 7) return made(({ 49: '´', 0: 'á', 14: 'é' } as Record<number, string>)[key] ?? '');
        if (key === 0x18) return made('', 7);
        if (key === 0x24) return made('\r');
        if (key === 0x7a) return made('\uf704');
        if (modifiers & 8) return made(key === 0x25 ? '@' : '');
        const text = plain[key] ?? '';
        return made(modifiers & 2 || modifiers & 4 ? text.toUpperCase() : text);
      },
      inputSourceString: (_source, property) =>
        property === 'InputSourceID' ? 'com.apple.keylayout.German' : 'German',
      inputSourceLayout: () => 0x99n,
      TISCopyCurrentKeyboardLayoutInputSource: () => 0x55n,
      CFRelease: () => {},
      CFRunLoopRunInMode: () => {},
      CGEventSourceFlagsState: () => 0x10100,
    },
    calls,
  );
}

test('UCKeyTranslate becomes a layout: letters, Option, a dead key with its mark, no control characters', () => {
  const layout = readLayout(german('ANSI'), 0x55n, 0x99n);
  expect(layoutSchema.parse(layout)).toEqual(layout);
  expect(layout).toMatchObject({
    id: 'com.apple.keylayout.German',
    name: 'German',
    source: 'UCKeyTranslate',
    altGr: true,
  });
  expect(layout.keys.KeyY?.chars).toEqual(['z', 'Z', null, null, 'Z', 'Z', null, null]);
  expect(layout.keys.KeyL?.chars.slice(0, 3)).toEqual(['l', 'L', '@']);
  expect(layout.keys.Equal?.chars[0]).toEqual({ dead: '\u0301', alone: '´' });
  expect(layout.keys.Numpad1?.chars[0]).toBe('1');
  expect([layout.keys.Enter, layout.keys.F1]).toEqual([undefined, undefined]);
});

test('a key is asked in eight states: Shift 2, Option 8, CapsLock 4, of this keyboard', () => {
  const calls: unknown[][] = [];
  readLayout(german('ANSI', calls), 0x55n, 0x99n);
  const asked = calls.filter(([name, , key, , , , , dead]) => name === 'UCKeyTranslate' && key === 0x25 && dead === 0);
  expect(asked).toEqual([0, 2, 8, 10, 4, 6, 12, 14].map((mods) => ['UCKeyTranslate', 0x99n, 0x25, 0, mods, 43, 0, 0]));
});

test('ISO keyboards exchange the key left of 1 and the key beside left Shift', () => {
  expect([macCode(0x0a, 'ISO '), macCode(0x32, 'ISO ')]).toEqual(['Backquote', 'IntlBackslash']);
  expect([macCode(0x0a, 'ANSI'), macCode(0x32, 'ANSI')]).toEqual(['IntlBackslash', 'Backquote']);
  const { keys } = readLayout(german('ISO '), 0x55n, 0x99n);
  expect([keys.Backquote?.chars[0], keys.IntlBackslash?.chars[0]]).toEqual(['^', '<']);
});

test('uiohook’s number 0 is the section key on an ISO keyboard, and unknown elsewhere', () => {
  expect([macCodeOf(0, 'ISO '), macCodeOf(0, 'ANSI')]).toEqual(['Backquote', null]);
  expect([macCodeOf(uiohookOf('Backquote')!, 'ISO '), macCodeOf(uiohookOf('Backquote')!, 'ANSI')]).toEqual([
    'IntlBackslash',
    'Backquote',
  ]);
  expect(macCodeOf(0x70, 'JIS ')).toBe('Lang1');
  expect(macCodeOf(uiohookOf('KeyZ')!, 'ISO ')).toBe('KeyZ');
  const up = { type: 'keyup', time: 1, mods: 0, code: null, hookCode: 0 } as const;
  expect(physicalKey(up, 'ISO ')).toEqual({ ...up, code: 'Backquote' });
});

test('the watch turns the run loop, releases the source, and sees another layout', () => {
  const calls: unknown[][] = [];
  let id = 'com.apple.keylayout.German';
  const base = german('ANSI', calls);
  const api = new Proxy(base, {
    get: (target, name: keyof MacApi) => (name === 'inputSourceString' ? () => id : target[name]),
  });
  const watch = watchKeyboard(api);
  expect(watch.read().locks).toEqual({ caps: true, num: true });
  expect(calls.slice(0, 3)).toEqual([
    ['CGEventSourceFlagsState', 0],
    ['CFRunLoopRunInMode', 0],
    ['TISCopyCurrentKeyboardLayoutInputSource'],
  ]);
  expect(calls.at(-1)).toEqual(['CFRelease', 0x55n]);
  expect(watch.changed()).toBe(false);
  id = 'com.apple.keylayout.US';
  expect(watch.changed()).toBe(true);
});

test('a layout without uchr data, or a failing call, gives the US layout and says so', () => {
  const api = new Proxy(german('ANSI'), {
    get: (target, name: keyof MacApi) => (name === 'inputSourceLayout' ? () => null : target[name]),
  });
  expect(watchKeyboard(api).read().layout.source).toBe('us-fallback');
  expect(watchKeyboard(fakeApi<MacApi>({})).read().layout.source).toBe('us-fallback');
  expect(watchKeyboard(fakeApi<MacApi>({})).changed()).toBe(false);
});

/** Apple silicon after 100 s awake and 20 s asleep: 125/3 ns a tick. */
const CLOCKS: Partial<MacApi> = {
  mach_absolute_time: () => 2_400_000_000n,
  mach_continuous_time: () => 2_880_000_000n,
  mach_timebase_info: () => ({ numer: 125, denom: 3 }),
  LMGetKbdType: () => 40,
  KBGetLayoutType: () => 'ANSI',
};

test('event times and frame times count the sleep that mach_absolute_time leaves out', () => {
  const clock = sessionClock(110_000_000_000n, 0);
  const host = openMacHost(clock, fakeApi<MacApi>(CLOCKS));
  // 99 s awake: 119 s on hrtime's clock. In ticks, and in ns.
  expect(host.eventTime(2_376_000_000)).toBe(9_000_000);
  expect(host.eventTime(99_000_000_000)).toBe(9_000_000);
  expect(awakeNsToSession(clock, fakeApi<MacApi>(CLOCKS), { numer: 125, denom: 3 }, 99_000_000_000n)).toBe(9_000_000);
});

test('permissions name the pane to open', () => {
  const checks = macPermissions(
    fakeApi<MacApi>({
      CGPreflightScreenCaptureAccess: () => true,
      CGPreflightListenEventAccess: () => false,
      AXIsProcessTrusted: () => false,
    }),
  );
  expect(checks.map(({ id, granted }) => [id, granted])).toEqual([
    ['screen-recording', true],
    ['input-monitoring', false],
    ['accessibility', false],
  ]);
  expect(checks[1]?.fix).toContain('System Settings > Privacy & Security > Input Monitoring');
});

test('settings: seconds to ms; natural scrolling is on unless it was switched off', () => {
  const read = (values: Record<string, string>) => (key: string) => values[key] ?? null;
  const [click, scroll] = ['com.apple.mouse.doubleClickThreshold', 'com.apple.swipescrolldirection'];
  expect(macInputSettings(read({ [click]: '0.8', [scroll]: '0' }))).toEqual({
    doubleClickMs: 800,
    naturalScroll: false,
  });
  expect(macInputSettings(read({}))).toEqual({ naturalScroll: true });
});

test('the patch: a JXA script that is there, its place in points, its times counting sleep', () => {
  const clock = sessionClock(0n, 0);
  const program = macPatch(clock, fakeApi<MacApi>({ ...MIXED, ...CLOCKS }), { x: 200, y: 100, size: 48 });
  expect([program.command, ...program.args.slice(0, 2)]).toEqual(['osascript', '-l', 'JavaScript']);
  expect(program.args.slice(-3)).toEqual(['100', '50', '24']);
  expect(readFileSync(program.args[2]!, 'utf8')).toContain('function run(argv)');
  expect(program.toSession('1000000000')).toBe(21_000_000);
});

test('events off every display still get a place', () => {
  const none: Display[] = [];
  expect(pointToPhysical(3.7, 4.2, none)).toEqual({ x: 3, y: 4 });
});
