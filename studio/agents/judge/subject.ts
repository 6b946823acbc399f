import { createHash } from 'node:crypto';
import { StudioError } from '../../../schemas/errors.ts';
import type { JudgedSubject } from '../../../schemas/judge.ts';
import { checkedPicture } from '../../files/picture.ts';
import { modelRunIn, readAgentReport } from '../../recordings/agent-report.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import type { Workspace } from '../../store/workspace.ts';
import { endPicture } from '../end-picture.ts';
import { shownSteps } from '../shown-steps.ts';

/** A recording as judges are shown it: its steps in words, the screens before them and at the end (of one without steps that alone), never what its checks say. */

type ShownSubject = { subject: JudgedSubject; pictures: ReadonlyMap<string, Buffer> };
/** `chosen` of its pictures are shown. They are read by `show` alone: those of many recordings would fill the memory. */
export type Subject = { id: string; folder: string; chosen: number; all: number; show(): Promise<ShownSubject> };

/**
 * At most `most` pictures, evenly chosen, the last always. Steps that somebody removed are left out, as in exports, so that what is
 * private is not sent. Throws USAGE for a recording without pictures, BAD_FILE, and what cutting them throws.
 */
export async function subjectOf(workspace: Workspace, entry: RecordingEntry, most: number): Promise<Subject> {
  const { id, folder, task, app, goal, played } = entry;
  const { recorded, actions } = await shownSteps(workspace, entry, 'Judge it');
  const files = actions.map(({ beforeImage }) => beforeImage?.path ?? null);
  const end = actions.at(-1)?.afterImage?.path ?? null;
  // Steps without a change between them share a picture.
  const ofSteps = [...files, end].flatMap((file, at, list) => (file !== null && file !== list[at - 1] ? [file] : []));
  // A run that claimed success at once left the screen as it was. A picture that somebody removed is not shown.
  const only = recorded.length === 0 ? await endPicture(folder) : null;
  const all = only === null ? ofSteps : [only];
  if (all.length === 0)
    throw new StudioError('USAGE', `${id} has no pictures of its steps, so there is nothing to judge by.`, {
      recording: id,
    });
  const chosen = evenly(all, most);
  const report = readAgentReport(folder);
  const kind = report !== null || modelRunIn(folder) !== null ? 'run' : played === null ? 'demonstration' : 'play';
  const steps = actions.map(({ narration }, at) => {
    const place = chosen.indexOf(files[at] ?? '');
    return { words: narration, picture: place < 0 ? null : place };
  });
  const words = {
    recording: id,
    kind,
    task,
    software: app,
    goal,
    answer: report?.answer || null,
    steps,
  } as const;
  return {
    id,
    folder,
    chosen: chosen.length,
    all: all.length,
    async show() {
      const pictures = new Map<string, Buffer>();
      const shown: JudgedSubject['pictures'] = [];
      for (const file of chosen) {
        const { picture, width, height } = await checkedPicture(file);
        const png = await picture.png().toBuffer();
        const sha256 = createHash('sha256').update(png).digest('hex');
        pictures.set(sha256, png);
        shown.push({ sha256, width, height });
      }
      return { subject: { ...words, pictures: shown, all: all.length }, pictures };
    },
  };
}

/** The last, and others as far from each other as can be, in their order. */
function evenly<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  const last = all.length - 1;
  const places = Array.from({ length: most }, (_, n) => (most === 1 ? last : Math.round((n * last) / (most - 1))));
  return [...new Set(places)].flatMap((place) => all[place] ?? []);
}
