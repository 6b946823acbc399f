import type { Command } from 'commander';
import { createContext } from './context.ts';
import { createProgram, runCli } from './program.ts';

/** Runs a command line in this process: main.ts only hands over the words, and its start takes longer than most commands. */
export async function runHere(
  args: readonly string[],
  version = '0.1.0',
): Promise<{ status: number; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  const status = await runCli(args, version, {
    out: (text) => {
      said.stdout += text;
    },
    err: (text) => {
      said.stderr += text;
    },
  });
  return { status, ...said };
}

/** The program with all its commands, not run; what it writes is dropped. */
export async function programOfAll(): Promise<Command> {
  const silent = { out: () => undefined, err: () => undefined };
  const context = createContext(
    '0',
    silent,
    () => false,
    () => undefined,
  );
  return createProgram([], context, silent);
}
