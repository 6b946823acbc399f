import { createInterface } from 'node:readline/promises';

/** Whether somebody sits at a terminal who could answer. */
export const canAsk = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

/** The person's yes or no; nothing is no. */
export async function askYes(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Ctrl+C at a question is no answer; the question would wait for one for ever.
    const given = new AbortController();
    reader.once('SIGINT', () => given.abort());
    const asked = reader.question(`${question} [y/N] `, { signal: given.signal });
    const answer = await asked.catch((error: unknown) => {
      if (given.signal.aborted) return '';
      throw error;
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}
