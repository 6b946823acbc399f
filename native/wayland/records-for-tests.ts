export type EvdevLine = readonly [type: number, code: number, value: number];

/** One line of a device as the kernel writes it (struct input_event on 64 bits). `us`: CLOCK_MONOTONIC, µs. */
export function evdevRecord(us: number, [type, code, value]: EvdevLine): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeBigInt64LE(BigInt(Math.floor(us / 1_000_000)), 0);
  bytes.writeBigInt64LE(BigInt(us % 1_000_000), 8);
  bytes.writeUInt16LE(type, 16);
  bytes.writeUInt16LE(code, 18);
  bytes.writeInt32LE(value, 20);
  return bytes;
}

export const SYN_REPORT: EvdevLine = [0, 0, 0];

/** One report: its lines, then SYN_REPORT. */
export const evdevReport = (us: number, lines: readonly EvdevLine[]): Buffer =>
  Buffer.concat([...lines, SYN_REPORT].map((line) => evdevRecord(us, line)));
