import { mostRequests } from '../../../core/agents/judge/most-requests.ts';
import { JUDGE_RULES_VERSION } from '../../../core/agents/judge/prompts.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { JudgeHead } from '../../../schemas/judge.ts';
import { outcomeLabels } from '../../datasets/labels.ts';
import { modelUrl } from '../../models/model.ts';
import { spending } from '../../models/spending.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import type { Workspace } from '../../store/workspace.ts';
import { refuseUnpriced } from '../model-head.ts';
import { askPanel, type JudgeWishes, type PanelReport } from './judge.ts';
import { type Subject, subjectOf } from './subject.ts';

/** A panel of judges is asked about several recordings, from the command line and from the page alike. */

/** `labelled`: also those of which something better than a model says what came out. */
type ToJudge = { recordings: readonly string[]; labelled: boolean };

/** Each once, in the order they are named. Throws UNKNOWN_RECORDING, and USAGE where nothing is wanted. */
export async function wantedEntries(
  workspace: Workspace,
  { recordings, labelled }: ToJudge,
): Promise<readonly RecordingEntry[]> {
  const entries = new Map<string, RecordingEntry>();
  for (const id of recordings) {
    const entry = await workspace.resolveRecording(id);
    entries.set(entry.id, entry);
  }
  if (labelled) {
    const all = [...(await workspace.listRecordings()), ...(await workspace.listPlays())];
    const ids = await labelledRecordings(workspace);
    for (const entry of all) if (ids.has(entry.id)) entries.set(entry.id, entry);
  }
  if (entries.size > 0) return [...entries.values()];
  throw new StudioError(
    'USAGE',
    labelled
      ? 'Nothing has a label yet: prove demonstrations by `verify`, or review some. Then there is something to judge.'
      : 'Name the recordings to be judged, or take those with a label. `runs` lists runs, `recordings` demonstrations.',
    {},
  );
}

export const labelledRecordings = async (workspace: Workspace): Promise<ReadonlySet<string>> =>
  new Set((await outcomeLabels(workspace)).map(({ recording }) => recording));

type SubjectWishes = {
  /** Most of a recording. */
  pictures: number;
  signal: AbortSignal;
  /** Takes one that cannot be judged (USAGE, CONFLICT); left out: that is thrown. */
  leaveOut?(id: string, why: string): void;
};

export async function subjectsOf(
  workspace: Workspace,
  entries: readonly RecordingEntry[],
  { pictures, signal, leaveOut }: SubjectWishes,
): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const entry of entries) {
    signal.throwIfAborted();
    try {
      subjects.push(await subjectOf(workspace, entry, pictures));
    } catch (error) {
      const isItself = error instanceof StudioError && (error.code === 'USAGE' || error.code === 'CONFLICT');
      if (!isItself || !leaveOut) throw error;
      leaveOut(entry.id, error.message);
    }
  }
  return subjects;
}

/** `shown` of `all` pictures go to the endpoint, in at most so many requests. */
export type Sent = { shown: number; all: number; requests: number };

export function sentOf(subjects: readonly Subject[], { models, prompts }: Pick<JudgeHead, 'models' | 'prompts'>): Sent {
  const sum = (of: (subject: Subject) => number): number => subjects.reduce((all, one) => all + of(one), 0);
  const judges = models.length * prompts;
  return {
    shown: sum(({ chosen }) => chosen),
    all: sum(({ all }) => all),
    requests: sum(({ chosen }) => mostRequests(chosen) * judges),
  };
}

export type PanelAsked = Omit<JudgeHead, 'subject' | 'rules'>;

/** Throws USAGE for an address that cannot be taken, and for a budget without prices. */
export function refusePanel({ protocol, endpoint, models, budget, prices }: PanelAsked): void {
  for (const model of models) modelUrl({ protocol, endpoint, model });
  refuseUnpriced({ limits: { rounds: 1, timeMs: null, budget }, prices });
}

type ManyWishes = Pick<JudgeWishes, 'workspace' | 'model' | 'again' | 'progress' | 'signal'> & {
  subjects: readonly Subject[];
  panel: PanelAsked;
  /** Before each. */
  onNext(at: number, id: string): void;
};

/** Until the first that no panel came to an end of: what ended it would end the next. The budget is that of all. */
export async function askAboutAll({ subjects, panel, onNext, ...wishes }: ManyWishes): Promise<PanelReport[]> {
  const spent = spending(panel.prices ?? { input: 0, output: 0 }, panel.budget);
  const judged: PanelReport[] = [];
  for (const [at, { id, folder, show }] of subjects.entries()) {
    if (wishes.signal.aborted) break;
    onNext(at, id);
    const { subject, pictures } = await show();
    const head = { subject, ...panel, rules: JUDGE_RULES_VERSION };
    const one = await askPanel({ ...wishes, folder, head, pictures, spent });
    judged.push(one);
    if (one.how !== 'judged') break;
  }
  return judged;
}
