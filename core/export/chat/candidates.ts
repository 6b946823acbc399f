import type { SwiftCandidateLine, SwiftPairLine } from '../../../schemas/export-chat.ts';
import { plural } from '../../words.ts';
import { type ExportAction, type ExportRun, type ExportTask, itemName, type LeftOut } from '../model.ts';
import { type NamedPicture, pictureNames, stillName } from '../pictures.ts';
import { NO_PICTURE } from '../pyautogui/calls.ts';
import { IMAGE, withoutMarks } from './marks.ts';
import { chatLines, type Samples } from './messages.ts';
import { MS_SWIFT } from './swift.ts';
import type { AnswerWay } from './words.ts';

/**
 * Runs of models at a task, or their answers to a step, as candidates with their rewards (naturalgaia.txt, appendix F), in ms-swift's
 * forms for GRPO and DPO: runs of one task, and answers to one step, are candidates of one group. The reward of a run is the graded
 * score of the task's checks, that of an answer how far it is what the person did.
 */

/** A conversation of a candidate. */
type CandidateTalk = Pick<SwiftCandidateLine, 'messages' | 'images' | 'tools'>;

export type Candidate = {
  group: string;
  /** The exported task's id, for what is said about it. */
  item: string;
  recording: string;
  reward: number;
  rewards: Pick<SwiftCandidateLine, 'reward_success' | 'reward_judges' | 'reward_people'>;
  lines: CandidateTalk[];
  /** The model whose answer it is; a step's alone have it. */
  model?: string;
  pictures: readonly NamedPicture[];
};

/** Ends of runs that are nobody's doing, or not the model's: the checks say nothing of what it did. */
const NOT_ITS_OWN: readonly ExportRun['how'][] = ['stopped', 'endpoint', 'failed', 'broken-off'];

/** The candidates of a task: the run that it is, or of a demonstration what was answered to its steps. */
export function candidatesOfTask(
  task: ExportTask,
  how: { from: string; samples: Samples; way: AnswerWay },
): { candidates: Candidate[]; leftOut: LeftOut[] } {
  if (!task.run) return stepCandidatesOf(task, how.from);
  const { candidate, leftOut } = candidateOf(task, how);
  return { candidates: candidate ? [candidate] : [], leftOut };
}

/** The answers to each step of a demonstration, in the words that they were asked and given in. */
function stepCandidatesOf(task: ExportTask, from: string): { candidates: Candidate[]; leftOut: LeftOut[] } {
  const names = pictureNames();
  const candidates: Candidate[] = [];
  const leftOut: LeftOut[] = [];
  for (const subtask of task.subtasks)
    for (const exported of subtask.actions) {
      const { candidates: some = [], beforeImage, rank } = exported;
      if (some.length === 0) continue;
      const item = itemName(task.id, subtask.id, rank);
      let empty = 0;
      if (!beforeImage) {
        leftOut.push({ item, from, reason: NO_PICTURE });
        continue;
      }
      const name = names.nameOf(beforeImage, stillName(task.id, subtask.id, rank, 'before'));
      const pictures = [{ picture: beforeImage, name }];
      for (const one of some)
        if (withoutMarks(one.text).trim() === '') empty++;
        else candidates.push(answerAsCandidate(one, { item, name, pictures }));
      // A turn of nothing is none.
      if (empty > 0) leftOut.push({ item, from, reason: `${plural(empty, 'answer')} of nothing` });
    }
  if (candidates.length === 0 && leftOut.length === 0) {
    const reason = 'it is a demonstration, and no model was asked for candidates of its steps';
    leftOut.push({ item: task.id, from, reason });
  }
  return { candidates, leftOut };
}

function answerAsCandidate(
  { id, model, system, prompt, text, reward, judges, people }: NonNullable<ExportAction['candidates']>[number],
  { item, name, pictures }: { item: string; name: string; pictures: readonly NamedPicture[] },
): Candidate {
  const messages: CandidateTalk['messages'] = [
    { role: 'system', content: withoutMarks(system) },
    { role: 'user', content: `${IMAGE}${withoutMarks(prompt)}` },
    { role: 'assistant', content: withoutMarks(text) },
  ];
  return {
    group: item,
    item,
    recording: id,
    reward,
    model,
    pictures,
    rewards: { reward_success: reward === 1 ? 1 : 0, reward_judges: judges, reward_people: people },
    lines: [{ messages, images: [`images/${name}`] }],
  };
}

