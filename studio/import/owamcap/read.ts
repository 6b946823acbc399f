import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { type OwaPicture, owaInput } from '../../../core/import/owa.ts';
import { StudioError } from '../../../schemas/errors.ts';
import {
  type DucktrackEvent,
  type OwaWindow,
  owaKeyboardSchema,
  owaMouseSchema,
  owaScreenSchema,
  owaWindowSchema,
} from '../../../schemas/import.ts';
import type { ImportLimits } from '../limits.ts';
import { parseLine } from '../lines.ts';
import { readMcap } from './mcap.ts';

/** A recording of open-world-agents as it was read; times in seconds from its first message. */
export type OwaRecording = {
  /** When its first message was made, ms since 1970. */
  startedMs: number;
  /** In the order of time. */
  events: DucktrackEvent[];
  windows: { t: number; window: OwaWindow }[];
  /** In µs. */
  pictures: OwaPicture[];
  /** The video beside it; null where none is named. */
  video: { name: string; path: string | null } | null;
  /** Messages that have no place here, by topic. */
  others: Map<string, number>;
};

/** Messages of a recording: a day of a mouse that moves a hundred times a second. */
const MOST_MESSAGES = 10_000_000;
/** A message's text. */
const MOST_TEXT = 1_000_000;

/** What these say is in the events already. */
const STATES = new Set(['KeyboardState', 'MouseState']);

/** Throws BAD_FILE with the message's place for what is no message of OWAMcap. */
export async function readOwamcap(file: string, limits: ImportLimits, signal: AbortSignal): Promise<OwaRecording> {
  let zero: bigint | null = null;
  let number = 0;
  let media: string | null = null;
  const timed: { at: number; event: DucktrackEvent }[] = [];
  const windows: OwaRecording['windows'] = [];
  const pictures: { pts: number; utc: number }[] = [];
  const others = new Map<string, number>();
  await readMcap(file, limits, signal, ({ topic, schema, encoding, ns, data }) => {
    if (++number > MOST_MESSAGES) throw bad(file, `it has more than ${MOST_MESSAGES} messages`);
    zero ??= ns;
    const seconds = Number(ns - zero) / 1e9;
    const value = <T>(of: z.ZodType<T>): T => {
      if (encoding !== 'json') throw bad(file, `message ${number} (${topic}) is "${encoding.slice(0, 40)}", not JSON`);
      if (data.length > MOST_TEXT) throw bad(file, `message ${number} (${topic}) has ${data.length} bytes`);
      const read = parseLine(Buffer.from(data), of);
      if ('value' in read) return read.value;
      throw bad(file, `message ${number} (${topic}): ${read.why}`);
    };
    if (schema === 'KeyboardEvent') timed.push({ at: seconds, event: owaInput(value(owaKeyboardSchema), seconds) });
    else if (schema === 'MouseEvent') timed.push({ at: seconds, event: owaInput(value(owaMouseSchema), seconds) });
    else if (schema === 'WindowInfo') windows.push({ t: seconds, window: value(owaWindowSchema) });
    else if (schema === 'ScreenCaptured' || schema === 'ScreenEmitted') {
      const { utc_ns, path, pts, media_ref } = value(owaScreenSchema);
      media ??= media_ref?.uri ?? path ?? null;
      const at = media_ref?.pts_ns ?? pts;
      if (at !== undefined) pictures.push({ pts: at / 1000, utc: utc_ns });
    } else if (!STATES.has(schema)) others.set(topic.slice(0, 100), (others.get(topic.slice(0, 100)) ?? 0) + 1);
  });
  if (zero === null) throw bad(file, 'it has no message');
  const first = Number(zero);
  // Messages of several channels may be some ms apart from their order in the file.
  const events = timed.sort((a, b) => a.at - b.at).map(({ event }) => event);
  return {
    startedMs: first / 1e6,
    events,
    windows: windows.sort((a, b) => a.t - b.t),
    pictures: pictures.map(({ pts, utc }) => ({ pts, t: (utc - first) / 1000 })),
    video: media === null ? null : { name: basename(media), path: videoBeside(file, media) },
    others,
  };
}

/** The video that it names, in its own folder; null when there is none. Throws BAD_FILE for one elsewhere, and for links. */
function videoBeside(file: string, uri: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(uri) || /[\\/]/.test(uri.replace(/^\.[\\/]/, '')))
    throw bad(
      file,
      `its video is at "${uri.slice(0, 200)}": put it into the same folder, and its name alone into the file`,
    );
  const path = join(dirname(file), basename(uri));
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (!info) return null;
  if (!info.isFile())
    throw bad(file, `its video "${basename(uri)}" is ${info.isSymbolicLink() ? 'a link' : 'no file'}`);
  return path;
}

const bad = (file: string, why: string): StudioError =>
  new StudioError('BAD_FILE', `${file} cannot be imported: ${why.replace(/\.$/, '')}. Nothing was kept.`, { file });
