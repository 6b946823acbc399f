import koffi from 'koffi';
import { ELEMENT_NAME_LIMIT } from '../../schemas/limits.ts';
import type { Ref } from './api.ts';

/** A value of an attribute that is read here; null for all others, and for none. */
export type AxValue = string | number | boolean | { x: number; y: number } | { width: number; height: number } | null;
/** An AXError (0: none) and what was given, which is to be released. */
export type AxTold = { error: number; element: Ref | null };

/** Accessibility (ApplicationServices) and what its values are made of (CoreFoundation). Not run on our test machines. */
export type MacElementCalls = {
  /** AXUIElementCreateSystemWide, with AXUIElementSetMessagingTimeout: the longest that a program may take. */
  systemWide(timeoutSeconds: number): Ref;
  /** Points, origin top left of the main display. */
  AXUIElementCopyElementAtPosition(systemWide: Ref, x: number, y: number): AxTold;
  /** An attribute that is an element: AXParent, AXFocusedUIElement. */
  copyElement(element: Ref, attribute: string): AxTold;
  /** AXUIElementCopyMultipleAttributeValues: one value to each name. */
  copyValues(element: Ref, attributes: readonly string[]): { error: number; values: AxValue[] };
  /** Which of the parent's AXChildren it is, by CFEqual; -1 when it has more than `most`, or it is none. */
  placeAmong(parent: Ref, child: Ref, most: number): number;
  /** AXUIElementGetPid; 0 when it is not told. */
  pidOf(element: Ref): number;
  /** Carbon: whether somebody types into a field whose keys no other program may hear. */
  IsSecureEventInputEnabled(): boolean;
};

const UTF8 = 0x08000100;
const FRAMEWORKS = '/System/Library/Frameworks';
/** AXValueGetType. */
const [POINT, SIZE] = [1, 2];
const DOUBLE = 13;
const POINTER_BYTES = 8;

