import type { SimulatedUser, UserQuestion } from '../../../schemas/agents.ts';
import type { Member } from '../../../schemas/composition.ts';
import type { RunActor } from '../../../schemas/composition-run.ts';
import type { Recipe } from '../../../schemas/play.ts';
import type { Beside } from '../../play/beside.ts';
import type { VirtualStage } from '../../play/stage/stage.ts';

/** Who does the tasks of a composition: each is one task on the stage, recorded as every other. */

export type MemberOrder = {
  member: Member;
  task: string;
  recipe: Recipe;
  /** What it is told, with its slots filled. */
  instruction: string;
  /** Whom it may ask; null: nobody. */
  user: SimulatedUser | null;
  stage: VirtualStage;
  /** So long at most, ms. */
  timeMs: number;
  progress(text: string): void;
  /**
   * Work that the task before left, which is waited for before anything is acted; takes what follows the task's own recording,
   * to be done beside the task that comes next.
   */
  beside: Beside;
  /** Its recording has begun; told before anything is acted, so that it is known whatever becomes of the task. */
  recorded(recording: string): void;
  signal: AbortSignal;
};

export type MemberDeed = {
  recording: string;
  answer: string | null;
  /** Null: the task has no checks. */
  checked: { passed: boolean; score: number; why: string } | null;
  steps: number;
  questions: readonly UserQuestion[];
  cost: number | null;
  /** Why it ended before its end, in words; null: it did not. */
  stopped: string | null;
};

export type MemberActor = {
  actor: RunActor;
  /** The screen and the keyboard that it needs, where no recipe names them. */
  size: { width: number; height: number };
  layout: { layout: string; variant: string };
  /** The same for a stage of these members alone; absent: as above. */
  screenFor?(members: readonly string[]): Pick<MemberActor, 'size' | 'layout'>;
  /** Programs tell of their elements, also where no check asks for them: what is recorded is a demonstration. */
  elements?: true;
  /** Throws what ends the whole run: its stage or its disk is gone, it was stopped. */
  act(order: MemberOrder): Promise<MemberDeed>;
};

/** Whether an output of it is what is answered. */
export const asksAnswer = ({ outputs }: Pick<Member, 'outputs'>): boolean =>
  outputs.some(({ from }) => from === 'answer');

/** Why checks failed, in words. */
export const whyFailed = (checks: readonly { id: string; score: number; why: string }[]): string =>
  checks
    .filter(({ score }) => score < 1)
    .map(({ id, why }) => `${id}: ${why}`)
    .join('; ')
    .slice(0, 2000);
