import { spawn } from 'node:child_process';
import { speakingArgs, speakingEnv } from '../../../native/elements/speaking.ts';
import { StudioError } from '../../../schemas/errors.ts';

/** Starting a program for `record --launch`, so that it reports its elements. */

export type LaunchCommand = { program: string; args: string[] };

/** Longer than a program takes that ends at once because it cannot start, ms. */
const SETTLE_MS = 300;

/** A command line's words: between spaces, or in quotes. Throws USAGE. */
export function launchCommandOf(text: string): LaunchCommand {
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const [program, ...args] = words;
  if (!program) throw new StudioError('USAGE', '--launch names no program.', { option: '--launch' });
  return { program, args };
}

/** Starts it; it goes on when the recording ends. Throws USAGE when there is no such program. */
export async function launchSpeaking(command: LaunchCommand, env: NodeJS.ProcessEnv): Promise<{ pid: number }> {
  const child = spawn(command.program, speakingArgs(command), {
    env: speakingEnv(env),
    detached: true,
    stdio: 'ignore',
  });
  const failed = Promise.withResolvers<never>();
  child.once('error', (error) =>
    failed.reject(
      new StudioError('USAGE', `${command.program} cannot be started: ${error.message}.`, { option: '--launch' }),
    ),
  );
  await Promise.race([failed.promise, new Promise((done) => setTimeout(done, SETTLE_MS))]);
  child.unref();
  return { pid: child.pid ?? 0 };
}
