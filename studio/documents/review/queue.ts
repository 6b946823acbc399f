import { append } from '../../../core/lists.ts';
import { replicasOf } from '../../../core/review/project.ts';
import { type QueueEntry, queueOf } from '../../../core/review/queue.ts';
import { replicaId } from '../../../core/review/rules.ts';
import type { WorkItem } from '../../../schemas/api/review-models.ts';
import { breathe } from '../../store/breathe.ts';
import { listDocuments } from '../../store/documents.ts';
import { listPeople } from '../../store/people.ts';
import { documentsForWork, lastEvents, workFor, workOn } from '../../store/review-events.ts';
import type { Workspace } from '../../store/workspace.ts';
import { readPolicy } from './policy.ts';
import type { ReviewParts } from './service.ts';
import { checkFor, knownPerson, listedNow, namesAmong, situationFrom } from './situation.ts';

/** Recordings of one statement. */
const TOGETHER = 100;

/**
 * A person's work, the next first. Approved recordings are left out unless one is a hidden check of theirs or somebody may be
 * named in a comment there, so a large data set that is mostly done costs little. Throws USAGE for somebody who is nobody here.
 */
export async function workQueue(
  { store }: Workspace,
  { reader, figures }: ReviewParts,
  who: string,
): Promise<WorkItem[]> {
  const id = await knownPerson(store, who);
  const policy = await readPolicy(store);
  const person = { id, known: true };
  const people = await listPeople(store);
  const frame = { policy, person, names: namesAmong(people), now: new Date().toISOString() };
  const check = await checkFor(store, policy, person);
  const last = await lastEvents(store);
  const rows = await workFor(store, { person: id, check });
  const listed = await documentsForWork(store, { person: id, check });
  const there = new Set(rows.map((row) => row.id));
  const done = [...last.keys()].filter((recording) => !there.has(recording));
  const naming = await reader.naming(store, last, done);
  for (let at = 0; at < naming.length; at += TOGETHER) {
    const some = naming.slice(at, at + TOGETHER);
    append(rows, await workOn(store, some));
    append(listed, await listDocuments(store, [...some, ...some.map((recording) => replicaId(recording, id))]));
  }
  const reviews = await reader.loadAll(store, rows, last);
  const documents = await listedNow(store, listed, (recording) => reviews.get(recording));
  const entries: QueueEntry[] = [];
  for (const row of rows) {
    await breathe();
    const review = reviews.get(row.id)!;
    const more = {
      check: row.id === check,
      main: documents.get(row.id) ?? null,
      own: documents.get(replicaId(row.id, id)) ?? null,
    };
    const facts = { recording: row.id, review, demonstrator: row.person_id };
    const replicas = review.state === 'annotated' ? replicasOf(review).filter((one) => one.submitted !== null) : [];
    const agreement = replicas.length > 1 ? (await figures.figures(row.id, replicas)).agreement.overall.value : null;
    entries.push({
      situation: situationFrom(frame, facts, more),
      task: row.task_id,
      software: row.software_id,
      goal: row.goal,
      startedAt: row.started_at,
      agreement,
    });
  }
  return queueOf(entries, people);
}
