import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { takeSide } from '../../../core/review/compare.ts';
import type { ReviewState } from '../../../schemas/api/review-models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { type ReviewAct, type ReviewItem, reviewActSchema, reviewItemSchema } from '../../../schemas/review.ts';
import type { OpenWorkspace } from '../../library/open-workspace.ts';
import { knownPerson, type Names, namesOf } from '../../review/situation.ts';
import { wrongValue } from '../values.ts';
import { inOpenWorkspace } from '../within.ts';
import type { WorkspaceOption } from './options.ts';

/** What the commands of `review` share. */

export type ActOptions = WorkspaceOption & { person: string; event?: string };

/** A recording with who asks. */
export type At = { open: OpenWorkspace; recording: string; person: string; names: Names; state: ReviewState };

export const personOption = (command: Command): Command =>
  command.requiredOption('-p, --person <name>', 'who: a name or an id of `people list`');

export const actOption = (command: Command): Command =>
  command.option('--event <uuid>', 'an id of the act: sent twice it is done once');

/** Opens the workspace for one piece of work on one recording. */
export function within(
  { workspace: dir, person: given }: ActOptions,
  id: string,
  work: (at: At) => Promise<void>,
): Promise<void> {
  return inOpenWorkspace(dir, async (open) => {
    const { db } = open.workspace;
    const names = await namesOf(db);
    const { id: recording } = await open.workspace.resolveRecording(id);
    const person = await knownPerson(db, given);
    await work({ open, recording, person, names, state: await open.reviews.get(recording, person) });
  });
}

/** Throws USAGE when it is no act, and what `Reviews.send` throws. */
export function sendAct({ open, recording, person }: At, { event }: ActOptions, act: ReviewAct) {
  const result = reviewActSchema.safeParse(act);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new StudioError('USAGE', `This cannot be taken: ${issue?.path.join('.')}: ${issue?.message}.`, {
      field: issue?.path.join('.'),
    });
  }
  return open.reviews.send(recording, person, event ?? randomUUID(), result.data);
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

export function isYes(option: string, text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw wrongValue(option, text, 'yes or no');
}

/** A share from 0 to `most`. */
export function parseShare(option: string, text: string, most: number): number {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text.trim()) && value <= most) return value;
  throw wrongValue(option, text, `a number from 0 to ${most}`);
}

/** Takes a side: the change of the main document, then the word that the difference is settled by it. */
export async function settleBySide(at: At, options: ActOptions & { difference: string; side: string }) {
  const { open, recording, person } = at;
  const { differences } = await open.reviews.compare(recording, person);
  const found = differences.find(({ id }) => id === options.difference);
  if (!found) {
    throw new StudioError('USAGE', `There is no difference "${options.difference}". \`review compare\` lists them.`, {
      difference: options.difference,
    });
  }
  const whose = await knownPerson(open.workspace.db, options.side);
  const side = found.sides.find(({ document }) => document.endsWith(`~${whose}`))?.document;
  if (side === undefined) {
    throw new StudioError('USAGE', `"${options.side}" has no replica of this recording.`, { side: options.side });
  }
  const { steps, records } = await open.documents.look(recording);
  const changes = takeSide(records, steps, found, side);
  let transaction: string | null = null;
  if (changes.length > 0) {
    transaction = randomUUID();
    const label = `Take ${at.names(whose)}'s side`.slice(0, 200);
    await open.documents.apply(recording, { id: transaction, label, changes }, person);
  }
  return sendAct(at, options, { type: 'settle', difference: found.id, side, transaction });
}
