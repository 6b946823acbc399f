import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { xyxy } from '../../../core/export/coordinates.ts';
import { folderName } from '../../../core/export/file-names.ts';
import { elementsOf, type GroundedElement } from '../../../core/export/grounding/elements.ts';
import { firstScreenOf, LEROBOT_FPS } from '../../../core/export/lerobot/episode.ts';
import { frameOf } from '../../../core/export/lerobot/frame.ts';
import type { ExportTask, LeftOut } from '../../../core/export/model.ts';
import { videocuaOf } from '../../../core/export/videocua/log.ts';
import { append } from '../../../core/lists.ts';
import type { GroundcuaElement, GroundcuaInstruction } from '../../../schemas/export-cua-suite.ts';
import { openJsonList } from './text-file.ts';
import { type FormatWriter, putPictures, type WriterContext } from './writer.ts';

/** Writers of CUA-Suite's two forms: VideoCUA and GroundCUA. */

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** `data/<software>/<task>/action_log.json` with `video/video.mp4` beside it. */
export async function openVideocua(folder: string, context: WriterContext): Promise<FormatWriter> {
  const { options, signal, tick, films } = context;
  await mkdir(path.join(folder, 'data'), { recursive: true });
  const counts = { tasks: 0, entries: 0 };
  const leftOut: LeftOut[] = [];
  return {
    async add(task) {
      const first = firstScreenOf(task);
      const frame = frameOf(first ?? { width: 2, height: 2 });
      const made = videocuaOf(task, frame);
      append(leftOut, made.leftOut);
      if (!made.log) return;
      const place = path.join(folder, 'data', folderName(task.app.name), task.id);
      await mkdir(place, { recursive: true });
      const wish = { ...frame, fps: LEROBOT_FPS, exact: options.video === 'exact', signal, onPicture: tick };
      await films.put(made.pictures, path.join(place, 'video', 'video.mp4'), wish);
      await writeFile(path.join(place, 'action_log.json'), json(made.log));
      counts.tasks++;
      counts.entries += made.log.action_log.length;
    },
    finish: async () => ({
      counts: { 'data/*/*/action_log.json': counts.tasks, entries: counts.entries },
      leftOut,
    }),
    abandon: async () => undefined,
  };
}

const INSTRUCTIONS = 'instructions.json';

/** `images/<software>/<screen>.png`, `data/<software>/<screen>.json` with its elements, and instructions.json. */
export async function openGroundcua(folder: string, context: WriterContext): Promise<FormatWriter> {
  const list = await openJsonList(path.join(folder, INSTRUCTIONS));
  const counts = { screens: 0, elements: 0, instructions: 0, images: 0 };
  const leftOut: LeftOut[] = [];
  return {
    async add(task) {
      const { elements, pictures, leftOut: lost } = elementsOf(task, { from: 'groundcua' });
      append(leftOut, lost);
      const software = folderName(task.app.name);
      const nameOf = (image: string): string => `${screenId(task, image)}${path.extname(image)}`;
      const place = (image: string) => path.join(folder, 'images', software, nameOf(image));
      counts.images += await putPictures(pictures, place, context);
      const data = path.join(folder, 'data', software);
      await mkdir(data, { recursive: true });
      for (const [image, of] of Map.groupBy(elements, (element) => element.image)) {
        const value = of.map(
          (element): GroundcuaElement => ({
            image_path: `${software}/${nameOf(image)}`,
            bbox: xyxy(element.box),
            category: null,
            text: element.name,
            id: element.item,
          }),
        );
        await writeFile(path.join(data, `${screenId(task, image)}.json`), json(value));
        counts.screens++;
        counts.elements += value.length;
      }
      for (const element of elements) {
        const instruction = instructionOf(task, software, element);
        if (!instruction) continue;
        await list.add(instruction);
        counts.instructions++;
      }
    },
    async finish() {
      await list.close();
      const { screens, elements, instructions, images } = counts;
      return { counts: { 'data/*/*.json': screens, elements, [INSTRUCTIONS]: instructions, images }, leftOut };
    },
    abandon: list.close,
  };
}

/** As GroundCUA names its screens, 64 hexadecimal digits; of a task's own name for it, so that no two tasks share a file. */
const screenId = ({ id }: ExportTask, image: string): string =>
  createHash('sha256').update(`${id}/${image}`).digest('hex');

function instructionOf(
  task: ExportTask,
  platform: string,
  { exported, image, box }: GroundedElement,
): GroundcuaInstruction | null {
  const instruction = exported.narration.trim();
  if (instruction === '') return null;
  const coordinate: [number, number] = [box.x + Math.floor(box.width / 2), box.y + Math.floor(box.height / 2)];
  return { id: screenId(task, image), platform, coordinate, instruction, task_id: task.id };
}
