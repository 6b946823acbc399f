import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { toRecords } from '../../../core/annotate/document.ts';
import { confirm } from '../../../core/annotate/edit.ts';
import { project } from '../../../core/review/project.ts';
import { openSession } from '../../session/open-workspace.ts';
import { addPerson } from '../../store/people.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { readReviewEvents } from '../../store/review-events.ts';
import { addClicks, ID } from '../clicks-for-tests.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

const CHILD = join(import.meta.dirname, 'kill-child-for-tests.ts');

type Heard = { sent: string[]; done: { id: string; n: number }[] };

/** Lets the child review until it has been answered `until` times, then kills it in the middle of its work. */
async function reviewAndKill(dir: string, person: string, until: number, delay: number): Promise<Heard> {
  const child = spawn(process.execPath, [CHILD, dir, ID, person], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  let killing = false;
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString();
    if (text.split('done ').length <= until || killing) return;
    killing = true;
    setTimeout(() => child.kill('SIGKILL'), delay);
  });
  await new Promise((ended) => child.once('close', ended));
  const words = text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '));
  return {
    sent: words.flatMap(([what, id]) => (what === 'sent' && id ? [id] : [])),
    done: words.flatMap(([what, id, n]) => (what === 'done' && id ? [{ id, n: Number(n) }] : [])),
  };
}

test('killed at any moment, every answered act is in the log once, and the state is what the log makes of it', async () => {
  const dir = folders.make();
  const first = await openSession(dir, { create: true });
  addClicks(first.workspace);
  await first.refresh({ now: true });
  const ada = (await addPerson(first.workspace.store, { name: 'Ada', email: null })).id;
  const ben = (await addPerson(first.workspace.store, { name: 'Ben', email: null })).id;
  const { steps } = await first.unchecked.documents.openRecording(ID);
  const { records } = await first.unchecked.documents.get(ID, ada);
  const changes = steps.flatMap(({ id }) => confirm(toRecords(records), id, true));
  const gesture = { id: crypto.randomUUID(), label: 'Confirm', changes };
  const { version } = await first.unchecked.documents.apply(ID, gesture, ada);
  await first.unchecked.reviews.send(ID, ada, crypto.randomUUID(), { type: 'submit', document: ID, version });
  await first.close();

  for (const [until, delay] of [
    [1, 0],
    [7, 2],
    [13, 5],
    [20, 1],
  ] as const) {
    const { sent, done } = await reviewAndKill(dir, ben, until, delay);
    const again = await openSession(dir, { create: false });
    const events = await readReviewEvents(again.workspace.store, ID);
    expect(events.map(({ n }) => n)).toEqual(events.map((_, at) => at + 1));
    for (const { id, n } of done) expect(events[n - 1]?.id).toBe(id);
    // At most one was stored but not answered; sent again it is answered, and not done twice.
    const stored = sent.filter((id) => events.some((event) => event.id === id));
    expect(stored.length - done.length).toBeLessThanOrEqual(1);
    const last = events.at(-1)!;
    const { event } = await again.unchecked.reviews.send(ID, ben, last.id, last.act);
    expect(event).toEqual(last);
    expect(await readReviewEvents(again.workspace.store, ID)).toHaveLength(events.length);
    const review = project(events);
    expect((await again.workspace.getRecording(ID)).state).toBe(review.state);
    const state = await again.unchecked.reviews.get(ID, ben);
    expect(state.decisions).toHaveLength(review.decisions.size);
    await again.close();
  }
});
