import { join } from 'node:path';
import type { Records } from '../../core/annotate/document.ts';
import { boxId, GOAL_ID, labelId, reasoningId, removalId } from '../../core/annotate/ids.ts';
import { saysPixels } from '../../core/annotate/missing.ts';
import { type Language, narrate } from '../../core/annotate/narration.ts';
import { originsOf } from '../../core/annotate/origins.ts';
import { boxFits, framePlace } from '../../core/annotate/picture.ts';
import { subtaskSpans } from '../../core/annotate/subtasks.ts';
import { narrationFields } from '../../core/annotate/view.ts';
import {
  type DragWords,
  type ExportAction,
  type ExportSubtask,
  itemName,
  type LeftOut,
  type PictureRef,
  picturePositions,
} from '../../core/export/model.ts';
import { append } from '../../core/lists.ts';
import type { JudgedStep } from '../../core/review/judged.ts';
import type { Action } from '../../schemas/actions.ts';
import type { AnnotationRecord, RecordOf } from '../../schemas/annotation.ts';
import { errorBody, isPassing, StudioError, whyNot } from '../../schemas/errors.ts';
import type { Frame } from '../../schemas/frames.ts';
import { folderIn, hasFile } from '../files/inside.ts';
import type { ClosedRecording } from '../recordings/closed.ts';
import { KEYFRAMES_FOLDER } from '../recordings/folders.ts';
import type { Pictures } from '../recordings/stills.ts';

/** A recording's actions as people annotated them, for the export. */

type Naming = {
  task: string;
  recording: string;
  /** Describes the only subtask of a recording that nobody divided. */
  goal: string;
  language: Language | undefined;
};

export const goalOf = (records: Records): string => {
  const goal = records.get(GOAL_ID);
  return goal?.kind === 'goal' ? goal.text : '';
};

/**
 * Subtasks with what is said of each action. Ids and ranks are those of the annotation page: what was removed leaves a
 * gap, which `leftOut` explains.
 */
export function annotatedSubtasks(
  actions: readonly Action[],
  records: Records,
  pictures: Pictures,
  naming: Naming,
  judged: ReadonlyMap<string, JudgedStep> = new Map(),
): { subtasks: ExportSubtask[]; leftOut: LeftOut[] } {
  const spans = subtaskSpans(actions, records).filter(({ from, to }) => to > from);
  const leftOut: LeftOut[] = [];
  const subtasks = spans.flatMap(({ record, from, to }, place): ExportSubtask[] => {
    const id = place + 1;
    const exported: ExportAction[] = [];
    const removed: LeftOut[] = [];
    for (const [at, action] of actions.slice(from, to).entries()) {
      const removal = find(records, removalId(action.id), 'removal');
      if (removal) {
        const item = itemName(naming.task, id, at + 1);
        removed.push({ item, from: '*', reason: `removed: ${REASONS[removal.reason]}` });
      } else {
        const one = annotatedAction(action, at + 1, records, pictures, naming);
        append(leftOut, lostBoxes(itemName(naming.task, id, at + 1), one, records));
        const said = judged.get(action.id);
        exported.push(said ? { ...one, judged: said } : one);
      }
    }
    append(leftOut, removed);
    if (exported.length === 0) {
      leftOut.push({ item: itemName(naming.task, id), from: '*', reason: 'all its steps were removed' });
      return [];
    }
    return [
      {
        id,
        // Never made up: what has no title is left out where one is needed.
        query: record.title.trim() || (spans.length === 1 ? naming.goal.trim() : ''),
        startImage: exported[0]?.beforeImage ?? null,
        endImage: exported.at(-1)?.afterImage ?? null,
        actions: exported,
        ...(record.drafted && { drafted: originsOf(record) }),
      },
    ];
  });
  return { subtasks, leftOut };
}

/** Without the person's comment: it may tell what was to stay private. */
const REASONS: Record<RecordOf<'removal'>['reason'], string> = {
  mistake: 'a mistake',
  private: 'private content',
  duplicate: 'a duplicate',
  waiting: 'only waiting',
  other: 'for another reason',
};

