import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Records } from '../../core/annotate/document.ts';
import { boxId, GOAL_ID, labelId, reasoningId, removalId } from '../../core/annotate/ids.ts';
import { type Language, narrate } from '../../core/annotate/narration.ts';
import { boxFits, framePlace, pictureRect } from '../../core/annotate/picture.ts';
import { subtaskSpans } from '../../core/annotate/subtasks.ts';
import { narrationFields } from '../../core/annotate/view.ts';
import {
  type ExportAction,
  type ExportSubtask,
  itemName,
  type LeftOut,
  type PictureRef,
  picturePositions,
} from '../../core/export/model.ts';
import type { Action } from '../../schemas/actions.ts';
import type { AnnotationRecord, RecordOf } from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { Recording } from '../../schemas/recording.ts';
import { readFrames } from '../store/recording-folder.ts';

/** A recording's actions as people annotated them, for the export. */

/** Stills by `<role> <action>`. */
export type Pictures = Map<string, PictureRef>;

type Naming = {
  task: string;
  recording: string;
  /** Describes subtasks that have no title. */
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
): { subtasks: ExportSubtask[]; leftOut: LeftOut[] } {
  const spans = subtaskSpans(actions, records).filter(({ from, to }) => to > from);
  const leftOut: LeftOut[] = [];
  const subtasks = spans.flatMap(({ record, from, to }, place): ExportSubtask[] => {
    const id = place + 1;
    const part = spans.length > 1 ? `${naming.goal} (part ${id})` : naming.goal;
    const exported: ExportAction[] = [];
    const removed: LeftOut[] = [];
    for (const [at, action] of actions.slice(from, to).entries()) {
      const removal = find(records, removalId(action.id), 'removal');
      if (removal) {
        const item = itemName(naming.task, id, at + 1);
        removed.push({ item, from: '*', reason: `removed: ${REASONS[removal.reason]}` });
      } else {
        exported.push(annotatedAction(action, at + 1, records, pictures, naming));
      }
    }
    leftOut.push(...removed);
    if (exported.length === 0) {
      leftOut.push({ item: itemName(naming.task, id), from: '*', reason: 'all its steps were removed' });
      return [];
    }
    return [
      {
        id,
        query: record.title.trim() || part,
        startImage: exported[0]?.beforeImage ?? null,
        endImage: exported.at(-1)?.afterImage ?? null,
        actions: exported,
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
  // What was pressed stays in `keystrokes` (pattern 8).
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
  return {
    id: derived.id,
    rank,
    recording,
    action,
    narration: label?.narration ?? made,
    element: name || drawn ? { name, box: drawn } : null,
    beforeImage,
    afterImage: pictures.get(`after ${derived.id}`) ?? null,
    positions: picturePositions(action, beforeImage),
    thought: reasoning?.thought ?? null,
    actionThought: reasoning?.actionThought ?? null,
    observation: reasoning?.observation ?? null,
  };
}

function find<K extends AnnotationRecord['kind']>(records: Records, id: string, kind: K): RecordOf<K> | null {
  const record = records.get(id);
  // A record of this kind, as its `kind` says; the compiler does not narrow by a type parameter.
  return record?.kind === kind ? (record as RecordOf<K>) : null;
}

/** What becomes of a moved keyframe's still that is not there: it is cut, or, for a look ahead, counted as if it were. */
export type MovedStills = 'cut' | 'planned';

/**
 * Puts moved keyframes (K5) in the place of the chosen ones. Throws RECORDING_DAMAGED, NO_FFMPEG, FFMPEG_UNSUITABLE when
 * one is to be cut and cannot be.
 */
export async function movedPictures(
  folder: string,
  stills: string,
  recording: Recording,
  events: readonly RawEvent[],
  records: Records,
  pictures: Pictures,
  missing: MovedStills = 'cut',
): Promise<void> {
  const moved = [...records.values()].filter((record) => record.kind === 'keyframe');
  if (moved.length === 0) return;
  const { frames } = readFrames(folder);
  const geometry = {
    frames: frames.map(({ i, t, seg }): [number, number, number] => [i, t, seg ?? 0]),
    views: events.flatMap((e) => (e.type === 'view' ? [{ t: e.t, segment: e.segment, rect: e.view }] : [])),
  };
  const wanted = new Map<string, Frame>();
  for (const { action, role, frame: i } of moved) {
    const place = framePlace(geometry.frames, i);
    const rect = pictureRect(geometry, place);
    if (!rect) continue;
    const path = join(stills, `${frames[place]!.t}.png`);
    pictures.set(`${role} ${action}`, {
      path,
      width: rect.width,
      height: rect.height,
      origin: { x: rect.x, y: rect.y },
    });
    if (!existsSync(path)) wanted.set(path, frames[place]!);
  }
  if (wanted.size > 0 && missing === 'cut') await cut(folder, stills, recording, [...wanted.values()]);
}

async function cut(folder: string, stills: string, { segments }: Recording, frames: Frame[]): Promise<void> {
  // Only here: an export whose stills are all there needs no ffmpeg.
  const { findFfmpeg } = await import('../../native/ffmpeg/find.ts');
  const { cutFrames } = await import('../keyframes/cut.ts');
  const ffmpeg = await findFfmpeg();
  try {
    frames.sort((a, b) => a.i - b.i);
    await cutFrames(folder, segments, frames, ({ t }) => join(stills, `${t}.png`), ffmpeg);
  } catch (error) {
    if (error instanceof StudioError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new StudioError(
      'RECORDING_DAMAGED',
      `A moved keyframe of ${folder} cannot be cut: ${why}. Put its video back, or move the keyframe back.`,
      { folder },
      { cause: error },
    );
  }
}
