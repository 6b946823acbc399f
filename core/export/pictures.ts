import type { PictureRef } from './model.ts';
import { extension } from './videogui/rows.ts';

/** A picture that an export holds, with its file name there. */
export type NamedPicture = { picture: PictureRef; name: string };

/** Names pictures: one still stands for several moments (an action's after is often the next one's before), one file does. */
type PictureNames = {
  /** The picture's file name; `wish` (without extension) when it has none yet. */
  nameOf(picture: PictureRef, wish: string): string;
  all(): NamedPicture[];
};

export function pictureNames(): PictureNames {
  const names = new Map<string, NamedPicture>();
  return {
    nameOf(picture, wish) {
      const known = names.get(picture.path) ?? { picture, name: wish + extension(picture.path) };
      names.set(picture.path, known);
      return known.name;
    },
    all: () => [...names.values()],
  };
}

/** `PPT_15_2_5_before`, as the VideoGUI export calls it. */
export function stillName(task: string, subtask: number, rank: number, role: 'before' | 'after'): string {
  return [task, subtask, rank, role].join('_');
}
