/**
 * SPA pods, PipeWire's binary values (spa/pod/pod.h): a size and a type, 4 bytes each, then the body, padded to 8 bytes.
 * Only the kinds that a screen cast needs. All little-endian, as PipeWire's are on the machines that run it.
 */
const TYPE = { id: 3, int: 4, long: 5, rectangle: 10, fraction: 11, object: 15, choice: 19 } as const;
const CHOICE = { range: 1, enumeration: 3, flags: 4 } as const;

/** A pod without its padding. */
export type Pod = { type: number; body: Buffer };

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    bytes.writeUInt32LE(value >>> 0, i * 4);
  });
  return bytes;
};

export const id = (value: number): Pod => ({ type: TYPE.id, body: words(value) });
export const int = (value: number): Pod => ({ type: TYPE.int, body: words(value) });
export const rectangle = (width: number, height: number): Pod => ({ type: TYPE.rectangle, body: words(width, height) });
export const fraction = (over: number, under: number): Pod => ({ type: TYPE.fraction, body: words(over, under) });

function choice(kind: number, values: readonly Pod[]): Pod {
  const [first] = values;
  if (!first) throw new RangeError('A choice needs a value.');
  const head = words(kind, 0, first.body.length, first.type);
  return { type: TYPE.choice, body: Buffer.concat([head, ...values.map(({ body }) => body)]) };
}
/** The best value, then the least and the most. */
export const range = (best: Pod, least: Pod, most: Pod): Pod => choice(CHOICE.range, [best, least, most]);
/** The best value, then all. */
export const oneOf = (...values: Pod[]): Pod => choice(CHOICE.enumeration, [values[0] ?? id(0), ...values]);
export const flags = (value: number): Pod => choice(CHOICE.flags, [int(value)]);

export function object(
  type: number,
  name: number,
  properties: readonly (readonly [key: number, value: Pod])[],
): Buffer {
  const parts: Buffer[] = [words(type, name)];
  for (const [key, value] of properties) parts.push(words(key, 0), encodePod(value));
  return encodePod({ type: TYPE.object, body: Buffer.concat(parts) });
}

function encodePod({ type, body }: Pod): Buffer {
  const padding = Buffer.alloc((8 - (body.length % 8)) % 8);
  return Buffer.concat([words(body.length, type), body, padding]);
}

/** The numbers of each property of an object (a choice's are its first value's); empty for what is no object. */
export function readObject(bytes: Buffer): { id: number; properties: Map<number, number[]> } {
  const properties = new Map<number, number[]>();
  if (bytes.length < 16 || bytes.readUInt32LE(4) !== TYPE.object) return { id: 0, properties };
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(0));
  let at = 16;
  while (at + 16 <= end) {
    const key = bytes.readUInt32LE(at);
    const size = bytes.readUInt32LE(at + 8);
    const type = bytes.readUInt32LE(at + 12);
    const body = bytes.subarray(at + 16, Math.min(end, at + 16 + size));
    properties.set(key, numbersOf(type, body));
    at += 16 + Math.ceil(size / 8) * 8;
  }
  return { id: bytes.readUInt32LE(12), properties };
}

function numbersOf(type: number, body: Buffer): number[] {
  if (type === TYPE.choice) {
    if (body.length < 16) return [];
    const size = body.readUInt32LE(8);
    return numbersOf(body.readUInt32LE(12), body.subarray(16, 16 + size));
  }
  if (type === TYPE.long && body.length >= 8) return [Number(body.readBigInt64LE(0))];
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= body.length; at += 4) numbers.push(body.readUInt32LE(at));
  return numbers;
}
