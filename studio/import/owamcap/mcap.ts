import { createReadStream } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { McapStreamReader } from '@mcap/core';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import type { ImportLimits } from '../limits.ts';

/** A message of a channel: its topic, the last word of its schema's name, when it was made (ns), its bytes. */
export type McapMessage = { topic: string; schema: string; encoding: string; ns: bigint; data: Uint8Array };

/** A record (a chunk of messages) is held whole: more is no recording of input. Bytes. */
const MOST_RECORD = 64 * 1024 ** 2;
/** A chunk without its compression. */
const MOST_CHUNK = 256 * 1024 ** 2;
const PIECE = 1 << 20;

/**
 * Hands each message of an MCAP to `take`, in the order of the file, by mcap's own reader. Throws BAD_FILE, with what is wrong and
 * where: a file that was cut off, a chunk whose checksum is wrong, a size that no recording has, a compression that is not known.
 */
export async function readMcap(
  file: string,
  { bytes: most }: Pick<ImportLimits, 'bytes'>,
  signal: AbortSignal,
  take: (message: McapMessage) => void,
): Promise<void> {
  const reader = new McapStreamReader({
    validateCrcs: true,
    // A file may name any word as its compression.
    decompressHandlers: Object.assign(Object.create(null), { zstd: unpacked }),
  });
  const channels = new Map<number, { topic: string; encoding: string; schema: number }>();
  const schemas = new Map<number, string>();
  let read = 0;
  const records = (): void => {
    for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
      if (record.type === 'Schema') schemas.set(record.id, record.name.split(/[./]/).at(-1) ?? '');
      else if (record.type === 'Channel')
        channels.set(record.id, { topic: record.topic, encoding: record.messageEncoding, schema: record.schemaId });
      else if (record.type === 'Message') {
        const channel = channels.get(record.channelId);
        if (!channel) continue;
        const { topic, encoding, schema } = channel;
        const ns = record.publishTime > 0n ? record.publishTime : record.logTime;
        take({ topic, encoding, schema: schemas.get(schema) ?? '', ns, data: record.data });
      }
    }
  };
  for await (const chunk of createReadStream(file, { highWaterMark: PIECE, signal })) {
    const bytes = chunk as Buffer; // A stream without an encoding gives Buffers.
    read += bytes.length;
    if (read > most) throw bad(file, `it is larger than ${most / 1e9} GB`);
    try {
      reader.append(bytes);
      records();
    } catch (error) {
      if (error instanceof StudioError) throw error;
      throw bad(file, `near byte ${Math.max(0, read - reader.bytesRemaining())}: ${saidOf(error)}`);
    }
    if (reader.done()) return;
    if (reader.bytesRemaining() > MOST_RECORD)
      throw bad(
        file,
        `near byte ${read - reader.bytesRemaining()}: a record says that it is larger than 64 MB, or was cut off`,
      );
  }
  if (!reader.done())
    throw bad(
      file,
      `it ends in the middle of a record, at byte ${read}: it was cut off, or its recorder was killed. Copy it again, or mend it (mcap recover)`,
    );
}

function unpacked(buffer: Uint8Array, size: bigint): Uint8Array {
  if (size > BigInt(MOST_CHUNK)) throw new Error(`a chunk says that ${size} bytes are packed in it`);
  return zstdDecompressSync(buffer, { maxOutputLength: Math.max(1, Number(size)) });
}

/** The reader's words in ours, where it says what a person can do something about. */
function saidOf(error: unknown): string {
  const why = whyNot(error).split('\n')[0]!.slice(0, 200);
  if (/CRC/i.test(why)) return 'a checksum is wrong: the file was damaged after it was written. Copy it again';
  const packed = /^Unsupported compression (.{0,40}?)(?: \[|$)/.exec(why)?.[1];
  if (packed !== undefined)
    return `a chunk is packed by "${packed}"; zstd is read here. Convert it (mcap compress --compression zstd)`;
  return why;
}

const bad = (file: string, why: string): StudioError =>
  new StudioError('BAD_FILE', `${file} cannot be imported: ${why.replace(/\.$/, '')}. Nothing was kept.`, { file });
