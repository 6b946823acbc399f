import { StudioError } from '../../../schemas/errors.ts';

/** Ids of a file's lines and where they stand, some thirty bytes each: a million of them fit where their texts would not. */
export type IdTable = {
  readonly size: number;
  /** Place of the id, in the order of adding; -1 when it is not there. */
  find(id: string): number;
  /** False when it is there already. */
  add(id: string, at: IdPlace): boolean;
  at(place: number): IdPlace;
};

/** `file` counts the files; `kind` is the caller's. */
type IdPlace = { file: number; offset: number; length: number; kind: number };

export function idTable(): IdTable {
  let capacity = 1024;
  let size = 0;
  // Two hashes of 32 bits: that two ids of a file agree in both is less likely than that the disk lies.
  let first = new Uint32Array(capacity);
  let second = new Uint32Array(capacity);
  let offsets = new Float64Array(capacity);
  let lengths = new Uint32Array(capacity);
  let tags = new Uint16Array(capacity);
  let slots = new Int32Array(capacity * 2).fill(-1);

  const slotOf = (a: number, b: number): number => {
    const mask = slots.length - 1;
    for (let slot = a & mask; ; slot = (slot + 1) & mask) {
      const place = slots[slot]!;
      if (place < 0 || (first[place] === a && second[place] === b)) return slot;
    }
  };
  const grow = (): void => {
    capacity *= 2;
    first = grown(first, new Uint32Array(capacity));
    second = grown(second, new Uint32Array(capacity));
    offsets = grown(offsets, new Float64Array(capacity));
    lengths = grown(lengths, new Uint32Array(capacity));
    tags = grown(tags, new Uint16Array(capacity));
    slots = new Int32Array(capacity * 2).fill(-1);
    for (let place = 0; place < size; place++) slots[slotOf(first[place]!, second[place]!)] = place;
  };
  return {
    get size() {
      return size;
    },
    find: (id) => slots[slotOf(hash(id, 0x811c9dc5), hash(id, 0x2545f491))]!,
    add(id, { file, offset, length, kind }) {
      if (size === capacity) grow();
      const a = hash(id, 0x811c9dc5);
      const b = hash(id, 0x2545f491);
      const slot = slotOf(a, b);
      if (slots[slot]! >= 0) return false;
      slots[slot] = size;
      first[size] = a;
      second[size] = b;
      offsets[size] = offset;
      lengths[size] = length;
      tags[size] = file * 16 + kind;
      size++;
      return true;
    },
    at(place) {
      if (place < 0 || place >= size) throw new StudioError('INTERNAL', `There is no line ${place} in the table.`, {});
      const tag = tags[place]!;
      return { file: tag >> 4, offset: offsets[place]!, length: lengths[place]!, kind: tag & 15 };
    },
  };
}

function grown<T extends Uint32Array | Float64Array | Uint16Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** FNV-1a with a last mixing, so that both hashes spread over all slots. */
function hash(text: string, basis: number): number {
  let value = basis;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
