import type { SwiftGroundingLine, SwiftTrajectoryLine } from '../../../schemas/export-chat.ts';
import { xyxy } from '../coordinates.ts';
import { type Elements, elementsOf } from '../grounding/elements.ts';
import type { ExportTask } from '../model.ts';
import { type Trajectory, type TrajectoryStep, trajectoryOf } from '../trajectories/steps.ts';
import { IMAGE, withoutBlocks, withoutMarks } from './marks.ts';

/** The forms that are ms-swift's own; its `messages` form is that of messages.ts. */

export const MS_SWIFT = 'ms-swift';

/**
 * The trajectory form of naturalgaia.txt, appendix E: the whole trace as one answer, a step as `=== StepN ===`, a think block
 * and an Observation block. Blocks and headings stand only where there is something in them. Where the paper's print has file
 * names, `<image>` stands: no loader takes the other.
 */
export function swiftTrajectoryLine(task: ExportTask): { line: SwiftTrajectoryLine | null; trajectory: Trajectory } {
  const trajectory = trajectoryOf(task, { from: `${MS_SWIFT}/trajectory`, withoutCode: true, withAfter: true });
  if (trajectory.steps.length === 0) return { line: null, trajectory };
  const nameOf = new Map(trajectory.pictures.map(({ picture, name }) => [picture.path, name]));
  const images: string[] = [];
  const steps = trajectory.steps.map((step, index) => stepText(step, index + 1, images, nameOf));
  return {
    line: {
      messages: [
        { role: 'user', content: withoutMarks(task.goal) },
        { role: 'assistant', content: steps.join('\n\n') },
      ],
      images,
      solution: task.answer?.trim() ? `<answer>${withoutBlocks(task.answer.trim())}</answer>` : null,
    },
    trajectory,
  };
}

function stepText(step: TrajectoryStep, number: number, images: string[], nameOf: ReadonlyMap<string, string>): string {
  const { exported, image } = step;
  const show = (name: string): string => {
    images.push(`images/${name}`);
    return IMAGE;
  };
  const think = [
    show(image),
    ...headed('Thought', exported.thought),
    ...headed('Action Thought', exported.actionThought),
    ...headed('Action', exported.narration),
  ];
  const after = exported.afterImage && nameOf.get(exported.afterImage.path);
  const observation = [...(after ? [show(after)] : []), ...headed('Observation', exported.observation)];
  const blocks = [`=== Step${number} ===`, `<think>\n\n${think.join('\n\n')}\n\n</think>`];
  if (observation.length > 0) blocks.push(`<Observation>\n\n${observation.join('\n\n')}\n\n</Observation>`);
  return blocks.join('\n\n');
}

function headed(heading: string, text: string | null): string[] {
  return text?.trim() ? [`**${heading}**\n${withoutBlocks(text.trim())}`] : [];
}

/** ms-swift's grounding form: each named element with a box as a question for its place; it fits the box to the model. */
export function swiftGroundingLines(task: ExportTask): { lines: SwiftGroundingLine[]; elements: Elements } {
  const elements = elementsOf(task, { from: `${MS_SWIFT}/grounding`, needsName: true, pointed: true });
  const lines = elements.elements.map(
    ({ image, name, box }): SwiftGroundingLine => ({
      messages: [
        { role: 'user', content: `${IMAGE}Find the <ref-object> in the image` },
        { role: 'assistant', content: '<bbox>' },
      ],
      images: [`images/${image}`],
      objects: { ref: [withoutMarks(name)], bbox: [xyxy(box)], bbox_type: 'real' },
    }),
  );
  return { lines, elements };
}
