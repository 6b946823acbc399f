import { writeSync } from 'node:fs';
import koffi from 'koffi';
import { uiaCalls } from '../../native/windows/api-uia.ts';

/**
 * Our calls of UI Automation and MSAA against objects of our own, since Wine has none of the first: tables of functions in the
 * order of the interfaces' headers, texts and arrays made by Windows' own library. Prints what our calls gave, and what the objects
 * were handed.
 */

const AUTOMATION = `QueryInterface AddRef Release CompareElements CompareRuntimeIds GetRootElement ElementFromHandle ElementFromPoint
GetFocusedElement GetRootElementBuildCache ElementFromHandleBuildCache ElementFromPointBuildCache GetFocusedElementBuildCache
CreateTreeWalker get_ControlViewWalker get_ContentViewWalker get_RawViewWalker get_RawViewCondition get_ControlViewCondition
get_ContentViewCondition CreateCacheRequest`;
const REQUEST = 'QueryInterface AddRef Release AddProperty AddPattern Clone';
const WALKER = `QueryInterface AddRef Release GetParentElement GetFirstChildElement GetLastChildElement GetNextSiblingElement
GetPreviousSiblingElement NormalizeElement GetParentElementBuildCache GetFirstChildElementBuildCache GetLastChildElementBuildCache
GetNextSiblingElementBuildCache GetPreviousSiblingElementBuildCache`;
const ELEMENT = `QueryInterface AddRef Release SetFocus GetRuntimeId FindFirst FindAll FindFirstBuildCache FindAllBuildCache
BuildUpdatedCache GetCurrentPropertyValue GetCurrentPropertyValueEx GetCachedPropertyValue`;
const ACCESSIBLE = `QueryInterface AddRef Release GetTypeInfoCount GetTypeInfo GetIDsOfNames Invoke get_accParent get_accChildCount
get_accChild get_accName get_accValue get_accDescription get_accRole get_accState get_accHelp get_accHelpTopic
get_accKeyboardShortcut get_accFocus get_accSelection get_accDefaultAction accSelect accLocation`;

const oleaut32 = koffi.load('oleaut32.dll');
const SysAllocString = oleaut32.func('__stdcall', 'SysAllocString', 'void *', ['str16']);
const SafeArrayCreateVector = oleaut32.func('__stdcall', 'SafeArrayCreateVector', 'void *', [
  'uint16',
  'int32',
  'uint32',
]);
const Point = koffi.struct({ x: 'int32', y: 'int32' });
const Variant = koffi.struct({ vt: 'uint16', a: 'uint16', b: 'uint16', c: 'uint16', data: 'int64', more: 'int64' });
const E_NOTIMPL = 0x80004001 | 0;
type Method = { args: Parameters<typeof koffi.call>[1][]; does: (...values: never[]) => number };

const asked: unknown[] = [];
const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

function object(names: string, methods: Record<string, Method>): bigint {
  const list = names.split(/\s+/);
  const table: bigint = koffi.alloc('void *', list.length);
  for (const [slot, name] of list.entries()) {
    const { args, does } = methods[name] ?? { args: [], does: () => E_NOTIMPL };
    const type = koffi.proto('__stdcall', null, 'int32', ['void *', ...args]);
    const called = (_self: bigint, ...values: unknown[]): number => {
      asked.push([name, ...values.filter((_, i) => args[i] !== 'uint64').map(plain)]);
      return does(...(values as never[]));
    };
    koffi.encode(table, slot * 8, 'void *', koffi.register(called, koffi.pointer(type)));
  }
  const made: bigint = koffi.alloc('void *', 1);
  koffi.encode(made, 'void *', table);
  return made;
}
/** What a place in memory is given; such places are `uint64` in the tables above, so that they are not printed. */
const put = (at: bigint, offset: number, type: string, value: unknown): void =>
  koffi.encode(BigInt(at), offset, type, value);
const gives = (found: () => bigint, args: Method['args'] = []): Method => ({
  args: [...args, 'uint64'],
  does: (...values: bigint[]) => {
    put(values.at(-1)!, 0, 'void *', found());
    return 0;
  },
});
const release: Method = { args: [], does: () => 0 };

