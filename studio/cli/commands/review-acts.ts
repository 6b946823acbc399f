import { randomUUID } from 'node:crypto';
import { toRecords } from '../../../core/annotate/document.ts';
import { untitledSubtasks } from '../../../core/annotate/subtasks.ts';
import { viewDocument } from '../../../core/annotate/view.ts';
import { takeSide } from '../../../core/review/compare.ts';
import type { AnnotationDocument } from '../../../schemas/annotation.ts';
import type { OpenedRecording } from '../../../schemas/api/models.ts';
import type { Comparison, ReviewState } from '../../../schemas/api/review-models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import {
  type ReviewAct,
  type ReviewEvent,
  type ReviewItem,
  reviewActSchema,
  reviewItemSchema,
} from '../../../schemas/review.ts';
import { namesAmong, type PersonNames } from '../../documents/review/situation.ts';
import { type Call, idOfPerson } from '../calls.ts';

/** The calls of `review` on one recording by one person. Their answers are of the contract. */
export function reviewOf(call: Call, { recording, person }: { recording: string; person: string }) {
  const at = { recording, person };
  return {
    ...at,
    state: async () => (await call(['review', 'get'], at)) as ReviewState,
    document: async (document?: string) =>
      (await call(['annotation', 'get'], { ...at, document })) as AnnotationDocument,
    opened: async () => (await call(['recordings', 'open'], at)) as OpenedRecording,
    compare: async () => (await call(['review', 'compare'], at)) as Comparison,
    apply: (transaction: object) => call(['annotation', 'apply'], { ...at, transaction }),
    /** Throws USAGE when it is no act, and what the studio refuses. */
    async send(act: ReviewAct, id: string = randomUUID()) {
      const issue = reviewActSchema.safeParse(act).error?.issues[0];
      if (issue) {
        const field = issue.path.join('.');
        throw new StudioError('USAGE', `This cannot be taken: ${field}: ${issue.message}.`, { field });
      }
      return (await call(['review', 'send'], { ...at, id, act })) as { event: ReviewEvent; state: ReviewState };
    },
  };
}
export type ReviewAt = ReturnType<typeof reviewOf>;

/** A note of what the submitted work still lacks: titles, without which plans and questions leave subtasks out. */
export async function untitledIn(at: ReviewAt, document: string): Promise<string[]> {
  const [{ records }, { steps }] = [await at.document(document), await at.opened()];
  const untitled = untitledSubtasks(viewDocument(steps, toRecords(records)).subtasks);
  return untitled.length === 0
    ? []
    : [`Without a title: subtask ${untitled.join(', ')}. Plans and questions leave what has none out.`];
}

/** `step:ACTION`, `edge:FIRST`, `goal`. */
export function itemFrom(text: string): ReviewItem {
  const [kind = '', ...rest] = text.split(':');
  const id = rest.join(':');
  const item =
    kind === 'goal' ? { kind } : ['edge', 'title'].includes(kind) ? { kind, subtask: id } : { kind, action: id };
  const result = reviewItemSchema.safeParse(item);
  if (result.success) return result.data;
  throw new StudioError(
    'USAGE',
    `--item "${text}" cannot be taken: it takes step, element, box, narration, text or removal with ":" and a step's id, edge or title with ":" and a subtask's first step, or goal.`,
    { item: text },
  );
}

/** Takes a side: the change of the main document, then the word that the difference is settled by it. */
export async function settleBySide(
  call: Call,
  at: ReviewAt,
  { difference, side: name, event }: { difference: string; side: string; event?: string | undefined },
) {
  const found = (await at.compare()).differences.find(({ id }) => id === difference);
  if (!found) {
    throw new StudioError('USAGE', `There is no difference "${difference}". \`review compare\` lists them.`, {
      difference,
    });
  }
  const whose = await idOfPerson(call, name);
  const side = found.sides.find(({ document }) => document.endsWith(`~${whose}`))?.document;
  if (side === undefined) throw new StudioError('USAGE', `"${name}" has no replica of this recording.`, { side: name });
  const [{ steps }, { records }] = [await at.opened(), await at.document()];
  const changes = takeSide(toRecords(records), steps, found, side);
  let transaction: string | null = null;
  if (changes.length > 0) {
    transaction = randomUUID();
    const names = await namesIn(call);
    await at.apply({ id: transaction, label: `Take ${names(whose)}'s side`.slice(0, 200), changes });
  }
  return at.send({ type: 'settle', difference, side, transaction }, event);
}

export const namesIn = async (call: Call): Promise<PersonNames> =>
  namesAmong((await call(['people', 'list'], {})) as { id: string; name: string }[]); // The contract says so.
