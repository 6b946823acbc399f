import { execFileSync } from 'node:child_process';
import { studio, studioMust } from '../support/cli.ts';

/** A condition out of a public report, made anew, with what is right. */
export type Condition = {
  /** Its number and what it is. */
  name: string;
  /** Where such a thing was reported. */
  source: string;
  /** Lines that are right. */
  right: readonly string[];
  /** What came, by the program as a user starts it. `folder`: an empty one, its own. */
  run(folder: string): Promise<string[]>;
};

export const ffmpeg = (...args: string[]): void => {
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args]);
};

/** The actions of a recording in the words of `actions`, without numbers and times. */
export async function actionsOf(recording: string, workspace: string): Promise<string[]> {
  const { stdout } = await studioMust(['actions', recording, '--workspace', workspace]);
  // "  1  00:00.60  type  Type '2024.5+3'  Editor": columns are apart by two blanks at least.
  return stdout
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/ {2,}/)[3] ?? '')
    .filter((words) => words !== '');
}

/** What `import --json` says. */
type ImportAnswer = { recording: string; lost: string[]; guessed: string[]; warnings: string[] };

/** Imports it; the words of the error where it is refused. */
export async function importOf(path: string, workspace: string, more: string[] = []): Promise<ImportAnswer | string> {
  const { json, error } = await studio(['import', path, '--workspace', workspace, '--app', 'X', '--json', ...more]);
  return error === null ? (json as ImportAnswer) : `${error.code}: ${error.message}`; // As `import` gives it.
}
