import type { ScreenspotItem, ScreenspotProItem } from '../../../schemas/export-grounding.ts';
import { xywh, xyxy } from '../coordinates.ts';
import type { ExportTask } from '../model.ts';
import { type Elements, elementsOf, type GroundedElement } from './elements.ts';

const SCREENSPOT = 'screenspot';
const SCREENSPOT_PRO = 'screenspot-pro';

/** The text of a question: the step in words, or the element's name (then only elements that have one). */
export type InstructionFrom = 'narration' | 'element';

function pointedElements(task: ExportTask, from: string, instruction: InstructionFrom): Elements {
  const words = instruction === 'element' ? { needsName: true } : { needsNarration: true };
  return elementsOf(task, { from, pointed: true, ...words });
}

function instructionOf({ exported, name }: GroundedElement, from: InstructionFrom): string {
  return from === 'element' ? name : exported.narration;
}

/** ScreenSpot's entries of a task. Whether an element is text or an icon nobody says: `data_type` is null. */
export function screenspotItems(
  task: ExportTask,
  instruction: InstructionFrom,
): { items: ScreenspotItem[]; elements: Elements } {
  const elements = pointedElements(task, SCREENSPOT, instruction);
  const items = elements.elements.map(
    (element): ScreenspotItem => ({
      img_filename: element.image,
      bbox: xywh(element.box),
      instruction: instructionOf(element, instruction),
      data_type: null,
      data_source: task.platform,
    }),
  );
  return { items, elements };
}

/** `powerpoint_linux`: the software and the system, as ScreenSpot-Pro names its files and folders. */
export function screenspotProGroup({ app, platform }: ExportTask): string {
  const software =
    app.id
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '') || 'app';
  return platform ? `${software}_${platform}` : software;
}

/**
 * ScreenSpot-Pro's entries of a task, all of one group's file. `firstNumber` is how many the group has already: ids are
 * `<group>_<number>`. What nobody wrote (the Chinese instruction, the field, text or icon) is null.
 */
export function screenspotProItems(
  task: ExportTask,
  instruction: InstructionFrom,
  firstNumber: number,
): { group: string; items: ScreenspotProItem[]; elements: Elements } {
  const elements = pointedElements(task, SCREENSPOT_PRO, instruction);
  const group = screenspotProGroup(task);
  const items = elements.elements.map(
    (element, index): ScreenspotProItem => ({
      id: `${group}_${firstNumber + index}`,
      img_filename: `${group}/${element.image}`,
      bbox: xyxy(element.box),
      instruction: instructionOf(element, instruction),
      instruction_cn: null,
      application: task.app.name,
      platform: task.platform,
      group: null,
      ui_type: null,
      img_size: [element.picture.width, element.picture.height],
    }),
  );
  return { group, items, elements };
}
