import koffi from 'koffi';
import { type ComRef, type ComValue, comCalls, guid } from './com.ts';

const CLSCTX_INPROC_SERVER = 1;
const CUIAutomation8 = 'e22ad333-b25f-460c-83d0-0581107395c9';
const CUIAutomation = 'ff48dba4-60ef-4201-aa87-54103eef594e';
const IUIAutomation = '30cbe57d-d9d0-452a-ab13-7ac5ac4825ee';
const IUIAutomation2 = '34723aff-0c9d-49d0-9896-7ab52df8cd8a';

/** The result of a call: an HRESULT, negative where it failed, and what it gave, which is to be released. */
export type ComTold = { result: number; ref: ComRef | null };

/** UI Automation (uiautomationcore), and MSAA (oleacc), the older interface that some programs know alone. */
export type UiaCalls = {
  /** ole32. 0: COINIT_MULTITHREADED: this thread takes no messages for COM. Negative where it failed. */
  CoInitializeEx(flags: number): number;
  /**
   * A CUIAutomation8, else a CUIAutomation. `timeoutMs`: how long a program may take to be reached, and to answer
   * (IUIAutomation2, from Windows 8 on). Null where there is none.
   */
  createAutomation(timeoutMs: number): ComRef | null;
  /** IUIAutomation::CreateCacheRequest with these properties (AddProperty), of the element alone. Null where it failed. */
  createCacheRequest(automation: ComRef, properties: readonly number[]): ComRef | null;
  /** IUIAutomation::get_RawViewWalker. */
  rawViewWalker(automation: ComRef): ComRef | null;
  ElementFromPointBuildCache(automation: ComRef, x: number, y: number, request: ComRef): ComTold;
  ElementFromHandleBuildCache(automation: ComRef, window: bigint, request: ComRef): ComTold;
  GetFocusedElementBuildCache(automation: ComRef, request: ComRef): ComTold;
  /** IUIAutomationTreeWalker. */
  GetParentElementBuildCache(walker: ComRef, element: ComRef, request: ComRef): ComTold;
  GetPreviousSiblingElementBuildCache(walker: ComRef, element: ComRef, request: ComRef): ComTold;
  /** IUIAutomationElement::GetCachedPropertyValue. Asks no program. */
  GetCachedPropertyValue(element: ComRef, property: number): ComValue;
  Release(object: ComRef): void;
  /** oleacc: the object at a place, and which of its parts (0: itself). */
  AccessibleObjectFromPoint(x: number, y: number): { object: ComRef; child: number } | null;
  /** oleacc. object -4: OBJID_CLIENT. */
  AccessibleObjectFromWindow(window: bigint, object: number): ComRef | null;
  /** oleacc: the window that an object lies in; 0n when it does not say. */
  WindowFromAccessibleObject(object: ComRef): bigint;
  /** IAccessible; `child`: a part of it, 0: itself. */
  get_accParent(object: ComRef): ComRef | null;
  get_accName(object: ComRef, child: number): string;
  get_accDescription(object: ComRef, child: number): string;
  /** A role's number; null when it is a text, or none. */
  get_accRole(object: ComRef, child: number): number | null;
  get_accState(object: ComRef, child: number): number | null;
  /** Physical px in a thread that knows of scaling; null when it does not say. */
  accLocation(object: ComRef, child: number): { x: number; y: number; width: number; height: number } | null;
  /** Which part has the keyboard: its number, or an object of its own. */
  get_accFocus(object: ComRef): number | { object: ComRef } | null;
};

