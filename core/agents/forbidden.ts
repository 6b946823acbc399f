import type { Act } from '../evaluate/keys/acts.ts';
import { canonicalKey } from '../evaluate/keys/names.ts';

/** Acts that are refused on a stage although the answer can be read: such that leave it, or go past its hands. */

/** Tools of other agents: programs, files and the network are reached through the stage's windows alone. */
const SHELL = /(?:bash|shell|terminal|command|execute|exec|python|script|code|process|launch_?app|open_?app)/i;
const FILES = /(?:file|text_editor|str_replace|upload|download)/i;
const NETWORK = /(?:browse|navigate|open_?(?:url|web)|go_?to|url|http|fetch|search|curl|request)/i;

/** Why a call by this name is refused; null: it is not. */
export function forbiddenCall(name: string): string | null {
  const why = SHELL.test(name)
    ? 'no program or command is run here'
    : FILES.test(name)
      ? 'files are reached through windows alone'
      : NETWORK.test(name)
        ? 'there is no network, and addresses are typed into windows'
        : null;
  return why === null ? null : `“${name.slice(0, 60)}” is not allowed: ${why}. Use the mouse and the keyboard`;
}

const FUNCTION_KEY = /^f(?:[1-9]|1[0-9]|2[0-4])$/;

/** Keys that the system takes and no window: another console, the end of the display, the kernel's own. */
function leaves(held: ReadonlySet<string>): string | null {
  const has = (key: string): boolean => held.has(key);
  if (has('ctrl') && (has('alt') || has('altright'))) {
    const key = [...held].find((one) => FUNCTION_KEY.test(one) || one === 'delete' || one === 'backspace');
    if (key !== undefined) return `ctrl+alt+${key}`;
  }
  return (has('alt') || has('altright')) && has('printscreen') ? 'alt+printscreen' : null;
}

/** `held`: keys that are down before the acts, and then after them. */
export function forbiddenKeys(acts: readonly Act[], before: readonly string[]): { why: string | null; held: string[] } {
  const held = new Set(before);
  for (const act of acts) {
    if (act.do !== 'key') continue;
    const key = canonicalKey(act.key);
    if (!act.down) {
      held.delete(key);
      continue;
    }
    held.add(key);
    const keys = leaves(held);
    if (keys !== null) return { why: `the keys ${keys} leave the stage and are not allowed`, held: [...before] };
  }
  return { why: null, held: [...held] };
}