/** A task's run as a candidate; null with the reason where it is none. */
function candidateOf(
  task: ExportTask,
  { from, samples, way }: { from: string; samples: Samples; way: AnswerWay },
): { candidate: Candidate | null; leftOut: LeftOut[] } {
  const none = (reason: string) => ({ candidate: null, leftOut: [{ item: task.id, from, reason }] });
  const { run } = task;
  if (!run) return none('it is a demonstration');
  if (run.helped > 0) return none('a person took it over, so what came of it is not the model’s alone');
  if (NOT_ITS_OWN.includes(run.how))
    return none(`the run ended as ${run.how}, so its checks say nothing of what the model did`);
  const { lines, trajectory } = chatLines(task, from, samples, way);
  if (lines.length === 0) return { candidate: null, leftOut: trajectory.leftOut };
  const { judges = null, people = null } = run.rewards ?? {};
  const candidate: Candidate = {
    group: task.another ?? task.id,
    item: task.id,
    recording: task.recordings[0]?.id ?? '',
    reward: run.score,
    rewards: { reward_success: run.success ? 1 : 0, reward_judges: judges, reward_people: people },
    lines,
    pictures: trajectory.pictures,
  };
  return { candidate, leftOut: trajectory.leftOut };
}

/** The lines of candidates.jsonl. GRPO asks with all but the last answer, which stands in `solution`. */
export const candidateLines = ({ group, recording, reward, rewards, lines, model }: Candidate): SwiftCandidateLine[] =>
  lines.map((line) => ({
    ...line,
    solution: line.messages.at(-1)?.content ?? '',
    task: group,
    candidate: recording,
    reward,
    ...rewards,
    ...(model !== undefined && { model }),
  }));

/**
 * Pairs of one group, each candidate in one at most: the best with the worst, the next with the next, as long as their rewards differ.
 * `lines` are conversations of a whole run, or its steps: then a pair is the first step at which they answer otherwise.
 */
export function pairsOf(candidates: readonly Candidate[], samples: Samples): { pairs: Pair[]; leftOut: LeftOut[] } {
  const sorted = candidates.toSorted((a, b) => b.reward - a.reward || (a.item < b.item ? -1 : 1));
  const pairs: Pair[] = [];
  const leftOut: LeftOut[] = [];
  const [first] = sorted;
  // Said once: the answers to a step have no ids that anybody knows.
  if (first?.model !== undefined && first.reward === sorted.at(-1)?.reward) {
    const reason = `its ${plural(sorted.length, 'candidate')} are worth the same, so none is better`;
    return { pairs, leftOut: [{ item: first.item, from: PAIRS, reason }] };
  }
  for (const [at, better] of sorted.entries()) {
    const worse = sorted[sorted.length - 1 - at];
    const tell = (reason: string): void => {
      if (better.model === undefined) leftOut.push({ item: better.item, from: PAIRS, reason });
    };
    if (!worse || better.reward === worse.reward) {
      tell('no other run of its task that came out better or worse is left for it');
      continue;
    }
    // The lower half: told by the upper one.
    if (better.reward < worse.reward) continue;
    const made = pairOf(better, worse, samples);
    if (made) pairs.push(made);
    else tell(`it answered as ${worse.item} did, which came out otherwise`);
  }
  return { pairs, leftOut };
}

const PAIRS = `${MS_SWIFT}/pairs`;

export type Pair = { line: SwiftPairLine; pictures: NamedPicture[] };

function pairOf(better: Candidate, worse: Candidate, samples: Samples): Pair | null {
  const last = ({ messages }: CandidateTalk): string | undefined => messages.at(-1)?.content;
  const whole = samples === 'task' && better.model === undefined;
  // A whole run gives every answer, a step only the last.
  const saidOf = ({ messages }: CandidateTalk): string =>
    messages.flatMap(({ role, content }) => (role === 'assistant' ? [content] : [])).join('\n');
  const at = better.lines.findIndex((line, n) => {
    const other = worse.lines[n];
    return other === undefined || (whole ? saidOf(line) !== saidOf(other) : last(line) !== last(other));
  });
  const [chosen, rejected] = [better.lines[at], worse.lines[at]];
  if (!chosen || !rejected) return null;
  const shown = new Set([...chosen.images, ...rejected.images]);
  const pictures = [...better.pictures, ...worse.pictures].filter(({ name }) => shown.has(`images/${name}`));
  return {
    line: {
      ...chosen,
      rejected_messages: rejected.messages,
      rejected_images: rejected.images,
      margin: better.reward - worse.reward,
      task: better.group,
      candidate: better.recording,
      rejected_candidate: worse.recording,
      ...(better.model !== undefined && { model: better.model }),
    },
    pictures,
  };
}
