import { writeFileSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import { McapWriter, TempBuffer } from '@mcap/core';

/** A message as a test says it: its topic is its schema's. `ms` from the first. */
export type MadeMessage = { schema: string; ms: number; value: object };

const NS = 1_750_433_842_000_000_000n;
const TOPICS: Readonly<Record<string, string>> = {
  KeyboardEvent: 'keyboard',
  MouseEvent: 'mouse',
  WindowInfo: 'window',
  ScreenCaptured: 'screen',
};

/** Writes an MCAP of open-world-agents by mcap's own writer. `packed`: how a chunk says that it is compressed. */
export async function writeOwamcap(file: string, messages: readonly MadeMessage[], packed = 'zstd'): Promise<string> {
  const buffer = new TempBuffer();
  const compressChunk = (chunk: Uint8Array) => ({
    compression: packed,
    compressedData: packed === 'zstd' ? zstdCompressSync(chunk) : chunk,
  });
  const writer = new McapWriter({ writable: buffer, compressChunk });
  await writer.start({ profile: 'owa', library: 'mcap-owa-support 0.5.1; mcap 1.3.0' });
  const channels = new Map<string, number>();
  for (const { schema, ms, value } of messages) {
    let channelId = channels.get(schema);
    if (channelId === undefined) {
      const schemaId = await writer.registerSchema({
        name: `desktop/${schema}`,
        encoding: 'jsonschema',
        data: new Uint8Array(),
      });
      const topic = TOPICS[schema] ?? schema.toLowerCase();
      channelId = await writer.registerChannel({ schemaId, topic, messageEncoding: 'json', metadata: new Map() });
      channels.set(schema, channelId);
    }
    const time = NS + BigInt(Math.round(ms * 1e6));
    const data = new TextEncoder().encode(JSON.stringify(value));
    await writer.addMessage({ channelId, sequence: 0, logTime: time, publishTime: time, data });
  }
  await writer.end();
  writeFileSync(file, buffer.get());
  return file;
}

const key = (ms: number, vk: number): MadeMessage[] => [
  { schema: 'KeyboardEvent', ms, value: { event_type: 'press', vk } },
  { schema: 'KeyboardEvent', ms: ms + 40, value: { event_type: 'release', vk } },
];
export const pressAt = (ms: number, x: number, y: number, button = 'left'): MadeMessage[] => [
  { schema: 'MouseEvent', ms, value: { event_type: 'click', x, y, button, pressed: true } },
  { schema: 'MouseEvent', ms: ms + 50, value: { event_type: 'click', x, y, button, pressed: false } },
];
export const screenAt = (ms: number, pts: number, name = 'film.mkv'): MadeMessage => ({
  schema: 'ScreenCaptured',
  ms,
  // The writer's own first time, which a JSON number holds to within 256 ns.
  value: { utc_ns: Number(NS) + ms * 1e6, shape: [64, 48], media_ref: { uri: name, pts_ns: pts * 1e6 } },
});

/** A window of 64 x 48 with invisible borders at (100, 50), a click in it, "Hi" typed, a wheel turn, and a message of no known kind. */
export const EXAMPLE: readonly MadeMessage[] = [
  { schema: 'WindowInfo', ms: 0, value: { title: 'note.txt - Notepad', rect: [92, 50, 172, 106], hWnd: 5 } },
  { schema: 'MouseState', ms: 1, value: { x: 1, y: 1, buttons: [] } },
  screenAt(100, 0),
  screenAt(170, 50),
  { schema: 'MouseEvent', ms: 300, value: { event_type: 'move', x: 118, y: 70 } },
  ...pressAt(400, 120, 70),
  { schema: 'KeyboardEvent', ms: 900, value: { event_type: 'press', vk: 160 } },
  ...key(950, 72),
  { schema: 'KeyboardEvent', ms: 1000, value: { event_type: 'release', vk: 160 } },
  ...key(1100, 73),
  { schema: 'MouseEvent', ms: 2500, value: { event_type: 'scroll', x: 120, y: 70, dx: 0, dy: -2 } },
  { schema: 'RawMouseEvent', ms: 2600, value: { last_x: 3, last_y: 4 } },
  screenAt(3100, 3000),
];
