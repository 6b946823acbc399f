import { join } from 'node:path';
import type { RawEvent } from '../../../schemas/events.ts';
import type { Frame } from '../../../schemas/frames.ts';
import type { Segment } from '../../../schemas/recording.ts';
import { EVENTS_FILE, FRAMES_FILE, writeRecording } from '../../store/recording-folder.ts';
import { writeLines } from '../video/import-video.ts';
import { displayOf, type ImportedFacts, recordingOf } from '../wishes.ts';
import type { GaiaSlot } from './pictures.ts';

/** Slots that follow each other in one size: a segment of the master. */
export type Stretch = { segment: Segment; slots: GaiaSlot[] };

export function stretchesOf(slots: readonly GaiaSlot[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [at, slot] of slots.entries()) {
    const { width, height } = slot.picture;
    const last = stretches.at(-1);
    if (last && last.segment.width === width && last.segment.height === height) {
      last.slots.push(slot);
      last.segment.frames++;
      continue;
    }
    const index = stretches.length;
    const file = index === 0 ? 'screen.mkv' : `screen-${index}.mkv`;
    stretches.push({ segment: { index, file, width, height, firstFrame: at, frames: 1 }, slots: [slot] });
  }
  return stretches;
}

function slotFrames(stretches: readonly Stretch[]): Frame[] {
  const frames: Frame[] = [];
  for (const { segment, slots } of stretches) {
    for (const { t } of slots) {
      const before = frames.at(-1);
      const seg = segment.index === 0 ? {} : { seg: segment.index };
      frames.push({ i: frames.length, pts: (t - slots[0]!.t) / 1000, t, ...(before && { seen: before.t }), ...seg });
    }
  }
  return frames;
}

/** The screen that the pictures came from, as large as the first of them. */
const displayIn = (stretches: readonly Stretch[]): ImportedFacts['display'] => {
  const first = stretches[0]?.segment;
  return { width: first?.width ?? 1, height: first?.height ?? 1, scale: 1 };
};

/** The events before all others: the display, and from when on a picture has which size. */
export const screenEvents = (stretches: readonly Stretch[]): RawEvent[] => [
  { type: 'displays', t: 0, displays: [displayOf(displayIn(stretches))] },
  ...stretches.map(({ segment: { index, width, height }, slots }): RawEvent => {
    return { type: 'view', t: slots[0]!.t, view: { x: 0, y: 0, width, height }, segment: index };
  }),
];

type Trajectory = Pick<ImportedFacts, 'id' | 'origin' | 'placed' | 'wishes' | 'startedAt' | 'missing'> & {
  stretches: readonly Stretch[];
  events: readonly RawEvent[];
  /** How long the last picture stands, µs. */
  lastUs: number;
};

/** Writes the events, the frames and recording.json of steps that came as pictures. */
export function writeTrajectory(folder: string, { stretches, events, lastUs, ...facts }: Trajectory): void {
  writeLines(join(folder, EVENTS_FILE), events);
  const frames = slotFrames(stretches);
  writeLines(join(folder, FRAMES_FILE), frames);
  writeRecording(
    folder,
    recordingOf({
      ...facts,
      os: { platform: 'unknown', release: '', arch: '', session: 'trajectory' },
      span: { start: 0, end: (frames.at(-1)?.t ?? 0) + lastUs },
      display: displayIn(stretches),
      fps: 5,
      encoder: 'libx264rgb',
      cursor: false,
      lossless: true,
      segments: stretches.map(({ segment }) => segment),
      frames: frames.length,
      events: events.filter(({ type }) => !['step', 'displays', 'view'].includes(type)).length,
      sync: null,
    }),
  );
}
