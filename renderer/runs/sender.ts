import type { StageAct } from '../../schemas/stage-acts.ts';

/** Sends what a person does to the stage, in its order, each act once; what comes while a request is on its way goes with the next. */
type ActSender = {
  add(acts: readonly StageAct[]): void;
  /** All that was added is done, or was refused. */
  sent(): Promise<void>;
  /** Nothing is sent after this. */
  close(): void;
};

type SenderWishes = {
  send(n: number, acts: StageAct[]): Promise<unknown>;
  /** The line broke: the same is sent again. Otherwise it was refused, and is dropped. */
  isLost(error: unknown): boolean;
  onError(error: unknown): void;
  waitMs?: number;
};

/** More that waits is a line that is gone; what is older is not done late. */
const MOST_WAITING = 1500;

export function actSender({ send, isLost, onError, waitMs = 300 }: SenderWishes): ActSender {
  let waiting: StageAct[] = [];
  let n = 0;
  let isSending = false;
  let isClosed = false;
  let held = 0;
  let sending: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    isSending = true;
    while (waiting.length > 0 && !isClosed) {
      const acts = waiting;
      waiting = [];
      n++;
      for (let isDone = false; !isDone && !isClosed; ) {
        try {
          await send(n, acts);
          isDone = true;
        } catch (error) {
          isDone = !isLost(error);
          if (isDone) onError(error);
          else await new Promise((done) => setTimeout(done, waitMs));
        }
      }
    }
    isSending = false;
  }

  return {
    add(acts) {
      for (const act of acts) {
        if (act.do === 'button') held = Math.max(0, held + (act.down ? 1 : -1));
        // The way of a drag counts; of another move only where it leads.
        if (act.do === 'move' && held === 0 && waiting.at(-1)?.do === 'move') waiting.pop();
        if (waiting.length < MOST_WAITING) waiting.push(act);
      }
      if (!isSending) sending = run();
    },
    sent: () => sending,
    close() {
      isClosed = true;
    },
  };
}
