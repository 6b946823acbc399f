import { createHash } from 'node:crypto';
import {
  type Drafted,
  type DraftPart,
  draftRequest,
  partsOfDraft,
  readDoubts,
  readDrafts,
  reflectRequest,
} from '../../../core/agents/draft/draft.ts';
import { allDraftTexts } from '../../../core/agents/draft/prompts.ts';
import type { Refused } from '../../../core/agents/one-answer.ts';
import {
  DRAFT_FIELDS,
  DRAFT_FOLDER,
  DRAFT_SCHEMA,
  type DraftEnd,
  type DraftHead,
  type DraftLine,
  NEWEST_DRAFT_VERSION,
} from '../../../schemas/draft.ts';
import type { ModelRequest } from '../../../schemas/model-requests.ts';
import { readDraftLogs } from '../../recordings/draft-log.ts';
import { type AskedLog, type AskedWishes, askInLog } from '../asked-log.ts';
import { type AskPaid, answerKey, type PaidModel, paidAsker } from '../paid.ts';

/** Asks a model for drafts of one recording, and keeps what was asked, answered and drafted in its folder. */

export type DraftWishes = AskedWishes &
  Pick<PaidModel, 'pictures' | 'model' | 'spent'> & {
    head: DraftHead;
    progress(text: string): void;
  };

export type DraftReport = {
  recording: string;
  how: DraftEnd;
  why: string;
  by: string;
  /** Drafts that were made now, those among them that the reflector doubts, and fields of which the model cannot tell. */
  drafted: number;
  doubted: number;
  unknown: number;
  /** Requests that were sent, and answers of earlier draftings. */
  asked: number;
  kept: number;
  /** Sentences about answers that were refused. */
  refused: string[];
  cost: number | null;
};

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Whose the drafts are: the model, and the prompts that it was asked with. */
export const draftAuthor = (model: string): string => `${model}@${hashOf(allDraftTexts(DRAFT_FIELDS)).slice(0, 8)}`;

type Log = AskedLog<DraftLine>;

/** Never throws for what an endpoint or a model did: that is how it ended. */
export async function askForDrafts(wishes: DraftWishes): Promise<DraftReport> {
  const { head } = wishes;
  const { ended, answers, lines } = await askInLog<DraftLine, 'drafted'>(wishes, {
    place: DRAFT_FOLDER,
    lock: 'drafts',
    earlier: readDraftLogs,
    begun: (at) => ({ type: 'begun', schema: DRAFT_SCHEMA, version: NEWEST_DRAFT_VERSION, at, head }),
    ask: (log) => draftAll(wishes, log),
    done: 'drafted',
    ended: (ending, { cost }) => ({ type: 'ended', ...ending, cost }),
  });
  return { recording: head.subject.recording, ...ended, by: head.by, ...counts(lines), ...answers };
}

function counts(lines: readonly DraftLine[]) {
  const drafted = lines.filter((line) => line.type === 'drafted');
  return {
    drafted: drafted.filter(({ text }) => text !== null).length,
    doubted: lines.filter((line) => line.type === 'reflected' && line.doubt !== null).length,
    unknown: drafted.filter(({ text }) => text === null).length,
  };
}

async function draftAll({ head, pictures, model, spent, signal, progress }: DraftWishes, log: Log): Promise<void> {
  const { subject, reflector } = head;
  const models = [...new Set([head.model, ...(reflector === null ? [] : [reflector])])];
  const paid = paidAsker({ ...head, models, pictures, model, spent, signal });
  const parts = partsOfDraft(subject);
  for (const [at, part] of parts.entries()) {
    const drafts = await draftPart(head, part, askWith(paid, head.model, log), log);
    if (reflector !== null && drafts.length > 0)
      await reflectOn(head, part, drafts, askWith(paid, reflector, log), reflector, log);
    if ((at + 1) % 10 === 0) progress(`${at + 1} of ${parts.length} requests for drafts are answered`);
  }
}

/** Asks, and once more where the answer is refused; null: it was refused twice. */
type AskTwice = <T extends object>(
  request: (again: string | null) => ModelRequest,
  read: (text: string) => T | Refused,
) => Promise<T | null>;

function askWith(paid: AskPaid, model: string, { write, lines, kept }: Log): AskTwice {
  return async <T extends object>(
    make: (again: string | null) => ModelRequest,
    read: (text: string) => T | Refused,
  ): Promise<T | null> => {
    let again: string | null = null;
    for (;;) {
      const request = make(again);
      const hash = hashOf(request);
      const n = lines.filter((line) => line.type === 'asked').length + 1;
      await write({ type: 'asked', n, model, hash, request });
      const answered = await paid(model, request, kept.get(answerKey(model, hash)) ?? null);
      const value = read(answered.reply.text);
      const refused = 'refused' in value ? value.refused : null;
      await write({ type: 'answered', n, ...answered, refused });
      if (!('refused' in value)) return value;
      if (again !== null) return null;
      again = refused;
    }
  };
}

/** By which an answer is known for one to this question: nothing that was recorded before can say it. */
const codeOf = ({ subject, by }: DraftHead, part: DraftPart, asker: string): string =>
  hashOf([subject.recording, subject.goal, part, by, asker]).slice(0, 8);

async function draftPart(head: DraftHead, part: DraftPart, ask: AskTwice, log: Log): Promise<Drafted[]> {
  const { subject, model } = head;
  const code = codeOf(head, part, model);
  const came = await ask(
    (again) => draftRequest(subject, part, code, again),
    (text) => readDrafts(text, part, subject.steps, code),
  );
  const drafts = came?.drafts ?? [];
  for (const draft of drafts) await log.write({ type: 'drafted', ...draft });
  return drafts.filter(({ text }) => text !== null);
}

async function reflectOn(
  head: DraftHead,
  part: DraftPart,
  drafts: readonly Drafted[],
  ask: AskTwice,
  by: string,
  log: Log,
): Promise<void> {
  const code = codeOf(head, part, `${by} on ${hashOf(drafts)}`);
  const came = await ask(
    (again) => reflectRequest(head.subject, part, drafts, code, again),
    (text) => readDoubts(text, drafts.length, code),
  );
  if (!came) return;
  for (const [at, { action, field }] of drafts.entries())
    await log.write({ type: 'reflected', action, field, by, doubt: came.doubts[at] ?? null });
}
