import { randomUUID } from 'node:crypto';
import { applyChanges, type Records, toRecords } from '../../core/annotate/document.ts';
import {
  confirm,
  mergeSubtask,
  nameElement,
  removeSteps,
  setBox,
  setField,
  setNarration,
  setTitle,
  splitSubtask,
} from '../../core/annotate/edit.ts';
import { subtaskSpans } from '../../core/annotate/subtasks.ts';
import type { Change } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import type { MadeRecording } from './studio-recording.ts';
import { act, type ReviewPlace } from './studio-review.ts';
import { cellBox, cellName } from './studio-scene.ts';

/** Blind replicas of made recordings, annotated and submitted through the API as people would. */

export type Edit = (records: Records, steps: readonly Step[]) => Change[];

/** Begins a person's replica, writes the edits and confirms every step, each of them one gesture; submits it. */
export async function handIn(where: ReviewPlace, person: string, edits: readonly Edit[]) {
  const { server, ws, recording } = where;
  // Opening it takes a folder that was put beside the others into the list of recordings.
  const { steps } = await server.api.recordings.open({ ws, recording });
  await act(where, person, { type: 'begin' });
  const review = await server.api.review.get({ ws, recording, person });
  const document = review.own ?? recording;
  const now = await server.api.annotation.get({ ws, recording, document, person });
  let [records, version] = [toRecords(now.records), now.version];
  for (const edit of edits) {
    const changes = edit(records, steps);
    if (changes.length === 0) continue;
    const transaction = { id: randomUUID(), label: 'Annotate', changes };
    version = (await server.api.annotation.apply({ ws, recording, document, person, transaction })).version;
    records = applyChanges(records, changes);
  }
  const confirmed = steps.flatMap((step) => (records.has(`removal:${step.id}`) ? [] : confirm(records, step.id, true)));
  const transaction = { id: randomUUID(), label: 'Confirm', changes: confirmed };
  version = (await server.api.annotation.apply({ ws, recording, document, person, transaction })).version;
  await act(where, person, { type: 'submit', document, version });
  return document;
}

/** Names and boxes of every step as the scene has them; a person's own ways come after. */
export function sceneEdits(made: MadeRecording, { shift = 0 } = {}): Edit[] {
  return made.steps.flatMap((step, n): Edit[] => {
    if (step.kind === 'type' || step.kind === 'press') return [];
    const box = cellBox(made, step.cell);
    return [
      (records, steps) => nameElement(records, steps[n]!.id, cellName(step.cell), 'hand'),
      (records, steps) => setBox(records, steps[n]!.id, 'target', { ...box, x: Math.max(0, box.x + shift) }, 'hand', 1),
    ];
  });
}

/** A person's own ways, by place of the step. */
export const own = {
  name:
    (n: number, name: string): Edit =>
    (records, steps) =>
      nameElement(records, steps[n]!.id, name, 'hand'),
  narration:
    (n: number, text: string): Edit =>
    (records, steps) =>
      setNarration(records, steps[n]!.id, text),
  text:
    (n: number, text: string): Edit =>
    (records, steps) =>
      setField(records, steps[n]!.id, 'text', text),
  box:
    (n: number, x: number, y: number, width: number, height: number): Edit =>
    (records, steps) =>
      setBox(records, steps[n]!.id, 'target', { x, y, width, height }, 'hand', 1),
  remove:
    (n: number): Edit =>
    (records, steps) =>
      removeSteps(records, [steps[n]!.id], 'mistake', ''),
  drag:
    (n: number, purpose: string): Edit =>
    (records, steps) =>
      setField(records, steps[n]!.id, 'purpose', purpose),
  title:
    (place: number, title: string): Edit =>
    (records, steps) =>
      setTitle(records, subtaskSpans(steps, records)[place]!.record.id, title),
  split:
    (n: number, title: string): Edit =>
    (records, steps) =>
      splitSubtask(records, steps, steps[n]!.id, randomUUID(), title),
  merge:
    (place: number): Edit =>
    (records, steps) =>
      mergeSubtask(records, steps, subtaskSpans(steps, records)[place]!.record.id),
};

/** Two people's replicas of one recording that differ in every kind of thing. */
export async function handInTwo(
  where: ReviewPlace,
  made: MadeRecording,
  [ana, ben]: readonly [string, string],
): Promise<void> {
  await handIn(where, ana, [
    ...sceneEdits(made),
    own.title(0, 'Open and write a note'),
    own.split(5, 'Drag it away'),
    own.drag(4, 'move it to the other panel'),
    own.text(2, 'note three'),
  ]);
  await handIn(where, ben, [
    ...sceneEdits(made, { shift: 4 }),
    own.name(0, 'Open button'),
    own.box(1, 20, 30, 120, 60),
    own.narration(3, 'Press Enter to accept the note'),
    own.drag(4, 'put it into the other panel'),
    own.title(0, 'Open, then write the note'),
    own.split(6, 'Drag it away'),
    own.remove(9),
  ]);
}
