import { randomUUID } from 'node:crypto';
import { foldAssignment, UNASSIGNED } from '../../../core/review/project.ts';
import type { AssignmentWishes, AssignOutcome } from '../../../schemas/api/review-models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Assigned } from '../../../schemas/review.ts';
import { findPerson } from '../../store/people.ts';
import { eventsOfKinds } from '../../store/review-events.ts';
import type { Store } from '../../store/store.ts';
import { taskById } from '../../store/tasks.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Reviews } from './service.ts';
import { knownPerson } from './situation.ts';

/** Who is to do what work, of many recordings at once. */

/** Recordings with an assignment, as the logs say it; one statement, since few events assign. */
export async function assignmentsNow(store: Store): Promise<Map<string, Assigned>> {
  const found = new Map<string, Assigned>();
  for (const { read } of await eventsOfKinds(store, ['assign'])) {
    const event = read();
    // What somebody assigned of their own hidden check is shown to them alone, by the mask.
    if (event.act.type !== 'assign' || event.facts.check === true) continue;
    found.set(event.recording, foldAssignment(found.get(event.recording) ?? UNASSIGNED, event.act, event));
  }
  return found;
}

/**
 * Assigns recordings, and all recordings of tasks, one by one: each is an act of its own in its log, and what one refuses
 * keeps no other. An assignment that is there already is left as it is. Throws USAGE for somebody who is nobody here, UNKNOWN_RECORDING, UNKNOWN_TASK
 * before anything is assigned.
 */
export async function assignMany(
  workspace: Workspace,
  reviews: Pick<Reviews, 'get' | 'send'>,
  who: string,
  { recordings: named, tasks, work, to, due }: AssignmentWishes,
): Promise<AssignOutcome> {
  const { store } = workspace;
  const person = await knownPerson(store, who);
  const people = await Promise.all(to.map((one) => knownPerson(store, one)));
  const recordings = new Set<string>();
  for (const one of named) recordings.add((await workspace.getRecording(one)).id);
  const wanted = new Set<string>();
  for (const one of tasks) wanted.add((await taskById(store, one)).id);
  if (wanted.size > 0) {
    const there = await workspace.indexedRecordings();
    for (const { id, task, phase } of there) if (wanted.has(task) && phase === 'closed') recordings.add(id);
  }
  const outcome: AssignOutcome = { assigned: [], unchanged: [], refused: [] };
  for (const recording of recordings) {
    const { assigned, may } = await reviews.get(recording, person);
    const before = assigned?.[work] ?? null;
    const same = (before?.people ?? []).join() === people.join() && (before?.due ?? null) === due;
    if (same && may.assign == null) {
      outcome.unchanged.push(recording);
      continue;
    }
    try {
      await reviews.send(recording, person, randomUUID(), { type: 'assign', work, to: people, due });
      outcome.assigned.push(recording);
    } catch (error) {
      if (!(error instanceof StudioError) || error.code !== 'CONFLICT') throw error;
      outcome.refused.push({ recording, why: error.message.replace(/^Nothing was changed\. /, '') });
    }
  }
  return outcome;
}

/** The id of the person that a filter names; null for `none`. Throws USAGE. */
export async function assigneeOf(store: Store, named: string): Promise<string | null> {
  const known = await findPerson(store, named);
  if (!known && named.toLowerCase() === 'none') return null;
  return knownPerson(store, named);
}

export function isAssignedTo(assigned: Assigned | undefined, person: string | null): boolean {
  const people = [...(assigned?.annotate?.people ?? []), ...(assigned?.review?.people ?? [])];
  return person === null ? people.length === 0 : people.includes(person);
}
