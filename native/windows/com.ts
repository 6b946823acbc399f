import koffi from 'koffi';
import { ELEMENT_NAME_LIMIT } from '../../schemas/limits.ts';

/** Calls of COM's objects through their tables of functions, and the values that they give. */

/** An object of COM; it is to be released. */
export type ComRef = bigint;
/** A value of one of the kinds that are read here; null for all others, and for none. */
export type ComValue = string | number | boolean | number[] | null;
type Type = Parameters<typeof koffi.call>[1];

/** A class id or an interface id, as COM wants it in memory. */
export function guid(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}

const POINTER_BYTES = 8;
/** Type, data; 24 bytes on the 64-bit systems that this runs on. */
const VARIANT_BYTES = 24;
const VT = { I4: 3, R8: 5, BSTR: 8, DISPATCH: 9, BOOL: 11, R8_ARRAY: 0x2005 } as const;
const E_POINTER = -2147467261;

/**
 * What calls COM objects. `slot`: the function's place in its interface's table, from 0 (QueryInterface) on; `types`: those of its
 * arguments after the object itself. Declares types: once a thread.
 */
export function comCalls() {
  const oleaut32 = koffi.load('oleaut32.dll');
  const VariantClear = oleaut32.func('__stdcall', 'VariantClear', 'int32', ['void *']);
  const SysFreeString = oleaut32.func('__stdcall', 'SysFreeString', 'void', ['void *']);
  const SysStringLen = oleaut32.func('__stdcall', 'SysStringLen', 'uint32', ['void *']);
  const Variant = koffi.struct({ vt: 'uint16', a: 'uint16', b: 'uint16', c: 'uint16', data: 'int64', more: 'int64' });
  const Point = koffi.struct({ x: 'int32', y: 'int32' });
  const types = new Map<string, Type>();

  function method(slot: number, args: readonly Type[]): Type {
    const key = `${slot} ${args.map(String).join()}`;
    let type = types.get(key);
    if (!type) {
      type = koffi.proto('__stdcall', null, 'int32', ['void *', ...args]);
      types.set(key, type);
    }
    return type;
  }
  /** An HRESULT: negative where it failed. */
  function call(object: ComRef, slot: number, args: readonly Type[], ...values: unknown[]): number {
    const table: bigint | null = koffi.decode(object, 'void *');
    if (table === null) return E_POINTER;
    const code: bigint = koffi.decode(table, slot * POINTER_BYTES, 'void *');
    return koffi.call(code, method(slot, args), object, ...values);
  }
  /** The object that a function's last argument gives; null where it failed. */
  function object(ref: ComRef, slot: number, args: readonly Type[], ...values: unknown[]) {
    const out = Buffer.alloc(POINTER_BYTES);
    const result = call(ref, slot, [...args, 'void *'], ...values, out);
    const found = out.readBigUInt64LE();
    return { result, ref: result >= 0 && found !== 0n ? found : null };
  }
  function text(at: bigint): string {
    const units = Math.min(SysStringLen(at), 4 * ELEMENT_NAME_LIMIT);
    return units === 0 ? '' : String(koffi.decode(at, 'char16', units));
  }
  function readValue(variant: Buffer): ComValue {
    switch (variant.readUInt16LE()) {
      case VT.I4:
        return variant.readInt32LE(8);
      case VT.R8:
        return variant.readDoubleLE(8);
      case VT.BOOL:
        return variant.readInt16LE(8) !== 0;
      case VT.BSTR: {
        const at = variant.readBigUInt64LE(8);
        return at === 0n ? '' : text(at);
      }
      case VT.R8_ARRAY:
        return numbersOf(variant.readBigUInt64LE(8));
      default:
        return null;
    }
  }
  /** Of an array of one dimension, at most four: a rectangle. */
  function numbersOf(at: bigint): number[] | null {
    if (at === 0n) return null;
    const [dimensions, , bytes]: number[] = koffi.decode(at, koffi.array('uint16', 3));
    const count: number = koffi.decode(at, 24, 'uint32');
    const data: bigint | null = koffi.decode(at, 16, 'void *');
    if (dimensions !== 1 || bytes !== 8 || data === null) return null;
    return [...(koffi.decode(data, koffi.array('double', Math.min(count, 4))) as Iterable<number>)];
  }

  return {
    Variant,
    Point,
    call,
    object,
    /** A value that the last argument, a VARIANT, gives; null where the call failed. */
    value(ref: ComRef, slot: number, args: readonly Type[], ...values: unknown[]): ComValue {
      const variant = Buffer.alloc(VARIANT_BYTES);
      const result = call(ref, slot, [...args, 'void *'], ...values, variant);
      const told = result < 0 ? null : readValue(variant);
      VariantClear(variant);
      return told;
    },
    /** A VARIANT that is a number or an object, which is then the caller's. */
    childOf(variant: Buffer): number | { object: ComRef } | null {
      const type = variant.readUInt16LE();
      if (type === VT.I4) return variant.readInt32LE(8);
      const at = type === VT.DISPATCH ? variant.readBigUInt64LE(8) : 0n;
      if (at !== 0n) return { object: at };
      VariantClear(variant);
      return null;
    },
    emptyVariant: () => Buffer.alloc(VARIANT_BYTES),
    /** A VARIANT that holds this number, to be handed over by value. */
    numbered: (n: number) => ({ vt: VT.I4, a: 0, b: 0, c: 0, data: BigInt(n), more: 0n }),
    /** A text that the last argument, a BSTR, gives. */
    text(ref: ComRef, slot: number, args: readonly Type[], ...values: unknown[]): string {
      const out = Buffer.alloc(POINTER_BYTES);
      const result = call(ref, slot, [...args, 'void *'], ...values, out);
      const at = out.readBigUInt64LE();
      if (at === 0n) return '';
      const told = result < 0 ? '' : text(at);
      SysFreeString(at);
      return told;
    },
    release: (ref: ComRef) => void call(ref, 2, []),
  };
}
