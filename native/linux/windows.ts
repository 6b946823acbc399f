import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import koffi from 'koffi';
import type { Rect } from '../../schemas/events.ts';
import type { Pointer } from '../memory/memory.ts';
import type { DesktopWindow } from '../platform/platform.ts';
import { processAsWeCount } from './server-process.ts';
import { type XDisplay, x11 } from './x11.ts';

/** Windows by the window manager's own lists (EWMH), so that one connection serves listing, finding and watching. */

const ANY_TYPE = 0;
const MAX_WORDS = 4096;

type Property = { format: number; items: number; bytes: Uint8Array };

function property(display: XDisplay, window: number, name: string): Property | null {
  const x = x11();
  const atom = x.atom(display, name, 1);
  if (atom === 0) return null;
  const [type, format, items, left, data]: [number[], number[], number[], number[], (Pointer | null)[]] = [
    [0],
    [0],
    [0],
    [0],
    [null],
  ];
  x.getProperty(display, window, atom, 0, MAX_WORDS, 0, ANY_TYPE, type, format, items, left, data);
  const at = data[0];
  if (!at) return null;
  const count = items[0] ?? 0;
  // Xlib hands 32-bit items over as longs.
  const width = format[0] === 32 ? 8 : (format[0] ?? 8) / 8;
  const length = count * width;
  const bytes = new Uint8Array(length > 0 ? koffi.decode(at, koffi.array('uint8_t', length, 'Typed')) : 0);
  x.free(at);
  return { format: format[0] ?? 0, items: count, bytes };
}

/** Numbers of a property in 32-bit format; none where it is not there. */
export function numbers(display: XDisplay, window: number, name: string): number[] {
  const found = property(display, window, name);
  if (found?.format !== 32) return [];
  const view = new DataView(found.bytes.buffer);
  return Array.from({ length: found.items }, (_, i) => Number(view.getBigUint64(i * 8, true)));
}

/** Null where it is not there. */
export function textOfProperty(display: XDisplay, window: number, name: string): string | null {
  const found = property(display, window, name);
  return found && found.format === 8 ? textOf(found.bytes) : null;
}

/** UTF-8; else Latin-1, in which old programs (STRING, COMPOUND_TEXT) write what is no ASCII. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(TO_UTF8_AND_BACK, '');
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}
/** Stand in a COMPOUND_TEXT around what is UTF-8 in it. */
const TO_UTF8_AND_BACK = /\x1b%[G@]/g;

/** What has the keyboard by the X server's word; 0: nobody, 1: whatever lies under the pointer. */
export function focusedId(display: XDisplay): number {
  const focus = [0];
  x11().inputFocus(display, focus, [0]);
  return focus[0] ?? 0;
}

/** The window that this one is right in; 0 for the root, null where it is gone. */
export function parentOf(display: XDisplay, window: number): number | null {
  const [parent, children] = [[0], [null as Pointer | null]];
  if (x11().queryTree(display, window, [0], parent, children, [0]) === 0) return null;
  if (children[0]) x11().free(children[0]);
  return parent[0] ?? 0;
}

/** The windows right in this one, from the bottom to the top. */
export function childrenOf(display: XDisplay, window: number): number[] {
  const [children, count] = [[null as Pointer | null], [0]];
  x11().queryTree(display, window, [0], [0], children, count);
  const at = children[0];
  if (!at) return [];
  const ids = koffi.decode(at, koffi.array('uint64_t', count[0] ?? 0, 'Typed')) as BigUint64Array; // as many as it said
  x11().free(at);
  return Array.from(ids, Number);
}

/** XWindowAttributes on 64-bit machines. */
const ATTRIBUTES = { size: 136, class: 40, mapState: 92 };
const INPUT_ONLY = 2;
const IS_VIEWABLE = 2;

type WindowAttributes = { box: Rect; isMapped: boolean; isViewable: boolean; isInputOnly: boolean };
/** `box`: within its parent. Null where the window is gone. */
export function attributesOf(display: XDisplay, window: number): WindowAttributes | null {
  const bytes = new Uint8Array(ATTRIBUTES.size);
  if (x11().getAttributes(display, window, bytes) === 0) return null;
  const view = new DataView(bytes.buffer);
  const state = view.getInt32(ATTRIBUTES.mapState, true);
  return {
    box: boxAt(view, 0),
    isMapped: state !== 0,
    isViewable: state === IS_VIEWABLE,
    isInputOnly: view.getInt32(ATTRIBUTES.class, true) === INPUT_ONLY,
  };
}

/** Four numbers, one after the other, as Xlib's structures have them. */
export function boxAt(view: DataView, at: number): Rect {
  const number = (which: number): number => view.getInt32(at + 4 * which, true);
  return { x: number(0), y: number(1), width: number(2), height: number(3) };
}

export function boundsOf(display: XDisplay, window: number): Rect | null {
  const x = x11();
  const width = [0];
  const height = [0];
  const root = x11().root(display);
  const rest = () => [0];
  if (x.getGeometry(display, window, rest(), rest(), rest(), width, height, rest(), rest()) === 0) return null;
  const left = [0];
  const top = [0];
  if (x.translate(display, window, root, 0, 0, left, top, rest()) === 0) return null;
  if (!width[0] || !height[0]) return null;
  return { x: left[0] ?? 0, y: top[0] ?? 0, width: width[0], height: height[0] };
}

/** Title and application of a window; both empty when it is gone. */
export function nameOf(display: XDisplay, window: number): { title: string; app: string; pid: number } {
  // One that is there and empty says nothing; the other may.
  const title = textOfProperty(display, window, '_NET_WM_NAME') || textOfProperty(display, window, 'WM_NAME') || '';
  const wmClass = textOfProperty(display, window, 'WM_CLASS')?.split('\0') ?? [];
  const pid = numbers(display, window, '_NET_WM_PID')[0] ?? 0;
  const app = wmClass[1] || wmClass[0] || executable(display, pid);
  return { title, app, pid };
}

function describe(display: XDisplay, window: number): DesktopWindow {
  return { id: String(window), ...nameOf(display, window), bounds: boundsOf(display, window) };
}

function executable(display: XDisplay, told: number): string {
  try {
    const pid = processAsWeCount(display, told);
    return pid > 0 ? basename(readlinkSync(`/proc/${pid}/exe`)) : '';
  } catch {
    return '';
  }
}

/** Top-level windows, the topmost first. Empty where no window manager keeps a list. */
export function listWindows(display: XDisplay): DesktopWindow[] {
  const root = x11().root(display);
  const stacking = numbers(display, root, '_NET_CLIENT_LIST_STACKING');
  const ids = stacking.length > 0 ? stacking : numbers(display, root, '_NET_CLIENT_LIST');
  return ids.reverse().map((id) => describe(display, id));
}

/** The window that has the keyboard, or null. */
export function readActiveWindow(display: XDisplay): DesktopWindow | null {
  const id = numbers(display, x11().root(display), '_NET_ACTIVE_WINDOW')[0] ?? 0;
  return id === 0 ? null : describe(display, id);
}
