import type { Generated } from 'kysely';
import type { RecordingState, TaskKind, TaskState } from '../../schemas/task-terms.ts';

/**
 * The workspace's tables as kysely sees them. Portable on purpose (architecture.md, "Past one machine"): text, integers and
 * JSON in text, times as ISO 8601 UTC text, durations in integer microseconds, yes and no as 1 and 0.
 */

const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
type JobState = (typeof JOB_STATES)[number];

type MetaTable = { key: string; value: string };

export type SoftwareTable = {
  id: string;
  name: string;
  /** The prefix of task ids: PPT in PPT_15. */
  prefix: string;
  /** Where it runs, in words. */
  platforms: string;
  /** JSON: other names a person may type. */
  aliases: string;
  /** JSON: names of its executable, as window watchers report them. */
  executables: string;
  /** Its purpose, in words ("Media editing"); empty: nobody said. */
  category: Generated<string>;
  created_at: string;
};

type PeopleTable = { id: string; name: string; email: string | null; created_at: string };

type TasksTable = {
  id: string;
  prefix: string;
  number: number;
  software_id: string;
  goal: string;
  state: TaskState;
  created_by: string | null;
  created_at: string;
  /** The operating system or browser that it is to be done on, in words. */
  platform: Generated<string>;
  /** The video that shows it. */
  source_url: Generated<string>;
  notes: Generated<string>;
  /** To the question that it asks, in words; empty where it asks none. */
  answer: Generated<string>;
  kind: Generated<TaskKind>;
};

/** Files kept with a task, in attachments/ of the workspace. */
export type AttachmentsTable = {
  id: string;
  task_id: string;
  role: string;
  /** The name that the person gave it. */
  name: string;
  /** Inside the workspace, with `/`, so that a workspace can be moved. */
  file: string;
  bytes: number;
  mime: string;
  created_at: string;
};

/** The index of recordings/: the folders are the truth, but for `state`, which only the database knows. */
export type RecordingTable = {
  id: string;
  /** The folder's name inside recordings/. */
  folder: string;
  task_id: string;
  software_id: string;
  goal: string;
  state: Generated<RecordingState>;
  /** `recording` until the capture process closed it. */
  phase: string;
  verdict: string | null;
  sync: string | null;
  started_at: string;
  duration_us: number | null;
  frames: number;
  dropped: number;
  events: number;
  person_id: string | null;
  /** Modification time and size of recording.json when it was read, so that an unchanged one is not read again. */
  stamp: string;
  /** The demonstration that it is a play of; null: it is one itself. */
  played: string | null;
  /** 0: its folder is gone. The row stays, so that its state is known should the folder come back. */
  present: Generated<number>;
};

type ExportsTable = {
  id: string;
  format: string;
  folder: string;
  /** JSON: what was left out, and how many of what were written. */
  filters: string;
  counts: string;
  created_by: string | null;
  created_at: string;
  /** JSON: what its validator said last. */
  validation: Generated<string | null>;
};

export type JobsTable = {
  id: string;
  kind: string;
  /** The recording, export or import it works on. */
  subject: string;
  state: JobState;
  /** 0 to 1. */
  progress: Generated<number>;
  message: string | null;
  /** JSON: an ErrorBody. */
  error: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** JSON: the process that works on it (lock.ts), so that one whose process is gone is known to be interrupted. */
  owner: string | null;
  /** The call of the API that began it, such as `exports.start`; null where it cannot be begun again by one. */
  call: string | null;
  /** JSON: what that call was given, without the workspace. */
  input: string | null;
  /** Says that this user's program noted the call (studio/store/jobs/call-marks.ts). */
  mark: string | null;
  /** Who asked for it, as the call said. */
  person: string | null;
  /** JSON: `recordings` that came of it, and `result`. */
  result: string | null;
  /** Another process asks its owner to stop it. */
  stop_asked_at: string | null;
  /** The job that does it again. */
  next: string | null;
};

/** The locks held in this workspace, a row each (lock.ts). */
type LocksTable = { name: string; holder: string };

/** One annotation of a recording: the main one has the recording's id, a person's own `<recording>~<person id>`. */
type DocumentsTable = {
  id: string;
  recording_id: string;
  /** Whose it is; null for the main one. */
  person: Generated<string | null>;
  /** The version of the last transaction. */
  version: number;
  /** Kept steps, and those that are confirmed and not flagged. */
  steps: number;
  done: number;
  created_at: string;
};

/**
 * `done`: may be undone by its person. `undone`: may be redone. `fixed`: neither: the beginning, an undo, a redo, what was
 * undone when something new was done.
 */
export type TransactionState = 'done' | 'undone' | 'fixed';

/** The log of a document; nothing in it changes but `state`. */
export type AnnotationTransactionsTable = {
  document_id: string;
  version: number;
  id: string;
  person: string;
  at: string;
  label: string;
  /** JSON: Change[]. */
  changes: string;
  undoes: string | null;
  redoes: string | null;
  state: TransactionState;
};

/** A document's records as the log makes them; `value` is JSON. */
type AnnotationRecordsTable = {
  document_id: string;
  id: string;
  kind: string;
  action: string | null;
  value: string;
};