function annotatedAction(
  derived: Action,
  rank: number,
  records: Records,
  pictures: Pictures,
  { recording, language }: Naming,
): ExportAction {
  const label = find(records, labelId(derived.id), 'label');
  // The keys that were pressed stay in `keystrokes` (pattern 8).
  const action = label?.text == null ? derived : { ...derived, text: label.text };
  const beforeImage = pictures.get(`before ${derived.id}`) ?? null;
  const made = narrate(action, narrationFields(label), {
    ...(language && { language }),
    ...(beforeImage && { origin: beforeImage.origin }),
  });
  const box = find(records, boxId(derived.id, 'target'), 'box')?.box ?? null;
  const drawn = box && beforeImage && boxFits(box, beforeImage) ? box : null;
  const reasoning = find(records, reasoningId(derived.id), 'reasoning');
  const name = label?.element ?? '';
  const origins = { ...originsOf(label ?? undefined), ...originsOf(reasoning ?? undefined) };
  const said = label?.narration == null ? origins.element : origins.narration;
  const drafted = { ...origins, ...(said && { narration: said }) };
  return {
    id: derived.id,
    rank,
    recording,
    action,
    narration: label?.narration ?? made,
    ...(label?.narration == null && saysPixels(action.kind, made) && { pixels: true }),
    element: name || drawn ? { name, box: drawn } : null,
    beforeImage,
    afterImage: pictures.get(`after ${derived.id}`) ?? null,
    positions: picturePositions(action, beforeImage),
    drag: action.kind === 'drag' ? dragWords(derived.id, label, records, beforeImage) : null,
    thought: reasoning?.thought ?? null,
    actionThought: reasoning?.actionThought ?? null,
    observation: reasoning?.observation ?? null,
    ...(Object.keys(drafted).length > 0 && { drafted }),
  };
}

/** Boxes that somebody drew and that lie in another picture than the step's: its keyframe was moved, or is not there. */
function lostBoxes(item: string, { id, element, drag, beforeImage }: ExportAction, records: Records): LeftOut[] {
  const kept = { target: element?.box, end: drag?.endBox };
  return (['target', 'end'] as const).flatMap((role) => {
    const box = find(records, boxId(id, role), 'box')?.box;
    if (!box || kept[role]) return [];
    const where = beforeImage
      ? `does not lie in the picture of ${beforeImage.width} x ${beforeImage.height}`
      : 'has no picture to lie in';
    return [{ item, from: 'box', reason: `its box (${[box.x, box.y, box.width, box.height].join(', ')}) ${where}` }];
  });
}

function dragWords(
  id: string,
  label: RecordOf<'label'> | null,
  records: Records,
  picture: PictureRef | null,
): DragWords {
  const box = find(records, boxId(id, 'end'), 'box')?.box ?? null;
  const said = (text: string | null | undefined): string | null => text?.trim() || null;
  return {
    startName: said(label?.startName),
    endName: said(label?.endName),
    purpose: said(label?.purpose),
    kind: label?.dragKind ?? null,
    endBox: box && picture && boxFits(box, picture) ? box : null,
  };
}

function find<K extends AnnotationRecord['kind']>(records: Records, id: string, kind: K): RecordOf<K> | null {
  const record = records.get(id);
  // A record of this kind, as its `kind` says; the compiler does not narrow by a type parameter.
  return record?.kind === kind ? (record as RecordOf<K>) : null;
}

/** How a moved keyframe's missing still is handled: it is cut or, for a preview, counted as if it were there. */
export type MovedStills = 'cut' | 'planned';

/**
 * Puts moved keyframes (K5) in the place of the chosen ones. Throws BAD_FILE; RECORDING_DAMAGED, NO_FFMPEG,
 * FFMPEG_UNSUITABLE when one is to be cut and cannot be.
 */
export async function movedPictures(
  closed: ClosedRecording,
  records: Records,
  pictures: Pictures,
  missing: MovedStills = 'cut',
): Promise<void> {
  const moved = [...records.values()].filter((record) => record.kind === 'keyframe');
  if (moved.length === 0) return;
  const wanted = new Map<string, Frame>();
  for (const { action, role, frame: i } of moved) {
    const place = framePlace(closed.frames, i);
    const picture = closed.picture(place);
    const frame = closed.frameAt(place);
    if (!picture || !frame) continue;
    pictures.set(`${role} ${action}`, picture);
    if (!hasFile(closed.folder, `${KEYFRAMES_FOLDER}/${frame.t}.png`)) wanted.set(picture.path, frame);
  }
  if (wanted.size > 0 && missing === 'cut') await cut(closed, [...wanted.values()]);
}

async function cut({ folder, meta }: ClosedRecording, frames: Frame[]): Promise<void> {
  // Only here: an export whose stills are all there needs no ffmpeg.
  const { findFfmpeg } = await import('../../native/ffmpeg/find.ts');
  const { cutFrames } = await import('../recordings/cut.ts');
  const ffmpeg = await findFfmpeg();
  try {
    frames.sort((a, b) => a.i - b.i);
    const to = folderIn(folder, KEYFRAMES_FOLDER);
    await cutFrames(folder, meta.segments, frames, ({ t }) => join(to, `${t}.png`), ffmpeg);
  } catch (error) {
    if (error instanceof StudioError && error.details.missing !== true) throw error;
    if (isPassing(errorBody(error).code)) throw error;
    const why = whyNot(error);
    throw new StudioError(
      'RECORDING_DAMAGED',
      `A moved keyframe of ${folder} cannot be cut: ${why}. Put its video back, or move the keyframe back.`,
      { folder },
      { cause: error },
    );
  }
}
