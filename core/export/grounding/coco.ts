import type { z } from 'zod';
import type { Rect } from '../../../schemas/events.ts';
import type { CocoAnnotation, cocoImageSchema } from '../../../schemas/export-grounding.ts';
import { benchmarkActionType } from '../../actions/kinds.ts';
import { xywh } from '../coordinates.ts';
import type { ExportTask } from '../model.ts';
import { type Elements, elementsOf } from './elements.ts';

const COCO = 'coco';

type CocoImage = z.infer<typeof cocoImageSchema>;

/** `one`: every element is an `element`. `action`: by what was done to it, in the benchmark's names. */
export type Categories = 'one' | 'action';

const ACTION_TYPES = (
  [
    ['click', 'left', 1],
    ['click', 'right', 1],
    ['click', 'middle', 1],
    ['click', 'back', 1],
    ['click', 'left', 2],
    ['click', 'left', 3],
    ['drag', 'left', 1],
    ['scroll', null, 1],
    ['type', null, 1],
    ['hover', null, 1],
    ['wait', null, 1],
  ] as const
).map(([kind, button, count]) => benchmarkActionType({ kind, button, count }));

/** The categories, the same for every export, so that two of them can be put together. */
export function cocoCategories(categories: Categories): { id: number; name: string; supercategory: string }[] {
  const names = categories === 'one' ? ['element'] : ACTION_TYPES;
  return names.map((name, index) => ({ id: index + 1, name, supercategory: 'gui' }));
}

/**
 * A task's pictures with boxes, and the boxes: of elements, and of the places where drags end. Ids go on from those given, so that they are unique over all tasks. Pictures
 * without any box are left out: that nobody drew one does not mean that there is no element.
 */
export function cocoOf(
  task: ExportTask,
  categories: Categories,
  used: { images: number; annotations: number },
): { images: CocoImage[]; annotations: CocoAnnotation[]; elements: Elements } {
  const elements = elementsOf(task, { from: COCO });
  const idOf = new Map(cocoCategories(categories).map(({ id, name }) => [name, id]));
  const images = elements.pictures.map(
    ({ picture: { width, height }, name }, index): CocoImage => ({
      id: used.images + index + 1,
      file_name: name,
      width,
      height,
    }),
  );
  const imageIds = new Map(images.map(({ id, file_name }) => [file_name, id]));
  const annotations: CocoAnnotation[] = [];
  for (const { item, image, box: target, name, actionType, exported } of elements.elements) {
    const { drag, narration } = exported;
    const said = { action_type: actionType, narration, purpose: drag?.purpose ?? null, drag_kind: drag?.kind ?? null };
    const put = (box: Rect, attributes: Pick<CocoAnnotation['attributes'], 'role' | 'element' | 'place'>): void => {
      annotations.push({
        id: used.annotations + annotations.length + 1,
        image_id: imageIds.get(image)!,
        category_id: idOf.get(categories === 'one' ? 'element' : actionType)!,
        bbox: xywh(box),
        area: box.width * box.height,
        iscrowd: 0,
        segmentation: [corners(box)],
        attributes: { item, ...attributes, ...said },
      });
    };
    put(target, { role: 'target', element: name || null, place: drag?.startName ?? null });
    if (drag?.endBox) put(drag.endBox, { role: 'end', element: null, place: drag.endName });
    else if (drag?.endName) {
      elements.leftOut.push({
        item,
        from: `${COCO}/drag`,
        reason: 'no place for the name of its end: nobody drew its box',
      });
    }
  }
  return { images, annotations, elements };
}

function corners({ x, y, width, height }: { x: number; y: number; width: number; height: number }): number[] {
  return [x, y, x + width, y, x + width, y + height, x, y + height];
}
