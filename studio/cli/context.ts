import type { Command } from 'commander';

/** Given to every command: where to write, and how the user wants it. */
export type CliContext = {
  /** The program's own version. */
  version: string;
  /** True when --json was given: stdout then carries one line of JSON and nothing else. */
  json(): boolean;
  /** The command's result, once: `value` as one line of JSON with --json, else `text` (a line end is added). */
  result(value: unknown, text: string): void;
  /** News of work that goes on, to stderr. */
  progress(text: string): void;
  /** The exit status when the command ends without an error but its answer is no (doctor, validate). */
  setStatus(status: number): void;
};

export type Streams = { out(text: string): void; err(text: string): void };

/** A context that writes to `streams`; `json` is asked late, since options are known only after parsing. */
export function createContext(
  version: string,
  streams: Streams,
  json: () => boolean,
  setStatus: (status: number) => void,
): CliContext {
  return {
    version,
    json,
    result: (value, text) => streams.out(json() ? `${JSON.stringify(value)}\n` : `${text}\n`),
    progress: (text) => streams.err(`${text}\n`),
    setStatus,
  };
}

/** Adds examples to a command's --help: each a command line without `npm run studio --`, and what it does. */
export function examples(command: Command, list: readonly (readonly [line: string, what: string])[]): Command {
  const lines = list.map(([line, what]) => `  # ${what}\n  npm run studio -- ${line}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}
