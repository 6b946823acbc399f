import type { Records } from '../../core/annotate/document.ts';
import { boxId, labelId, removalId } from '../../core/annotate/ids.ts';
import { boxFits } from '../../core/annotate/picture.ts';
import { cropOf } from '../../core/annotate/proposals/crop.ts';
import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { forgetCrop, keepCrop } from '../store/crops.ts';
import type { Store } from '../store/store.ts';

/** The crops that are learnt from annotated steps: the pixels of a named box (pattern 4), by software. */

/** A step's box and name when it has both and was not removed. */
export function lesson(records: Records, action: string): { name: string; box: Rect } | null {
  const label = records.get(labelId(action));
  const box = records.get(boxId(action, 'target'));
  if (label?.kind !== 'label' || box?.kind !== 'box' || !label.element || records.has(removalId(action))) return null;
  return { name: label.element, box: box.box };
}

/** Notes what a step teaches, or forgets what it taught. `image` is its `before` picture, null when there is none. */
export async function learn(
  store: Store,
  key: { document: string; action: string; software: string },
  taught: { name: string; box: Rect } | null,
  image: RgbImage | null,
): Promise<void> {
  const crop = taught && image && boxFits(taught.box, image) ? cropOf(image, taught.box) : null;
  if (taught && crop) await keepCrop(store, key, { software_id: key.software, name: taught.name, ...crop });
  else await forgetCrop(store, key);
}
