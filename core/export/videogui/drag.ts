import type { Rect } from '../../../schemas/events.ts';
import { xywh } from '../coordinates.ts';
import type { ExportAction } from '../model.ts';

/** The description of a drag (videogui.txt A.1) in VideoGUI's JSON forms; null for other actions. */
export function dragFields({ action, drag }: ExportAction): object | null {
  if (action.kind !== 'drag') return null;
  return {
    start_name: drag?.startName ?? null,
    end_name: drag?.endName ?? null,
    purpose: drag?.purpose ?? null,
    kind: drag?.kind ?? null,
    end_box: xywhOrNull(drag?.endBox),
  };
}

/** Left, top, width, height. */
export const xywhOrNull = (box: Rect | null | undefined): number[] | null => (box ? xywh(box) : null);
