import { basename } from 'node:path';

/** Starting a program so that it reports its elements: most do so only when they are asked to at their start. */

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
export function speakingArgs({ program, args }: { program: string; args: readonly string[] }): string[] {
  const wanted = '--force-renderer-accessibility';
  return CHROMIUM.test(basename(program)) && !args.includes(wanted) ? [wanted, ...args] : [...args];
}
