import type { ChatLine, SwiftCandidateLine, SwiftPairLine } from '../../../schemas/export-chat.ts';
import type { ExportRun, ExportTask, LeftOut } from '../model.ts';
import type { NamedPicture } from '../pictures.ts';
import { chatLines, type Samples } from './messages.ts';
import { MS_SWIFT } from './swift.ts';
import type { AnswerWay } from './words.ts';

/**
 * Runs of models at a task as candidates with their rewards (naturalgaia.txt, appendix F), in ms-swift's forms for GRPO and DPO:
 * runs of one task are candidates of one group. The reward is the graded score of the task's checks.
 */

export type Candidate = {
  group: string;
  /** The exported task's id, for what is said about it. */
  item: string;
  recording: string;
  reward: number;
  rewards: Pick<SwiftCandidateLine, 'reward_success' | 'reward_judges' | 'reward_people'>;
  lines: ChatLine[];
  pictures: readonly NamedPicture[];
};

/** Ends of runs that are nobody's doing, or not the model's: the checks say nothing of what it did. */
const NOT_ITS_OWN: readonly ExportRun['how'][] = ['stopped', 'endpoint', 'failed', 'broken-off'];

/** A task's run as a candidate; null with the reason where it is none. */
export function candidateOf(
  task: ExportTask,
  { from, samples, way }: { from: string; samples: Samples; way: AnswerWay },
): { candidate: Candidate | null; leftOut: LeftOut[] } {
  const none = (reason: string) => ({ candidate: null, leftOut: [{ item: task.id, from, reason }] });
  const { run } = task;
  if (!run) return none('it is a demonstration: candidates are runs of models');
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
export const candidateLines = ({ group, recording, reward, rewards, lines }: Candidate): SwiftCandidateLine[] =>
  lines.map((line) => ({
    ...line,
    solution: line.messages.at(-1)?.content ?? '',
    task: group,
    candidate: recording,
    reward,
    ...rewards,
  }));

/**
 * Pairs of one group, each candidate in one at most: the best with the worst, the next with the next, as long as their rewards differ.
 * `lines` are conversations of a whole run, or its steps: then a pair is the first step at which they answer otherwise.
 */
export function pairsOf(candidates: readonly Candidate[], samples: Samples): { pairs: Pair[]; leftOut: LeftOut[] } {
  const sorted = candidates.toSorted((a, b) => b.reward - a.reward || (a.item < b.item ? -1 : 1));
  const pairs: Pair[] = [];
  const leftOut: LeftOut[] = [];
  for (const [at, better] of sorted.entries()) {
    const worse = sorted[sorted.length - 1 - at];
    const tell = (reason: string): void => void leftOut.push({ item: better.item, from: PAIRS, reason });
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
  const last = ({ messages }: ChatLine): string | undefined => messages.at(-1)?.content;
  const whole = samples === 'task';
  // A whole run gives every answer, a step only the last.
  const saidOf = ({ messages }: ChatLine): string =>
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
    },
    pictures,
  };
}
