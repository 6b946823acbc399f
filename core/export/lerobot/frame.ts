import type { ExportAction, ExportTask, PicturePoint, PictureRef } from '../model.ts';

/** A video's size, px: the same for all of a data set. */
export type FrameSize = { width: number; height: number };

/** The size of a data set's frames, by its first picture: H.264 takes even numbers, so an odd edge has one black pixel more. */
export const frameOf = ({ width, height }: FrameSize): FrameSize => ({
  width: width + (width % 2),
  height: height + (height % 2),
});

/** How a picture lies in a frame: at its top left, as large as it is, or smaller where it would not fit. */
export function placedIn({ width, height }: FrameSize, frame: FrameSize): FrameSize & { scale: number } {
  const scale = Math.min(1, frame.width / width, frame.height / height);
  if (scale === 1) return { width, height, scale };
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)), scale };
}

/** A task as it is seen in these frames: the places of each action are those of the frame. */
export function inFrames(task: ExportTask, frame: FrameSize): ExportTask {
  return {
    ...task,
    subtasks: task.subtasks.map((subtask) => ({
      ...subtask,
      actions: subtask.actions.map((exported) => inFrame(exported, frame)),
    })),
  };
}

function inFrame(exported: ExportAction, frame: FrameSize): ExportAction {
  const { beforeImage, positions } = exported;
  if (!beforeImage) return exported;
  const { scale } = placedIn(beforeImage, frame);
  const moved = ([x, y]: PicturePoint): PicturePoint => [Math.floor(x * scale), Math.floor(y * scale)];
  // A point outside of its own picture stays outside, also where the frame has room beside the picture.
  const inside = (point: PicturePoint): PicturePoint => {
    const [x, y] = point;
    const isOut = x < 0 || y < 0 || x >= beforeImage.width || y >= beforeImage.height;
    return isOut ? [-1, -1] : moved(point);
  };
  const picture: PictureRef = { ...beforeImage, ...frame };
  return {
    ...exported,
    beforeImage: picture,
    positions: positions && { start: inside(positions.start), end: inside(positions.end) },
  };
}
