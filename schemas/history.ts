import { z } from 'zod';
import { changeSchema, storedTransactionSchema } from './annotation.ts';
import { TEXT_LIMITS } from './limits.ts';
import { reviewEventSchema } from './review.ts';

/**
 * history.jsonl of a recording that travels: everything that was ever said of it. A head, then the transactions of each
 * document by version, then the log of its review. One line is small, however large a gesture was: what does not fit
 * follows in lines of `changes`.
 */
export const HISTORY_SCHEMA = 'trajectory-studio/history';
export const HISTORY_VERSION = 3;
/** Versions that are read. 2 added the reason `missing-box`, 3 assignments; a history goes out as the oldest that says all of it. */
const HISTORY_VERSIONS_READ = [1, 2, 3] as const;

/** The most that is taken from a stranger: people, documents and lines of one recording. */
export const HISTORY_LIMITS = { people: 1000, documents: 1000, lines: 500_000, changes: 20_000 } as const;

/** Without an address: a name is what people are told apart by, and all that goes out. */
export const travellerSchema = z.object({
  id: z.string().regex(/^[A-Za-z0-9._-]{1,100}$/, 'a person has an id of letters, digits, ".", "_" and "-"'),
  name: z.string().trim().min(1).max(200),
});
export type Traveller = z.infer<typeof travellerSchema>;

export const historyHeadSchema = z.object({
  schema: z.literal(HISTORY_SCHEMA),
  version: z.literal(HISTORY_VERSIONS_READ),
  recording: z.string().min(1).max(100),
  /** The state of the work, when the log below is empty. */
  state: z.string().max(40),
  /** Everybody of the workspace whom a line names. */
  people: z.array(travellerSchema).max(HISTORY_LIMITS.people),
  /** In the order of their transactions. */
  documents: z
    .array(
      z.object({
        id: z.string().min(1).max(300),
        /** Whose it is; null for the main one. */
        person: z.string().max(100).nullable(),
        version: z.int().min(1),
        createdAt: z.iso.datetime(),
      }),
    )
    .max(HISTORY_LIMITS.documents),
});
export type HistoryHead = z.infer<typeof historyHeadSchema>;

const changes = z.array(changeSchema).max(HISTORY_LIMITS.changes);
/** More of its changes stand in the next line. */
const more = z.literal(true).optional();
const person = z.string().min(1).max(200);

export const historyLineSchema = z.discriminatedUnion('line', [
  storedTransactionSchema.extend({
    line: z.literal('transaction'),
    document: z.string().max(300),
    person,
    state: z.enum(['done', 'undone', 'fixed']),
    changes,
    more,
  }),
  z.object({ line: z.literal('changes'), changes: changes.min(1), more }),
  reviewEventSchema.extend({ line: z.literal('event'), person }),
]);
export type HistoryLine = z.infer<typeof historyLineSchema>;
export type HistoryTransaction = Omit<Extract<HistoryLine, { line: 'transaction' }>, 'line' | 'more'>;
export type HistoryEvent = Omit<Extract<HistoryLine, { line: 'event' }>, 'line'>;

/** curation.json of a recording that travels alone: what data sets know of it (an archive has it in library.json). */
export const curationFileSchema = z.object({
  schema: z.literal('trajectory-studio/curation'),
  version: z.literal(1),
  recording: z.string().max(100),
  tags: z.array(z.string().max(50)).max(1000),
  /** The split of its task. */
  split: z.string().max(40).nullable(),
});
export type CurationFile = z.infer<typeof curationFileSchema>;

/** arrival.json of a recording that an import has put in its place and not finished with: what the import still owes it. */
export const arrivalFileSchema = z.object({
  schema: z.literal('trajectory-studio/arrival'),
  version: z.literal(1),
  recording: z.string().max(100),
  /** The state of the work, as the archive says; null when nothing says it. */
  state: z.string().max(40).nullable(),
  tags: z.array(z.string().max(50)).max(1000),
  /** A file of the recording that its task is owed as its transcript, and the name that it had. */
  transcript: z.object({ file: z.string().max(200), name: z.string().max(300) }).optional(),
  /** The answer that its task is owed, where it has none. */
  answer: z.string().max(TEXT_LIMITS.text).optional(),
  /** State, tags, transcript and answer were taken; files beside it may still wait. */
  told: z.boolean(),
});
export type ArrivalFile = z.infer<typeof arrivalFileSchema>;
