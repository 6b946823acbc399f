import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { applyChanges, type Records, toRecords } from '../../core/annotate/document.ts';
import { confirm, nameElement, setBox, setGoal, setTitle } from '../../core/annotate/edit.ts';
import type { Change } from '../../schemas/annotation.ts';
import type { ReviewState } from '../../schemas/api/review-models.ts';
import type { ReviewAct } from '../../schemas/review.ts';
import { heard } from './studio-browser.ts';
import type { MadeRecording } from './studio-recording.ts';
import { cellBox, cellName } from './studio-scene.ts';
import type { StudioServer } from './studio-server.ts';

/** People who annotate and review, as scripts do it, and the review page as a person works it. */

export type ReviewPlace = { server: Pick<StudioServer, 'api'>; ws: string; recording: string };

export async function addPeople(server: Pick<StudioServer, 'api'>, ws: string, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await server.api.people.add({ ws, name, email: null })).id);
  return ids;
}

export async function act(
  { server, ws, recording }: ReviewPlace,
  person: string,
  what: ReviewAct,
): Promise<ReviewState> {
  return (await server.api.review.send({ ws, recording, person, id: randomUUID(), act: what })).state;
}

export const reviewOf = ({ server, ws, recording }: ReviewPlace, person: string): Promise<ReviewState> =>
  server.api.review.get({ ws, recording, person });

/** Names, boxes and confirms every step of a made scene under a person's name, in one gesture, and submits it. */
export async function annotateAndHandIn(place: ReviewPlace, person: string, made: MadeRecording): Promise<ReviewState> {
  const { server, ws, recording } = place;
  const { steps } = await server.api.recordings.open({ ws, recording, person });
  const document = await server.api.annotation.get({ ws, recording, person });
  let records: Records = toRecords(document.records);
  const changes: Change[] = [];
  const add = (more: Change[]): void => {
    changes.push(...more);
    records = applyChanges(records, more);
  };
  for (const [n, step] of made.steps.entries()) {
    const { id } = steps[n]!;
    if (step.kind !== 'type' && step.kind !== 'press') {
      add(nameElement(records, id, cellName(step.cell), 'hand'));
      add(setBox(records, id, 'target', cellBox(made, step.cell), 'hand', 1));
    }
    add(confirm(records, id, true));
  }
  const subtasks = [...records.values()].filter((record) => record.kind === 'subtask');
  for (const [n, { id }] of subtasks.entries()) add(setTitle(records, id, `Part ${n + 1} of the work`));
  add(setGoal(records, 'Use every button of the scene once'));
  const transaction = { id: randomUUID(), label: 'Annotate', changes };
  const { version } = await server.api.annotation.apply({ ws, recording, person, transaction });
  return act(place, person, { type: 'submit', document: recording, version });
}

/** Annotated and submitted by one, and sent back by another for the box of its second step. */
export async function annotateAndSendBack(
  place: ReviewPlace,
  annotator: string,
  reviewer: string,
  made: MadeRecording,
): Promise<void> {
  const { server, ws, recording } = place;
  const version = (await annotateAndHandIn(place, annotator, made)).documents[0]!.submitted!;
  await act(place, reviewer, { type: 'claim' });
  const { steps } = await server.api.recordings.open({ ws, recording });
  const item = { kind: 'box', action: steps[1]!.id } as const;
  await act(place, reviewer, { type: 'decide', item, version, verdict: 'reject', reason: 'loose-box', comment: '' });
  await act(place, reviewer, { type: 'verdict', verdict: 'reject', version, reasons: ['loose-box'], comment: '' });
}

/** Says who one is, by keys: the people are listed by name, and a digit takes one. */
export async function chooseByKeys(page: Page, name: string): Promise<void> {
  await heard(page);
  await page.keyboard.press('Alt+p');
  // In whichever language the page is.
  const dialog = page.getByRole('dialog').filter({ has: page.getByRole('button', { name }) });
  const digit = await dialog.getByRole('button', { name }).getAttribute('aria-keyshortcuts');
  await page.keyboard.press(digit ?? '');
  await dialog.waitFor({ state: 'detached' });
}

export type ReviewPageHandle = {
  /** The item in hand, as it is said: `Step 3: Click on the …, undecided`. */
  spoken(): Promise<string>;
  /** `12 of 34 left`, `All decided`. */
  left(): Promise<string>;
};

export async function reviewPage(
  page: Page,
  { origin }: Pick<StudioServer, 'origin'>,
  ws: string,
  recording: string,
): Promise<ReviewPageHandle> {
  const address = `${origin}/w/${encodeURIComponent(ws)}/recordings/${encodeURIComponent(recording)}/review`;
  if (page.url() !== address) await page.goto(address);
  await page.getByRole('tree', { name: 'Subtasks and steps' }).waitFor();
  await heard(page);
  return {
    spoken: async () => (await page.getByTestId('spoken').textContent()) ?? '',
    left: async () => (await page.getByTestId('left').textContent()) ?? '',
  };
}
