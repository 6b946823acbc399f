import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';

/** Starting a program so that it tells of its elements: most do so only when they are asked to at their start. */

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

/** GTK 2 and 3, Qt, Firefox and Java; what else stands in GTK_MODULES stays. */
export function speakingEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const modules = (env.GTK_MODULES ?? '').split(':').filter((name) => name !== '');
  const speaking: NodeJS.ProcessEnv = {
    ...env,
    GTK_MODULES: [...new Set([...modules, 'gail', 'atk-bridge'])].join(':'),
    QT_ACCESSIBILITY: '1',
    QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
    ACCESSIBILITY_ENABLED: '1',
    MOZ_ACCESSIBILITY_ATK2: '1',
    GNOME_ACCESSIBILITY: '1',
  };
  // Either of these makes GTK silent.
  delete speaking.NO_AT_BRIDGE;
  delete speaking.GTK_A11Y;
  return speaking;
}

/** Chromium and what is built on it take no variable, but a switch. */
const CHROMIUM = /^(?:chromium|chrome|google-chrome|brave|microsoft-edge|electron|code|vivaldi|opera)/;
export function speakingArgs({ program, args }: LaunchCommand): string[] {
  const wanted = '--force-renderer-accessibility';
  return CHROMIUM.test(basename(program)) && !args.includes(wanted) ? [wanted, ...args] : [...args];
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
