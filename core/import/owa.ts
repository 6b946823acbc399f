import type { z } from 'zod';
import type { DucktrackEvent, OwaWindow, owaKeyboardSchema, owaMouseSchema } from '../../schemas/import.ts';

/** OWAMcap's input in the words of DuckTrack, whose reader knows Windows' virtual keys; and what its times and places mean. */

/** `seconds` of our own clock. */
export function owaInput(
  message: z.infer<typeof owaKeyboardSchema> | z.infer<typeof owaMouseSchema>,
  seconds: number,
): DucktrackEvent {
  const time_stamp = seconds;
  switch (message.event_type) {
    case 'press':
    case 'release':
      return { time_stamp, action: message.event_type, name: null, pynput_key: `<${message.vk}>` };
    case 'move':
      return { time_stamp, action: 'move', x: message.x, y: message.y };
    case 'click': {
      const { x, y, button, pressed } = message;
      return { time_stamp, action: 'click', x, y, button, pressed };
    }
    case 'scroll': {
      const { x, y, dx, dy } = message;
      return { time_stamp, action: 'scroll', x, y, dx, dy };
    }
  }
}

export type OwaPicture = { pts: number; t: number };

/**
 * When the video's time 0 was, from pictures (`pts` and `t` in µs of two clocks): each was told of at `t` or before. The least
 * distance is nearest to the truth; `errorUs`, how far most lie above it, is what is not known. Null without a picture.
 */
export function owaVideoStart(pictures: readonly OwaPicture[]): { startUs: number; errorUs: number } | null {
  if (pictures.length === 0) return null;
  const starts = pictures.map(({ pts, t }) => t - pts).sort((a, b) => a - b);
  const [least, middle] = [starts[0]!, starts[Math.floor(starts.length / 2)]!]; // There is one.
  return { startUs: Math.round(least), errorUs: Math.max(1000, Math.round(middle - least)) };
}

/** Windows 10 and 11 tell a window's edges with its invisible borders: 7 to 8 px at 100 %, but for the top. */
const BORDER = 40;

export type OwaArea = { x: number; y: number; window: OwaWindow | null };

/**
 * Where the pictures lie on the desktop, which OWAMcap does not say: on the window that is just a little larger than they are
 * (its invisible borders left, right and below), else at the top left, as of a whole screen.
 */
export function owaArea(windows: readonly OwaWindow[], picture: { width: number; height: number }): OwaArea {
  const fits = windows.find(({ rect: [left, top, right, bottom] }) => {
    const [wide, high] = [right - left - picture.width, bottom - top - picture.height];
    // A video's edges are even: a picture may be a pixel larger than what it shows.
    return wide >= -1 && wide <= BORDER && high >= -1 && high <= BORDER;
  });
  if (!fits) return { x: 0, y: 0, window: null };
  const [left, top, right] = fits.rect;
  return { x: Math.round(left + Math.max(0, right - left - picture.width) / 2), y: Math.round(top), window: fits };
}
