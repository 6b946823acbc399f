import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelReply } from '../../schemas/model-requests.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { type NumberedLog, numberedLog } from '../recordings/log-lines.ts';
import { beginLines } from './log.ts';
import { type AskedEnd, answersIn, endOfAsking, keptAnswers, type PaidLine, type PaidModel } from './paid.ts';

/** The log of an asking about a recording, in its folder: drafts, judgings and candidates begin and end theirs alike. */

export type AskedWishes = Pick<PaidModel, 'signal'> & {
  folder: string;
  /** Ask again what was answered before. */
  again: boolean;
};

/** One log, while it is written. */
export type AskedLog<Line extends PaidLine> = {
  /** The line is on the disk and among `lines` when it is done. */
  write(line: Line): Promise<void>;
  lines: readonly Line[];
  /** Answers that were paid for before, by `answerKey`. */
  kept: ReadonlyMap<string, ModelReply>;
};

/** How an asking ended: as it should, which is `Done`, or why not. */
type Ending<Done extends string> = { how: Done | AskedEnd; why: string };
type Answers = ReturnType<typeof answersIn>;

type Asking<Line extends PaidLine, Done extends string> = {
  /** Where the logs are in a recording's folder, and the name of the lock that those who write them take. */
  place: string;
  lock: string;
  earlier(folder: string): NumberedLog<Line>[];
  /** The first line; `at`: now. */
  begun(at: string): Extract<Line, { type: 'begun' }>;
  /** Throws what ends the asking early. */
  ask(log: AskedLog<Line>): Promise<void>;
  done: Done;
  /** The last line. */
  ended(ending: Ending<Done>, answers: Answers, lines: readonly Line[]): Line | Promise<Line>;
};

type Asked<Line extends PaidLine, Done extends string> = {
  ended: Ending<Done>;
  answers: Answers;
  lines: readonly Line[];
};

/** Never throws for what an endpoint or a model did: that is how it ended. Throws BAD_FILE, FUTURE_VERSION, and what the disk throws. */
export function askInLog<Line extends PaidLine, Done extends string>(
  { folder, again, signal }: AskedWishes,
  { place, lock, earlier, begun, ask, done, ended }: Asking<Line, Done>,
): Promise<Asked<Line, Done>> {
  return withFolderLock(
    folder,
    lock,
    async () => {
      const before = earlier(folder);
      await mkdir(join(folder, place), { recursive: true });
      const number = (before.at(-1)?.number ?? 0) + 1;
      const lines: Line[] = [];
      const log = await beginLines<Line>(join(folder, place, numberedLog(number)), (line) => lines.push(line));
      try {
        const first = begun(new Date().toISOString());
        await log.write(first);
        const { head } = first;
        let ending: Ending<Done> = { how: done, why: '' };
        try {
          await ask({ write: log.write, lines, kept: again ? new Map() : keptAnswers(before, head) });
        } catch (error) {
          ending = endOfAsking(error, signal);
        }
        const answers = answersIn(lines, head.prices);
        await log.write(await ended(ending, answers, lines));
        return { ended: ending, answers, lines };
      } finally {
        await log.close();
      }
    },
    { signal },
  );
}
