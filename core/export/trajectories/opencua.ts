import type { Rect } from '../../../schemas/events.ts';
import { OPENCUA_ACTIONS, type OpencuaContent, type OpencuaLine } from '../../../schemas/export-trajectories.ts';
import { relativeXyxy, xyxy } from '../coordinates.ts';
import type { ExportAction, ExportTask, PictureRef } from '../model.ts';
import { type GuiCall, TERMINATE } from '../pyautogui/calls.ts';
import { orNull, type Trajectory, thoughtsOf, trajectoryOf } from './steps.ts';

export const OPENCUA = 'opencua';

type GuiAction = Extract<OpencuaContent, { class_: 'gui_action' }>;
type OpencuaCall = GuiAction['guiactions'][number];

/** Its own converter puts such a line first; what it says is the form of the answers, nothing of the task. */
const SYSTEM =
  'You control a graphical user interface. Given a task and a picture of the screen, you do the task step by step with PyAutoGUI actions.';

/** A task as OpenCUA's standardized `Trajectory`: screen, instruction, action, screen, action, …; null without a step. */
export function opencuaLine(task: ExportTask): { line: OpencuaLine | null; trajectory: Trajectory } {
  const trajectory = trajectoryOf(task, { from: OPENCUA, known: OPENCUA_ACTIONS });
  const { steps, end } = trajectory;
  if (steps.length === 0) return { line: null, trajectory };
  const content: OpencuaContent[] = [{ class_: 'text_observation', content: SYSTEM, source: 'system' }];
  for (const { exported, image, calls } of steps) {
    content.push(screen(image));
    if (content.length === 2) content.push({ class_: 'text_observation', content: task.goal, source: 'user' });
    content.push({
      class_: 'gui_action',
      observation: null,
      thought: thoughtsOf(exported),
      instruction: exported.narration,
      guiactions: calls.map((call, place) => guiAction(call, targetAt(exported, call, place))),
    });
  }
  if (end) {
    content.push(screen(end), {
      class_: 'gui_action',
      observation: null,
      thought: null,
      instruction: 'Terminate',
      guiactions: [guiAction(TERMINATE, null)],
    });
  }
  const [recording] = task.recordings;
  return {
    line: { task_id: task.id, example_id: recording?.id ?? task.id, type: 'end2end', content },
    trajectory,
  };
}

function screen(image: string): OpencuaContent {
  return { class_: 'image_observation', content: `images/${image}`, filename: image, source: 'os' };
}

function guiAction({ name, args }: GuiCall, target: OpencuaCall['target']): OpencuaCall {
  // trajectoryOf has left out every call whose name is not one of OPENCUA_ACTIONS.
  const action_type = name as OpencuaCall['action_type'];
  return { action_type, target, args: args as OpencuaCall['args'] };
}

/** The element acted on, in the picture before; only for actions of the pointer. */
function targetOf({ element, beforeImage, positions, action }: ExportAction): OpencuaCall['target'] {
  if (!element?.box || !beforeImage || !positions || action.kind === 'type' || action.kind === 'press') return null;
  return target(element.box, element.name, beforeImage);
}

/** The first call is at the element; a drag's last one where it ends. */
function targetAt(exported: ExportAction, { name }: GuiCall, place: number): OpencuaCall['target'] {
  const { drag, beforeImage } = exported;
  if (name === 'dragTo') return drag?.endBox && beforeImage ? target(drag.endBox, drag.endName, beforeImage) : null;
  return place === 0 ? targetOf(exported) : null;
}

function target(box: Rect, name: string | null, picture: PictureRef): OpencuaCall['target'] {
  return {
    bbox: relativeXyxy(box, picture),
    pixel_bbox: xyxy(box),
    image_size: [picture.width, picture.height],
    text: orNull(name),
  };
}
