import koffi from 'koffi';
import { lazy, type Pointer } from '../memory/memory.ts';
import type { Variant } from './gvariant.ts';
import { libdbus } from './libdbus.ts';

/** Reads the arguments of libdbus messages as plain values, and writes plain values into them. */

/** A text, a number of 32 bits with its sign, one without, or a list of texts. */
export type Arg = string | number | { uint32: number } | readonly string[];

/** Values of one message that are read; what comes after them counts as not said. */
export const MOST_VALUES = 10_000;
/** The size of a DBusMessageIter is 72 bytes; libdbus nests values at most 64 deep. */
const ITERATOR_BYTES = 128;
const DEEPEST = 64;

const TYPE = (letter: string): number => letter.charCodeAt(0);
const [BYTE, BOOLEAN, INT16, UINT16, INT32, UINT32] = [...'ybnqiu'].map(TYPE);
const [INT64, UINT64, DOUBLE, TEXT, PATH, SIGNATURE] = [...'xtdsog'].map(TYPE);
const [ARRAY, VARIANT, STRUCT, ENTRY] = [...'avre'].map(TYPE);

/** Places in a message, one for each depth. */
const iterators = lazy(() =>
  Array.from({ length: DEEPEST + 2 }, () => koffi.alloc('uint8', ITERATOR_BYTES) as unknown as Pointer),
);
const number = Buffer.alloc(8);
const text: (string | null)[] = [null];

/** The arguments of a message. */
export function readArguments(message: Pointer): Variant[] {
  const d = libdbus();
  const at = iterators()[0]!;
  return d.beginRead(message, at) === 0 ? [] : readAll(at, 0, { left: MOST_VALUES });
}

function readAll(at: Pointer, depth: number, budget: { left: number }): Variant[] {
  const d = libdbus();
  const values: Variant[] = [];
  while (budget.left-- > 0) {
    const type = d.typeAt(at);
    if (type === 0) break;
    values.push(readValue(at, type, depth, budget));
    if (d.next(at) === 0) break;
  }
  return values;
}

function readValue(at: Pointer, type: number, depth: number, budget: { left: number }): Variant {
  const d = libdbus();
  switch (type) {
    case TEXT:
    case PATH:
    case SIGNATURE:
      d.readText(at, text);
      return text[0] ?? '';
    case ARRAY:
    case VARIANT:
    case STRUCT:
    case ENTRY:
      break;
    default:
      return readNumber(at, type);
  }
  if (depth >= DEEPEST) return null;
  const isDictionary = type === ARRAY && d.elementType(at) === ENTRY;
  const inside = iterators()[depth + 1]!;
  d.goIn(at, inside);
  const values = readAll(inside, depth + 1, budget);
  if (type === VARIANT) return values[0] ?? null;
  if (!isDictionary) return values;
  return Object.fromEntries(values.map((entry) => (Array.isArray(entry) ? [String(entry[0]), entry[1] ?? null] : [])));
}

function readNumber(at: Pointer, type: number): Variant {
  number.fill(0);
  // A file descriptor would be ours to close.
  if (![BYTE, BOOLEAN, INT16, UINT16, INT32, UINT32, INT64, UINT64, DOUBLE].includes(type)) return null;
  libdbus().readNumber(at, number);
  switch (type) {
    case BYTE:
      return number.readUInt8();
    case BOOLEAN:
      return number.readUInt32LE() !== 0;
    case INT16:
      return number.readInt16LE();
    case UINT16:
      return number.readUInt16LE();
    case INT32:
      return number.readInt32LE();
    case UINT32:
      return number.readUInt32LE();
    case DOUBLE:
      return number.readDoubleLE();
    default: {
      const big = type === INT64 ? number.readBigInt64LE() : number.readBigUInt64LE();
      const small = Number(big);
      return Number.isSafeInteger(small) ? small : big;
    }
  }
}

/** Puts the arguments of a call into its message; false where there is no memory for them. */
export function writeArguments(message: Pointer, args: readonly Arg[]): boolean {
  const d = libdbus();
  const [at, inside] = iterators() as [Pointer, Pointer];
  d.beginAppend(message, at);
  for (const arg of args) {
    const isDone =
      typeof arg === 'string'
        ? d.appendText(at, TEXT!, [plain(arg)])
        : typeof arg === 'number'
          ? d.appendNumber(at, INT32!, [BigInt(arg)])
          : 'uint32' in arg
            ? d.appendNumber(at, UINT32!, [BigInt(arg.uint32)])
            : d.openContainer(at, ARRAY!, 's', inside) !== 0 &&
              arg.every((one) => d.appendText(inside, TEXT!, [plain(one)]) !== 0) &&
              d.closeContainer(at, inside);
    if (!isDone) return false;
  }
  return true;
}

/** libdbus ends the process for a text that is no UTF-8. */
const plain = (value: string): string => value.replaceAll('\0', '').toWellFormed();