const LONG = 'x'.repeat(100_000);
const array: bigint = SafeArrayCreateVector(5, 0, 4);
for (const [i, n] of [10.5, -20, 300, 40].entries())
  koffi.encode(koffi.decode(array, 16, 'void *'), i * 8, 'double', n);
const VALUES: Record<number, [number, string, unknown] | null> = {
  30001: [0x2005, 'void *', array],
  30003: [3, 'int32', 50000],
  30005: [8, 'void *', SysAllocString(LONG)],
  30010: [11, 'int16', -1],
  30012: [8, 'void *', SysAllocString('Größe 你好')],
  30013: null,
  30018: [0, 'int32', 7],
};
const element = object(ELEMENT, {
  Release: release,
  GetCachedPropertyValue: {
    args: ['int32', 'uint64'],
    does: (property: number, out: bigint) => {
      const value = VALUES[property];
      if (!value) return E_NOTIMPL;
      put(out, 0, 'uint16', value[0]);
      put(out, 8, value[1], value[2]);
      return 0;
    },
  },
});
const walker = object(WALKER, {
  GetParentElementBuildCache: gives(() => element, ['void *', 'void *']),
  GetPreviousSiblingElementBuildCache: gives(() => 0n, ['void *', 'void *']),
});
const request = object(REQUEST, { AddProperty: { args: ['int32'], does: () => 0 } });
const automation = object(AUTOMATION, {
  CreateCacheRequest: gives(() => request),
  get_RawViewWalker: gives(() => walker),
  ElementFromPointBuildCache: gives(() => element, [Point, 'void *']),
  ElementFromHandleBuildCache: gives(() => element, ['int64', 'void *']),
});
const inner = object(ACCESSIBLE, { Release: release });
const numbered = (value: number): Method => ({
  args: [Variant, 'uint64'],
  does: (_child: never, out: bigint) => {
    put(out, 0, 'uint16', 3);
    put(out, 8, 'int32', value);
    return 0;
  },
});
const accessible = object(ACCESSIBLE, {
  get_accName: gives(() => SysAllocString('Speichern …'), [Variant]),
  get_accRole: numbered(43),
  get_accState: numbered(0x2000_0004),
  accLocation: {
    args: ['uint64', 'uint64', 'uint64', 'uint64', Variant],
    does: (...outs: bigint[]) => {
      for (const [i, n] of [-5, 6, 70, 80].entries()) put(outs[i]!, 0, 'int32', n);
      return 0;
    },
  },
  get_accFocus: {
    args: ['uint64'],
    does: (out: bigint) => {
      put(out, 0, 'uint16', 9);
      put(out, 8, 'void *', inner);
      return 0;
    },
  },
});

const calls = uiaCalls();
const focus = calls.get_accFocus(accessible);
const gave = {
  request: calls.createCacheRequest(automation, [30005, 30001]) === request,
  walker: calls.rawViewWalker(automation) === walker,
  point: calls.ElementFromPointBuildCache(automation, -5, 300, request).ref === element,
  handle: calls.ElementFromHandleBuildCache(automation, 0x50n, request).ref === element,
  focused: calls.GetFocusedElementBuildCache(automation, request),
  parent: calls.GetParentElementBuildCache(walker, element, request).ref === element,
  before: calls.GetPreviousSiblingElementBuildCache(walker, element, request),
  values: Object.fromEntries(
    Object.keys(VALUES)
      .filter((property) => property !== '30005')
      .map((property) => [property, calls.GetCachedPropertyValue(element, Number(property))]),
  ),
  longest: String(calls.GetCachedPropertyValue(element, 30005)).length,
  name: calls.get_accName(accessible, 3),
  role: calls.get_accRole(accessible, 0),
  state: calls.get_accState(accessible, 0),
  description: calls.get_accDescription(accessible, 0),
  place: calls.accLocation(accessible, 2),
  focus: typeof focus === 'object' && focus?.object === inner,
};
calls.Release(element);
const isMemory = (value: unknown): boolean => typeof value === 'number' && value > 0x1_0000;
const handed = asked.map((one) => (one as unknown[]).filter((value) => !isMemory(value)).map((value) => shown(value)));
writeSync(1, `${JSON.stringify({ gave, handed })}\n`);
process.exit(0);

function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('vt' in value && 'data' in value) return { vt: value.vt, number: Number(value.data) };
  return value;
}