/** Which transactions speak of an action, for its history. */
type AnnotationTouchedTable = { document_id: string; action: string; version: number };

/** Names as labels give them now, by software: the vocabulary. `place`: the step's index in its recording. */
type AnnotationNamesTable = {
  document_id: string;
  action: string;
  field: 'element' | 'start' | 'end';
  software_id: string;
  place: number;
  name: string;
};

/** Pixels that were boxed and named (core/annotate/proposals/crop.ts). Derived: a missing row is made again. */
type CropsTable = {
  document_id: string;
  action: string;
  software_id: string;
  name: string;
  hash: string;
  quick: number;
  width: number;
  height: number;
};

/** The log of a recording's review, append-only: who did what when (schemas/review.ts). `n` counts from 1. */
export type ReviewEventsTable = {
  id: string;
  recording_id: string;
  n: number;
  person: string;
  at: string;
  /** The kind of the act. */
  type: string;
  /** JSON: ReviewAct, and what the studio fixed with it. */
  act: string;
  facts: string;
};

/** Figures that take long to work out. Derived: they hold while the documents have these versions. */
type ReviewFiguresTable = {
  recording_id: string;
  /** Which documents. */
  about: string;
  versions: string;
  /** JSON. */
  value: string;
};
type RecordingTagsTable = { recording_id: string; tag: string };

/** Splits are of tasks, so that no two recordings of one stand in two. `origin`: `hand` or `rule`. */
type TaskSplitsTable = { task_id: string; split: string; origin: string; assigned_at: string };

/** The figures of a recording (core/curate/figures.ts). Derived: made again when `stamp` or the document is another. */
type DatasetFactsTable = {
  recording_id: string;
  stamp: string;
  document_version: number;
  /** JSON; `figures` apart, since rows do not need them. */
  facts: string;
  figures: string;
};

/** Hashes of stills for near duplicates. Derived. `pixels`: of all of them, to tell equal from alike. */
export type ScreenHashesTable = { recording_id: string; file: string; stamp: string; hash: string; pixels: string };

/** sha256 of files of recordings, while their size, time and inode stay. Derived. */
export type FileHashesTable = { recording_id: string; path: string; stamp: string; bytes: number; sha256: string };

/** Groups of near duplicates that a person said are none. `members`: JSON, sorted. */
type DismissedGroupsTable = { id: string; kind: string; members: string };

/** The last findings, by name: JSON. Derived. */
type CurationTable = { key: string; value: string };

/** People who may sign in. `id`: of the person. */
export type MembersTable = {
  id: string;
  /** In small letters. */
  email: string;
  /** A TeamRole (schemas/team-terms.ts). */
  role: string;
  /** JSON: their own settings of the pages. */
  settings: string;
  created_at: string;
  /** argon2id, in its own text form; null: nobody can sign in by one. */
  password: string | null;
  /** They are a member no more. */
  left_at: string | null;
};

/** `hash`: sha256 of the secret, which is kept nowhere; so for all three. */
export type SessionsTable = {
  id: string;
  member_id: string;
  hash: string;
  created_at: string;
  seen_at: string;
  ends_at: string;
};

export type InvitationsTable = {
  id: string;
  hash: string;
  email: string;
  /** As the person is to be called; empty: they say it. */
  name: string;
  role: string;
  created_at: string;
  ends_at: string;
  /** Somebody of the workspace whose membership it is to be; null: a new person. */
  person_id: string | null;
  /** A member's id; null: made on the server's command line. */
  created_by: string | null;
  used_at: string | null;
};

export type TokensTable = {
  id: string;
  member_id: string;
  hash: string;
  name: string;
  /** JSON: rights that it has at most. */
  scopes: string;
  created_at: string;
  ends_at: string;
  used_at: string | null;
};

/** `id`: the issuer, a space and its `sub`: what OpenID Connect promises to be one account for ever. */
export type IdentitiesTable = { id: string; member_id: string; issuer: string; created_at: string };

export type Tables = {
  meta: MetaTable;
  software: SoftwareTable;
  people: PeopleTable;
  tasks: TasksTable;
  recordings: RecordingTable;
  exports: ExportsTable;
  jobs: JobsTable;
  locks: LocksTable;
  attachments: AttachmentsTable;
  documents: DocumentsTable;
  annotation_transactions: AnnotationTransactionsTable;
  annotation_records: AnnotationRecordsTable;
  annotation_touched: AnnotationTouchedTable;
  annotation_names: AnnotationNamesTable;
  crops: CropsTable;
  review_events: ReviewEventsTable;
  review_figures: ReviewFiguresTable;
  recording_tags: RecordingTagsTable;
  task_splits: TaskSplitsTable;
  dataset_facts: DatasetFactsTable;
  screen_hashes: ScreenHashesTable;
  file_hashes: FileHashesTable;
  dismissed_groups: DismissedGroupsTable;
  curation: CurationTable;
  members: MembersTable;
  sessions: SessionsTable;
  invitations: InvitationsTable;
  tokens: TokensTable;
  identities: IdentitiesTable;
};
