/**
 * Pictures of the screen that another process takes and hands to the capture process (Wayland: a hidden page of the desktop
 * app, through the system's own question). HTTP on a Unix socket; the pages' addresses are the same below `studio://app`.
 * A picture is 4 bytes a pixel, blue green red unused: of the rectangle in which it differs from the picture before.
 */
export const SCREEN_ROUTES = {
  /**
   * GET: the session's time now, µs, how many pictures a second are wanted, and the session's zero on the system's monotonic
   * clock, µs: `{t, fps, zeroUs}`.
   */
  clock: '/screen/clock',
  /** POST, first: what comes. */
  begin: '/screen/begin',
  /** POST with the changed part, row after row, as its body. */
  picture: '/screen/picture',
  /** POST: no more pictures, and why. */
  end: '/screen/end',
} as const;

export type ScreenBegin = {
  width: number;
  height: number;
  /** Whether the pointer is in the pictures; null where the system does not say. */
  cursor: boolean | null;
  /** The pictures' pixels as they came; `BGRX` and the like are the screen's own, `I420` and `NV12` have lost colour. */
  format: string;
};

export type ScreenPicture = {
  /** When it was taken, session µs. */
  t: number;
  width: number;
  height: number;
  /** The rectangle that the body holds; 0 rows: nothing changed. */
  left: number;
  top: number;
  columns: number;
  rows: number;
  /** Pictures that were taken but could not be handed over, since the last one. */
  dropped: number;
};

/** `refused`: the person said no. `ended`: the sharing was ended from outside. `failed`: it does not work here. */
const SCREEN_ENDS = ['refused', 'ended', 'failed'] as const;
export type ScreenEnd = { why: (typeof SCREEN_ENDS)[number]; message: string };

/** The largest side of a picture, px. */
const MOST_SIDE = 16_384;
const LONGEST_WORDS = 500;

const EXACT = new Set(['BGRX', 'BGRA', 'RGBX', 'RGBA']);
/** True when pixels in this format are the screen's pixels. */
export const isExactFormat = (format: string): boolean => EXACT.has(format);

function whole(params: URLSearchParams, name: string, least: number, most: number): number | null {
  const text = params.get(name) ?? '';
  const value = Number(text);
  return /^\d{1,16}$/.test(text) && value >= least && value <= most ? value : null;
}

export function writeQuery(values: Readonly<Record<string, string | number | boolean | null>>): string {
  return new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();
}

/** Null when something is missing or not of the kind. */
export function readBegin(params: URLSearchParams): ScreenBegin | null {
  const width = whole(params, 'width', 1, MOST_SIDE);
  const height = whole(params, 'height', 1, MOST_SIDE);
  const cursor = params.get('cursor');
  const format = params.get('format') ?? '';
  if (width === null || height === null || !/^[A-Z0-9]{1,10}$/.test(format)) return null;
  if (cursor !== 'true' && cursor !== 'false' && cursor !== 'null') return null;
  return { width, height, cursor: cursor === 'null' ? null : cursor === 'true', format };
}

/** Null when something is missing, not of the kind, or the rectangle does not be in the picture. */
export function readPicture(params: URLSearchParams): ScreenPicture | null {
  const t = whole(params, 't', 0, Number.MAX_SAFE_INTEGER);
  const width = whole(params, 'width', 1, MOST_SIDE);
  const height = whole(params, 'height', 1, MOST_SIDE);
  const left = whole(params, 'left', 0, MOST_SIDE);
  const top = whole(params, 'top', 0, MOST_SIDE);
  const columns = whole(params, 'columns', 0, MOST_SIDE);
  const rows = whole(params, 'rows', 0, MOST_SIDE);
  const dropped = whole(params, 'dropped', 0, 1e9);
  if (t === null || width === null || height === null || dropped === null) return null;
  if (left === null || top === null || columns === null || rows === null) return null;
  if (left + columns > width || top + rows > height) return null;
  return { t, width, height, left, top, columns, rows, dropped };
}

export function readEnd(params: URLSearchParams): ScreenEnd | null {
  const why = SCREEN_ENDS.find((one) => one === params.get('why'));
  return why === undefined ? null : { why, message: (params.get('message') ?? '').slice(0, LONGEST_WORDS) };
}

/** Bytes of a picture's body. */
export const bodyBytes = ({ columns, rows }: Pick<ScreenPicture, 'columns' | 'rows'>): number => columns * rows * 4;
