import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import type { ScreenReader } from '../screen/grab-loop.ts';
import type { Picture } from '../screen/picture.ts';
import { virtualScreen } from './displays.ts';

/** A picture whose pixels Windows copies the desktop into: a bitmap, chosen into a memory context of its own. */
type GdiPicture = Picture & { context: number; bitmap: number };

const SRCCOPY = 0x00cc0020;
const DIB_RGB_COLORS = 0;

/**
 * The desktop by GDI's BitBlt: every pixel as it is shown, without the pointer. GDI does not say what was painted, so each
 * picture is compared with the one before. Positions are physical px of the virtual desktop (the process is DPI aware).
 */
export function gdiReader(): ScreenReader<GdiPicture> {
  const user32 = koffi.load('user32.dll');
  const gdi32 = koffi.load('gdi32.dll');
  const handle = 'intptr';
  const GetDC = user32.func('__stdcall', 'GetDC', handle, [handle]);
  const ReleaseDC = user32.func('__stdcall', 'ReleaseDC', 'int', [handle, handle]);
  const GetSystemMetrics = user32.func('__stdcall', 'GetSystemMetrics', 'int', ['int']);
  const CreateCompatibleDC = gdi32.func('__stdcall', 'CreateCompatibleDC', handle, [handle]);
  const DeleteDC = gdi32.func('__stdcall', 'DeleteDC', 'int', [handle]);
  const SelectObject = gdi32.func('__stdcall', 'SelectObject', handle, [handle, handle]);
  const DeleteObject = gdi32.func('__stdcall', 'DeleteObject', 'int', [handle]);
  const GdiFlush = gdi32.func('__stdcall', 'GdiFlush', 'int', []);
  const CreateDIBSection = gdi32.func('__stdcall', 'CreateDIBSection', handle, [
    ...[handle, 'void *', 'uint32'],
    koffi.out(koffi.pointer('void *')),
    ...[handle, 'uint32'],
  ]);
  const BitBlt = gdi32.func('__stdcall', 'BitBlt', 'int', [
    ...[handle, 'int', 'int', 'int', 'int'],
    ...[handle, 'int', 'int', 'uint32'],
  ]);

  const isOnScreen = (x: number, y: number, { width, height }: Picture): boolean => {
    const all = virtualScreen({ GetSystemMetrics });
    return x >= all.x && y >= all.y && x + width <= all.x + all.width && y + height <= all.y + all.height;
  };

  return {
    damage: null,
    memory: {
      make(width, height) {
        // BITMAPINFOHEADER: 32 bits a pixel, uncompressed; a negative height puts the first row first.
        const info = Buffer.alloc(40);
        info.writeUInt32LE(info.length, 0);
        info.writeInt32LE(width, 4);
        info.writeInt32LE(-height, 8);
        info.writeUInt16LE(1, 12);
        info.writeUInt16LE(32, 14);
        const context = CreateCompatibleDC(0);
        const bits: unknown[] = [null];
        const bitmap = CreateDIBSection(context, info, DIB_RGB_COLORS, bits, 0, 0);
        if (bits[0] === null || Number(bitmap) === 0) {
          DeleteDC(context);
          const bytes = width * height * 4;
          throw new StudioError('NO_LIBRARY', `Windows gave no memory for a picture of ${width}x${height}.`, { bytes });
        }
        SelectObject(context, bitmap);
        return { width, height, bytes: width * height * 4, pointer: koffi.address(bits[0]), context, bitmap };
      },
      free({ context, bitmap }) {
        DeleteDC(context);
        DeleteObject(bitmap);
      },
    },
    read(into, x, y) {
      if (!isOnScreen(x, y, into)) return false;
      // Asked for anew each time: a change of the displays makes an old one worthless.
      const screen = GetDC(0);
      const copied = BitBlt(into.context, 0, 0, into.width, into.height, screen, x, y, SRCCOPY) !== 0;
      ReleaseDC(0, screen);
      GdiFlush();
      return copied;
    },
  };
}
