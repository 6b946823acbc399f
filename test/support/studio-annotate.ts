import { randomUUID } from 'node:crypto';
import { type Records, toRecords } from '../../core/annotate/document.ts';
import { confirm, nameElement, setBox, setTitle } from '../../core/annotate/edit.ts';
import { stepPlace } from '../../core/annotate/picture.ts';
import { type DocumentView, viewDocument } from '../../core/annotate/view.ts';
import type { Change } from '../../schemas/annotation.ts';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { StudioServer } from './studio-server.ts';

/** A recording's annotation as the server has it, read and written as a script does. */

export type Where = { server: Pick<StudioServer, 'api'>; ws: string; recording: string };
export type Annotation = { opened: OpenedRecording; records: Records; view: DocumentView; version: number };

/** The stored document, seen through the same code as the page's. */
export async function annotationOf({ server, ws, recording }: Where): Promise<Annotation> {
  const [opened, document] = await Promise.all([
    server.api.recordings.open({ ws, recording }),
    server.api.annotation.get({ ws, recording }),
  ]);
  const records = toRecords(document.records);
  const view = viewDocument(opened.steps, records, { frames: opened.frames, views: opened.views });
  return { opened, records, view, version: document.version };
}

/** One gesture by somebody else. */
export async function gesture(where: Where, label: string, build: (now: Annotation) => Change[]): Promise<void> {
  const { server, ws, recording } = where;
  const changes = build(await annotationOf(where));
  await server.api.annotation.apply({ ws, recording, transaction: { id: randomUUID(), label, changes } });
}

/** The sample as somebody left it: two subtasks done, the third to be done. */
export async function annotateSample(where: Where): Promise<void> {
  const titles = ['Crop the picture around the sun', 'Write the time on it', 'Name the layer of the picture'];
  const { view, opened } = await annotationOf(where);
  for (const [n, { record }] of view.subtasks.entries()) {
    await gesture(where, 'Title', ({ records }) => setTitle(records, record.id, titles[n] ?? ''));
  }
  for (const [n, name] of SAMPLE_NAMES.entries()) {
    const step = opened.steps[n];
    if (!step) break;
    const { id } = step;
    const place = stepPlace(step.start);
    if (name !== null && place) {
      const { server, ws, recording } = where;
      const grown = await server.api.annotation.grow({ ws, recording, action: id, ...place });
      const box = grown?.box ?? { x: Math.max(0, place.x - 14), y: Math.max(0, place.y - 12), width: 28, height: 24 };
      await gesture(where, 'Name element', ({ records }) => nameElement(records, id, name, 'hand'));
      await gesture(where, 'Draw box', ({ records }) => setBox(records, id, 'target', box, 'hand', 1));
    }
    await gesture(where, 'Confirm', ({ records }) => confirm(records, id, true));
  }
}

/** Elements of the sample's first steps; null where the keyboard was used. */
const SAMPLE_NAMES = ['Crop tool', 'picture', 'crop area', null, 'Text tool', 'picture', null];