export function uiaCalls(): UiaCalls {
  const com = comCalls();
  const ole32 = koffi.load('ole32.dll');
  const oleacc = koffi.load('oleacc.dll');
  const CoInitializeEx = ole32.func('__stdcall', 'CoInitializeEx', 'int32', ['void *', 'uint32']);
  const CoCreateInstance = ole32.func('__stdcall', 'CoCreateInstance', 'int32', [
    ...['void *', 'void *', 'uint32', 'void *', 'void *'],
  ]);
  const FromPoint = oleacc.func('__stdcall', 'AccessibleObjectFromPoint', 'int32', [com.Point, 'void *', 'void *']);
  const FromWindow = oleacc.func('__stdcall', 'AccessibleObjectFromWindow', 'int32', [
    ...['intptr', 'int32', 'void *', 'void *'],
  ]);
  const WindowOf = oleacc.func('__stdcall', 'WindowFromAccessibleObject', 'int32', ['void *', 'void *']);
  const ACCESSIBLE = guid('618736e0-3c3d-11cf-810c-00aa00389b71');

  function create(classId: string, interfaceId: string): ComRef | null {
    const out = Buffer.alloc(8);
    const result = CoCreateInstance(guid(classId), null, CLSCTX_INPROC_SERVER, guid(interfaceId), out);
    return result < 0 || out.readBigUInt64LE() === 0n ? null : out.readBigUInt64LE();
  }
  const number = (told: ComValue): number | null => (typeof told === 'number' ? told : null);

  return {
    CoInitializeEx: (flags) => CoInitializeEx(null, flags),
    createAutomation: (timeoutMs) => {
      const second = create(CUIAutomation8, IUIAutomation2);
      if (second === null) return create(CUIAutomation, IUIAutomation);
      com.call(second, 61, ['uint32'], timeoutMs); // put_ConnectionTimeout
      com.call(second, 63, ['uint32'], timeoutMs); // put_TransactionTimeout
      return second;
    },
    createCacheRequest: (automation, properties) => {
      const { ref } = com.object(automation, 20, []);
      if (ref !== null) for (const property of properties) com.call(ref, 3, ['int32'], property);
      return ref;
    },
    rawViewWalker: (automation) => com.object(automation, 16, []).ref,
    ElementFromPointBuildCache: (automation, x, y, request) =>
      com.object(automation, 11, [com.Point, 'void *'], { x, y }, request),
    ElementFromHandleBuildCache: (automation, window, request) =>
      com.object(automation, 10, ['intptr', 'void *'], window, request),
    GetFocusedElementBuildCache: (automation, request) => com.object(automation, 12, ['void *'], request),
    GetParentElementBuildCache: (walker, element, request) =>
      com.object(walker, 9, ['void *', 'void *'], element, request),
    GetPreviousSiblingElementBuildCache: (walker, element, request) =>
      com.object(walker, 13, ['void *', 'void *'], element, request),
    GetCachedPropertyValue: (element, property) => com.value(element, 12, ['int32'], property),
    Release: com.release,
    AccessibleObjectFromPoint: (x, y) => {
      const [out, part] = [Buffer.alloc(8), com.emptyVariant()];
      if (FromPoint({ x, y }, out, part) < 0) return null;
      const [object, child] = [out.readBigUInt64LE(), com.childOf(part)];
      if (object === 0n) return null;
      if (typeof child === 'number' || child === null) return { object, child: child ?? 0 };
      com.release(object);
      return { object: child.object, child: 0 };
    },
    AccessibleObjectFromWindow: (window, object) => {
      const out = Buffer.alloc(8);
      if (FromWindow(window, object, ACCESSIBLE, out) < 0) return null;
      return out.readBigUInt64LE() === 0n ? null : out.readBigUInt64LE();
    },
    WindowFromAccessibleObject: (object) => {
      const out = Buffer.alloc(8);
      return WindowOf(object, out) < 0 ? 0n : out.readBigUInt64LE();
    },
    get_accParent: (object) => {
      const { ref } = com.object(object, 7, []);
      if (ref === null) return null;
      // It is told as an IDispatch, whose table may be another one.
      const asked = com.object(ref, 0, ['void *'], ACCESSIBLE).ref;
      com.release(ref);
      return asked;
    },
    get_accName: (object, child) => com.text(object, 10, [com.Variant], com.numbered(child)),
    get_accDescription: (object, child) => com.text(object, 12, [com.Variant], com.numbered(child)),
    get_accRole: (object, child) => number(com.value(object, 13, [com.Variant], com.numbered(child))),
    get_accState: (object, child) => number(com.value(object, 14, [com.Variant], com.numbered(child))),
    accLocation: (object, child) => {
      const place = Buffer.alloc(16);
      const outs = [0, 4, 8, 12].map((at) => place.subarray(at, at + 4));
      const words = ['void *', 'void *', 'void *', 'void *', com.Variant];
      if (com.call(object, 22, words, ...outs, com.numbered(child)) < 0) return null;
      const [x = 0, y = 0, width = 0, height = 0] = [0, 4, 8, 12].map((at) => place.readInt32LE(at));
      return { x, y, width, height };
    },
    get_accFocus: (object) => {
      const part = com.emptyVariant();
      return com.call(object, 18, ['void *'], part) < 0 ? null : com.childOf(part);
    },
  };
}