export function loadMacElementCalls(): MacElementCalls {
  const services = koffi.load(`${FRAMEWORKS}/ApplicationServices.framework/ApplicationServices`);
  const foundation = koffi.load(`${FRAMEWORKS}/CoreFoundation.framework/CoreFoundation`);
  const carbon = koffi.load(`${FRAMEWORKS}/Carbon.framework/Carbon`);
  const ref = 'void *';
  const CreateSystemWide = services.func('AXUIElementCreateSystemWide', ref, []);
  const SetMessagingTimeout = services.func('AXUIElementSetMessagingTimeout', 'int32', [ref, 'float']);
  const AtPosition = services.func('AXUIElementCopyElementAtPosition', 'int32', [ref, 'float', 'float', ref]);
  const CopyValue = services.func('AXUIElementCopyAttributeValue', 'int32', [ref, ref, ref]);
  const CopyValues = services.func('AXUIElementCopyMultipleAttributeValues', 'int32', [ref, ref, 'uint32', ref]);
  const ValueCount = services.func('AXUIElementGetAttributeValueCount', 'int32', [ref, ref, ref]);
  const GetPid = services.func('AXUIElementGetPid', 'int32', [ref, ref]);
  const ElementType = services.func('AXUIElementGetTypeID', 'ulong', []);
  const ValueType = services.func('AXValueGetTypeID', 'ulong', []);
  const KindOfValue = services.func('AXValueGetType', 'uint32', [ref]);
  const GetValue = services.func('AXValueGetValue', 'bool', [ref, 'uint32', ref]);
  const Range = koffi.struct({ location: 'long', length: 'long' });
  const CFRelease = foundation.func('CFRelease', 'void', [ref]);
  const TypeOf = foundation.func('CFGetTypeID', 'ulong', [ref]);
  const StringType = foundation.func('CFStringGetTypeID', 'ulong', []);
  const BooleanType = foundation.func('CFBooleanGetTypeID', 'ulong', []);
  const NumberType = foundation.func('CFNumberGetTypeID', 'ulong', []);
  const CreateString = foundation.func('CFStringCreateWithCString', ref, [ref, 'str', 'uint32']);
  const StringLength = foundation.func('CFStringGetLength', 'long', [ref]);
  const Characters = foundation.func('CFStringGetCharacters', 'void', [ref, Range, ref]);
  const BooleanValue = foundation.func('CFBooleanGetValue', 'bool', [ref]);
  const NumberValue = foundation.func('CFNumberGetValue', 'bool', [ref, 'long', ref]);
  const CreateArray = foundation.func('CFArrayCreate', ref, [ref, ref, 'long', ref]);
  const ArrayCount = foundation.func('CFArrayGetCount', 'long', [ref]);
  const ArrayValue = foundation.func('CFArrayGetValueAtIndex', ref, [ref, 'long']);
  const Equal = foundation.func('CFEqual', 'bool', [ref, ref]);
  const IsSecure = carbon.func('IsSecureEventInputEnabled', 'bool', []);
  const callbacks = foundation.symbol('kCFTypeArrayCallBacks');
  const names = new Map<string, Ref>();

  /** Kept for good: there are few. */
  function nameOf(attribute: string): Ref {
    const known = names.get(attribute);
    if (known !== undefined) return known;
    const made: Ref = CreateString(null, attribute, UTF8);
    names.set(attribute, made);
    return made;
  }
  function copied(copy: (out: Buffer) => number): AxTold {
    const out = Buffer.alloc(POINTER_BYTES);
    const error = copy(out);
    const found = out.readBigUInt64LE();
    if (error !== 0 || found === 0n) return { error, element: null };
    if (TypeOf(found) === ElementType()) return { error, element: found };
    CFRelease(found);
    return { error, element: null };
  }
  function textOf(value: Ref): string {
    const length = Math.min(Number(StringLength(value)), 4 * ELEMENT_NAME_LIMIT);
    const units = Buffer.alloc(length * 2);
    Characters(value, { location: 0, length }, units);
    return units.toString('utf16le');
  }
  function read(value: Ref | null): AxValue {
    if (value === null) return null;
    const type = TypeOf(value);
    if (type === StringType()) return textOf(value);
    if (type === BooleanType()) return BooleanValue(value);
    const two = Buffer.alloc(16);
    if (type === NumberType()) return NumberValue(value, DOUBLE, two) ? two.readDoubleLE() : null;
    if (type !== ValueType()) return null;
    const kind = KindOfValue(value);
    if ((kind !== POINT && kind !== SIZE) || !GetValue(value, kind, two)) return null;
    const [first, second] = [two.readDoubleLE(0), two.readDoubleLE(8)];
    return kind === POINT ? { x: first, y: second } : { width: first, height: second };
  }

  return {
    systemWide: (timeoutSeconds) => {
      const made: Ref = CreateSystemWide();
      SetMessagingTimeout(made, timeoutSeconds);
      return made;
    },
    AXUIElementCopyElementAtPosition: (systemWide, x, y) => copied((out) => AtPosition(systemWide, x, y, out)),
    copyElement: (element, attribute) => copied((out) => CopyValue(element, nameOf(attribute), out)),
    copyValues: (element, attributes) => {
      const pointers = Buffer.alloc(POINTER_BYTES * attributes.length);
      for (const [i, attribute] of attributes.entries())
        pointers.writeBigUInt64LE(BigInt(nameOf(attribute)), i * POINTER_BYTES);
      const wanted: Ref = CreateArray(null, pointers, attributes.length, callbacks);
      const out = Buffer.alloc(POINTER_BYTES);
      const error = CopyValues(element, wanted, 0, out);
      CFRelease(wanted);
      const told = out.readBigUInt64LE();
      if (error !== 0 || told === 0n) return { error, values: attributes.map(() => null) };
      const count = Number(ArrayCount(told));
      const values = attributes.map((_, i) => (i < count ? read(ArrayValue(told, i)) : null));
      CFRelease(told);
      return { error, values };
    },
    placeAmong: (parent, child, most) => {
      const count = Buffer.alloc(8);
      if (ValueCount(parent, nameOf('AXChildren'), count) !== 0 || count.readBigInt64LE() > BigInt(most)) return -1;
      const out = Buffer.alloc(POINTER_BYTES);
      const error = CopyValue(parent, nameOf('AXChildren'), out);
      const children = out.readBigUInt64LE();
      if (error !== 0 || children === 0n) return -1;
      const length = Math.min(Number(ArrayCount(children)), most);
      const place = Array.from({ length }, (_, i) => i).find((i) => Equal(ArrayValue(children, i), child));
      CFRelease(children);
      return place ?? -1;
    },
    pidOf: (element) => {
      const out = Buffer.alloc(4);
      return GetPid(element, out) === 0 ? out.readInt32LE() : 0;
    },
    IsSecureEventInputEnabled: () => IsSecure(),
  };
}
