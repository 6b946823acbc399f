/** How many of a file's first bytes `sniffMime` wants to see. */
export const SNIFF_BYTES = 4096;

/**
 * A file's type by its first bytes, never by its name or by what the sender says: a page that calls itself a picture
 * must not be served as anything a browser would run. Unknown: application/octet-stream.
 */
export function sniffMime(head: Uint8Array): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFF_BYTES));
  const starts = (hex: string, at = 0): boolean => bytes.subarray(at, at + hex.length / 2).toString('hex') === hex;
  const word = (at: number, length: number): string => bytes.toString('latin1', at, at + length);
  if (starts('89504e470d0a1a0a')) return 'image/png';
  if (starts('ffd8ff')) return 'image/jpeg';
  if (word(0, 6) === 'GIF87a' || word(0, 6) === 'GIF89a') return 'image/gif';
  if (word(0, 4) === 'RIFF' && word(8, 4) === 'WEBP') return 'image/webp';
  if (word(4, 4) === 'ftyp') return word(8, 2) === 'qt' ? 'video/quicktime' : 'video/mp4';
  // EBML: the DocType is in its header.
  if (starts('1a45dfa3')) return word(0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska';
  if (word(0, 4) === 'OggS') return 'video/ogg';
  if (word(0, 5) === '%PDF-') return 'application/pdf';
  if (starts('504b0304')) return 'application/zip';
  return isText(bytes) ? textType(bytes) : 'application/octet-stream';
}

function isText(bytes: Buffer): boolean {
  if (bytes.length === 0 || bytes.includes(0)) return false;
  // The cut at SNIFF_BYTES may go through a character: up to three bytes of it are forgiven.
  for (let cut = 0; cut <= 3 && cut < bytes.length; cut++) {
    if (decodes(bytes.subarray(0, bytes.length - cut))) return true;
    if (bytes.length < SNIFF_BYTES) return false;
  }
  return false;
}

function decodes(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function textType(bytes: Buffer): string {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (/^WEBVTT(\s|$)/.test(text)) return 'text/vtt';
  if (/^\s*\d+\s*\r?\n\s*\d\d:\d\d:\d\d[,.]\d{3} --> /.test(text)) return 'application/x-subrip';
  return 'text/plain';
}

/** Types that a browser shows and cannot run; everything else is handed out as a download. SVG is a page, so not here. */
const SHOWN: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'video/x-matroska',
]);

/** With which headers a stored file of this type goes out. */
export function servedType(mime: string): { type: string; disposition: 'inline' | 'attachment' } {
  if (SHOWN.has(mime)) return { type: mime, disposition: 'inline' };
  const isPlain = mime.startsWith('text/') || mime === 'application/x-subrip';
  return { type: isPlain ? 'text/plain; charset=utf-8' : 'application/octet-stream', disposition: 'attachment' };
}

export const isPicture = (mime: string): boolean => mime.startsWith('image/');
export const isVideo = (mime: string): boolean => mime.startsWith('video/');
