import type { ReviewState } from '../../schemas/api/review-models.ts';
import { sameValue } from '../annotate/document.ts';
import { itemKey } from './items.ts';

/**
 * The changes in a review's state, for whoever has an earlier one: the lists hold only entries that are new or other, `gone`
 * names those that left. Most acts touch one entry of lists that grow with the recording. Pure.
 */

type Lists = Pick<ReviewState, 'documents' | 'decisions' | 'threads' | 'settled' | 'judgements'>;
type Name = keyof Lists;
type Entry<K extends Name> = Lists[K][number];
type Gone = NonNullable<ReviewState['part']>['gone'];

const KEYS: { readonly [K in Name]: (entry: Entry<K>) => string } = {
  documents: ({ id }) => id,
  decisions: ({ item }) => itemKey(item),
  threads: ({ id }) => id,
  settled: ({ difference }) => difference,
  judgements: ({ action, person }) => `${action} ${person}`,
};

/** `now` as a part of what `before` (named `since`) is not; `now` itself where no part could tell the order of a list. */
export function partOf(before: ReviewState, now: ReviewState, since: string): ReviewState {
  const lists = {
    documents: changesIn('documents', before, now),
    decisions: changesIn('decisions', before, now),
    threads: changesIn('threads', before, now),
    settled: changesIn('settled', before, now),
    judgements: changesIn('judgements', before, now),
  };
  const { documents, decisions, threads, settled, judgements } = lists;
  if (!documents || !decisions || !threads || !settled || !judgements) return now;
  return {
    ...now,
    documents: documents.entries,
    decisions: decisions.entries,
    threads: threads.entries,
    settled: settled.entries,
    judgements: judgements.entries,
    part: {
      since,
      gone: {
        documents: documents.gone,
        decisions: decisions.gone,
        threads: threads.gone,
        settled: settled.gone,
        judgements: judgements.gone,
      },
    },
  };
}

/** The whole state that `part` was made of; `before` is the one that it names. A whole state is itself. */
export function wholeReview(before: ReviewState, part: ReviewState): ReviewState {
  if (!part.part) return part;
  const { part: how, ...now } = part;
  const { gone } = how;
  return {
    ...now,
    documents: joined('documents', before, part, gone),
    decisions: joined('decisions', before, part, gone),
    threads: joined('threads', before, part, gone),
    settled: joined('settled', before, part, gone),
    judgements: joined('judgements', before, part, gone),
  };
}

function changesIn<K extends Name>(name: K, before: ReviewState, now: ReviewState) {
  const key: (entry: Entry<K>) => string = KEYS[name];
  const [old, fresh]: [readonly Entry<K>[], readonly Entry<K>[]] = [before[name], now[name]];
  const known = new Map(old.map((entry) => [key(entry), entry]));
  const there = new Set(fresh.map(key));
  const entries = fresh.filter((entry) => !sameValue(known.get(key(entry)), entry));
  const gone = [...known.keys()].filter((id) => !there.has(id));
  // Entries that stay keep their place and new ones stand at the end, or the order cannot be told.
  const kept = [...known.keys()].filter((id) => there.has(id));
  const order = [...kept, ...fresh.map(key).filter((id) => !known.has(id))];
  return fresh.every((entry, at) => key(entry) === order[at]) ? { entries, gone } : null;
}

function joined<K extends Name>(name: K, before: ReviewState, part: ReviewState, gone: Gone): Entry<K>[] {
  const key: (entry: Entry<K>) => string = KEYS[name];
  const list: readonly Entry<K>[] = before[name];
  const all = new Map(list.map((entry) => [key(entry), entry]));
  for (const id of gone[name]) all.delete(id);
  const changed: readonly Entry<K>[] = part[name];
  for (const entry of changed) all.set(key(entry), entry);
  return [...all.values()];
}
