import type { AnnotationRecord, DraftOrigin } from '../../schemas/annotation.ts';
import type { DraftField } from '../../schemas/draft.ts';

/** Whose words the fields of a record hold, where a person took them from a model's draft (N13). */

export type Origins = Partial<Record<DraftField, DraftOrigin>>;

/** Empty where no draft was taken. */
export function originsOf(record: AnnotationRecord | undefined): Origins {
  if (record === undefined || !('drafted' in record) || record.drafted === undefined) return NONE;
  const said = Object.entries(record.drafted).filter((entry) => entry[1] !== undefined);
  return Object.fromEntries(said) as Origins;
}

const NONE: Origins = {};

/** The record with these origins and no others. Equal where they are. */
export function withOrigins<R extends AnnotationRecord>(record: R, origins: Origins): R {
  const { drafted: _, ...rest } = record as R & { drafted?: Origins };
  // Still of its kind: `drafted` is optional in every kind that has texts.
  return (Object.keys(origins).length === 0 ? rest : { ...rest, drafted: origins }) as unknown as R;
}

/** The texts of a record in the fields that drafts are for; what is not said is not there. */
export function draftableTexts(record: AnnotationRecord | undefined): Partial<Record<DraftField, string>> {
  if (record?.kind === 'label') return saidOf({ element: record.element, narration: record.narration });
  if (record?.kind === 'subtask') return saidOf({ subtask: record.title });
  if (record?.kind !== 'reasoning') return {};
  const { thought, actionThought, observation } = record;
  return saidOf({ thought, actionThought, observation });
}

const saidOf = (texts: Partial<Record<DraftField, string | null>>): Partial<Record<DraftField, string>> =>
  Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1])));

/**
 * A record as an edit leaves it: words that were changed keep the origin that they had and are said to be edited; words that
 * are gone have none. An origin that `after` brings itself stands.
 */
export function keepOrigins<R extends AnnotationRecord>(before: AnnotationRecord | undefined, after: R): R {
  const [had, has] = [originsOf(before), originsOf(after)];
  const fields = Object.keys(has) as DraftField[];
  if (fields.length === 0) return after;
  const [was, is] = [draftableTexts(before), draftableTexts(after)];
  const kept: Origins = {};
  for (const field of fields) {
    const origin = has[field];
    if (origin === undefined || is[field] === undefined) continue;
    const isChanged = had[field] === origin && was[field] !== is[field];
    kept[field] = isChanged ? { ...origin, edited: true } : origin;
  }
  return withOrigins(after, kept);
}

/** The record with the origins of these fields as another has them: whose words were taken from there. */
export function originsFrom<R extends AnnotationRecord>(
  record: R,
  from: AnnotationRecord | undefined,
  fields: readonly string[],
): R {
  const [own, theirs] = [originsOf(record), originsOf(from)];
  const all = [...Object.entries(own).filter(([field]) => !fields.includes(field))];
  const taken = Object.entries(theirs).filter(([field]) => fields.includes(field));
  return withOrigins(record, Object.fromEntries([...all, ...taken]));
}
