import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Films that are larger than any screen, or say so. */

/** Two frames of one colour in so many pixels, as ffmpeg makes them. */
export function hugeFilm(folder: string, width: number, height: number): Buffer<ArrayBuffer> {
  const file = path.join(folder, `${width}x${height}.mkv`);
  const source = `color=red:size=${width}x${height}:rate=10`;
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-frames:v', '2', '-c:v', 'ffv1', file]);
  const bytes = fs.readFileSync(file);
  fs.rmSync(file);
  return bytes;
}

const [SEGMENT, TRACKS, TRACK, VIDEO] = ['18538067', '1654ae6b', 'ae', 'e0'];
const [WIDTH, HEIGHT] = [0xb0, 0xba];

/** The film with a head that says another size: each number in four bytes, and the elements around it so much longer. */
export function filmThatSays(film: Buffer, width: number, height: number): Buffer<ArrayBuffer> {
  const sizes: { at: number; length: number }[] = [];
  let from = 0;
  for (const id of [SEGMENT, TRACKS, TRACK, VIDEO]) {
    const at = film.indexOf(Buffer.from(id, 'hex'), from) + id.length / 2;
    const length = Math.clz32(film[at]!) - 23;
    sizes.push({ at, length });
    from = at + length;
  }
  const number = (id: number, value: number): Buffer => {
    const bytes = Buffer.from([id, 0x84, 0, 0, 0, 0]);
    bytes.writeUInt32BE(value, 2);
    return bytes;
  };
  let patched = Buffer.from(film);
  let longer = 0;
  for (const [id, value] of [
    [WIDTH, width],
    [HEIGHT, height],
  ] as const) {
    const at = patched.indexOf(id, from);
    const length = 2 + (patched[at + 1]! & 0x7f);
    const said = number(id, value);
    patched = Buffer.concat([patched.subarray(0, at), said, patched.subarray(at + length)]);
    longer += said.length - length;
  }
  for (const { at, length } of sizes) {
    const size = patched.readUIntBE(at + Math.max(0, length - 6), Math.min(6, length));
    patched.writeUIntBE(size + longer, at + Math.max(0, length - 6), Math.min(6, length));
  }
  return patched;
}
