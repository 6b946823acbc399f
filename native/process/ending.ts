/** How a process or a thread of ours came to its end. */
export type RunEnding = {
  /**
   * `ended`: by itself. `unstarted`: there never was one. `threw`: an error that it did not catch. `silent`: it said nothing for
   * too long. `aborted`: by the signal. `killed`: by `kill`. `senseless`: it sent what is no message of its protocol.
   */
  why: 'ended' | 'unstarted' | 'threw' | 'silent' | 'aborted' | 'killed' | 'senseless';
  /** Of the process or thread, where it had come so far. */
  status: number | null;
  signal: string | null;
  /** Of `unstarted` and `threw`; the reason of `aborted`. */
  error?: unknown;
  /** Of `silent`: how long it had said nothing, ms. */
  silentMs?: number;
  /** The end of what it wrote to its error output. */
  last: string;
};

/** For a message to a person: `it ended with status 3. …`, without a full stop at the end. */
export function endingInWords({ why, status, signal, error, silentMs = 0, last }: RunEnding): string {
  const cause = error instanceof Error ? error.message : String(error);
  const how = {
    ended: signal === null ? `it ended with status ${status}` : `it was ended by ${signal}`,
    unstarted: `it cannot be started: ${cause}`,
    threw: `it failed: ${cause}`,
    silent: `it said nothing for ${silentMs / 1000} s`,
    aborted: 'it was stopped',
    killed: 'it was stopped',
    senseless: 'it sent a message that cannot be understood',
  }[why];
  return withoutStop(last === '' ? how : `${withoutStop(how)}. ${last}`);
}

/** As `endingInWords`, of a process that used a display: one that lost it ends with status 1 and without a word, or stops. */
export function endingOnDisplay(ending: RunEnding): string {
  const { why, status, last } = ending;
  if (why === 'silent') return 'it says nothing any more; its display is probably gone';
  return why === 'ended' && status === 1 && last === '' ? 'its display is gone' : endingInWords(ending);
}

/** The error's own message where it threw one. */
export const reasonOf = (ending: RunEnding): string =>
  ending.error instanceof Error ? ending.error.message : endingInWords(ending);

const withoutStop = (text: string): string => text.trimEnd().replace(/(?<![.\s])\.$/, '');
