import type { Rect } from '../../../schemas/events.ts';
import { benchmarkActionType } from '../../actions/kinds.ts';
import { POINTING } from '../../annotate/missing.ts';
import { boxFits } from '../../annotate/picture.ts';
import {
  type ExportAction,
  type ExportSubtask,
  type ExportTask,
  itemName,
  type LeftOut,
  type PictureRef,
} from '../model.ts';
import { type NamedPicture, pictureNames, stillName } from '../pictures.ts';
import { NO_PICTURE } from '../pyautogui/calls.ts';

/** An element that was acted on, with its box in the screen before: what the grounding formats hold. */
export type GroundedElement = {
  /** `PPT_15/2/5`. */
  item: string;
  subtask: ExportSubtask;
  exported: ExportAction;
  picture: PictureRef;
  /** File name of the picture. */
  image: string;
  box: Rect;
  /** The element's name; empty when it has none. */
  name: string;
  actionType: string;
};

export type Elements = { elements: GroundedElement[]; pictures: NamedPicture[]; leftOut: LeftOut[] };

type ElementRules = {
  /** The format's name in `leftOut`. */
  from: string;
  /** Only elements that have a name. */
  needsName?: boolean;
  /** Only actions with a sentence for them. */
  needsNarration?: boolean;
  /** Only actions that point at their element: a scroll names what comes into view. */
  pointed?: boolean;
};

/** The elements of a task by subtask and rank; what has none is left out with its reason. */
export function elementsOf(task: ExportTask, rules: ElementRules): Elements {
  const { from } = rules;
  const names = pictureNames();
  const result: Elements = { elements: [], pictures: [], leftOut: [] };
  for (const subtask of task.subtasks.toSorted((a, b) => a.id - b.id)) {
    for (const exported of subtask.actions.toSorted((a, b) => a.rank - b.rank)) {
      const item = itemName(task.id, subtask.id, exported.rank);
      const { beforeImage: picture, element } = exported;
      const reason = reasonAgainst(exported, rules);
      if (reason || !picture || !element?.box) {
        result.leftOut.push({ item, from, reason: reason ?? NO_BOX });
        continue;
      }
      result.elements.push({
        item,
        subtask,
        exported,
        picture,
        image: names.nameOf(picture, stillName(task.id, subtask.id, exported.rank, 'before')),
        box: element.box,
        name: element.name.trim(),
        actionType: benchmarkActionType(exported.action),
      });
    }
  }
  result.pictures = names.all();
  return result;
}

const NO_BOX = 'nobody drew its element’s box';

function reasonAgainst(
  { action, beforeImage, element, narration }: ExportAction,
  { needsName, needsNarration, pointed }: ElementRules,
): string | null {
  if (!beforeImage) return NO_PICTURE;
  if (pointed && !POINTING.has(action.kind)) return `a ${action.kind} points at no element`;
  if (!element?.box) return NO_BOX;
  if (needsName && !element.name.trim()) return 'its element has no name';
  if (needsNarration && !narration.trim()) return 'nobody says in words what was done';
  if (boxFits(element.box, beforeImage)) return null;
  const { x, y, width, height } = element.box;
  return `its box (${[x, y, width, height].join(', ')}) does not lie in the picture of ${beforeImage.width} x ${beforeImage.height}`;
}
