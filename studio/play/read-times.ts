import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ReadWord } from '../../core/annotate/proposals/text.ts';
import type { TimesReader } from '../../core/play/eyes.ts';
import { inkLine } from '../../core/play/ink.ts';
import { cutOut } from '../../core/play/pixels.ts';
import type { Shift } from '../../core/play/player.ts';
import { type OtherLine, otherLines, timesAt } from '../../core/play/times.ts';
import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { hasTextReader } from '../recordings/texts/languages.ts';
import { startReader, type TextReader } from '../recordings/texts/reader.ts';

/** Reads times in the pictures of a demonstration and of its play (PL33). */

/** Nothing is started before the first text is read. */
export function readTimes(start: typeof startReader = startReader): TimesReader & { close(): Promise<void> } {
  let reader: TextReader | null = null;
  let folder: string | null = null;
  // It cannot be started here, or has died too often: what is other stays other.
  let isUnable = !hasTextReader();

  async function readPart(part: RgbImage, at: { x: number; y: number }): Promise<ReadWord[]> {
    folder ??= mkdtempSync(join(tmpdir(), 'trajectory-studio-times-'));
    reader ??= await start({ languages: ['eng'], folder: null });
    const file = join(folder, 'line.png');
    const { rgb, width, height } = part;
    await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 1 })
      .toFile(file);
    const words = await reader.read(file, { x: 0, y: 0, width, height }, width * height);
    return words.map((word) => ({ ...word, box: { ...word.box, x: word.box.x + at.x, y: word.box.y + at.y } }));
  }
  /** As it is on the screen; then as ink on paper, where that says nothing. */
  const ways: ((picture: RgbImage, place: OtherLine, shift: Shift) => Promise<ReadWord[]>)[] = [
    async (picture, { crop }, shift) => {
      const moved = movedBy(crop, shift);
      const part = cutOut(picture, moved);
      return part ? readPart(part, moved) : [];
    },
    async (picture, { box }, shift) => {
      const line = inkLine(picture, movedBy(box, shift));
      return line ? readPart(line.picture, line.at) : [];
    },
  ];

  return {
    async timesIn({ still, live, blocks, shift, moments }) {
      const places = isUnable ? null : otherLines(blocks, still);
      if (!places) return null;
      const found: { was: string; is: string }[] = [];
      // The stage's clock is this machine's; some programs write the time of Greenwich.
      const offsets = [-60_000 * new Date(moments.is.to).getTimezoneOffset(), 0];
      try {
        for (const place of places) {
          let times: { was: string; is: string } | null = null;
          for (const read of ways) {
            const was = await read(still, place, { x: 0, y: 0 });
            const back = ({ box, ...word }: ReadWord): ReadWord => ({
              ...word,
              box: { ...box, x: box.x - shift.x, y: box.y - shift.y },
            });
            const is = was.length === 0 ? [] : (await read(live, place, shift)).map(back);
            times = timesAt(place, { was, is }, { still, live, shift, moments, offsets });
            if (times) break;
          }
          if (!times) return null;
          found.push(times);
        }
      } catch {
        isUnable = true;
        return null;
      }
      return { was: found.map((one) => one.was).join(', '), is: found.map((one) => one.is).join(', ') };
    },
    async close() {
      await reader?.close();
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
      [reader, folder] = [null, null];
    },
  };
}

const movedBy = (box: Rect, shift: Shift): Rect => ({ ...box, x: box.x + shift.x, y: box.y + shift.y });
