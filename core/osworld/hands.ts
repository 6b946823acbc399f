/** The small programs of PyAutoGUI by which OSWorld presses keys: what they press, without running them. */

/** An act of such a program: the keys that are pressed together, or something that changes nothing (a click, a wheel, a wait). */
export type HandAct = { is: 'keys'; keys: string[] } | { is: 'text'; text: string } | { is: 'pointer'; act: string };

const KEYS =
  /^pyautogui\.(?:hotkey|press)\(\[?((?:'[\w ]{1,20}'|"[\w ]{1,20}")(?:, ?(?:'[\w ]{1,20}'|"[\w ]{1,20}"))*)\]?/;
const TEXT = /^pyautogui\.write\((?:'([^'"\\]{1,200})'|"([^'"\\]{1,200})")\)$/;

/** The acts of `python -c …` in their order; null for a program that does anything else. */
export function handActs(command: unknown): HandAct[] | null {
  if (!Array.isArray(command)) return null;
  const [python, option, code, ...more] = command;
  if (!/^python3?$/.test(String(python)) || option !== '-c' || typeof code !== 'string' || more.length > 0) return null;
  const acts: HandAct[] = [];
  for (const line of code.split(';').map((one) => one.trim())) {
    if (line === '' || /^(?:import pyautogui|import time|time\.sleep\([\d.]{1,9}\))$/.test(line)) continue;
    const [, keys] = KEYS.exec(line) ?? [];
    const [, single, double] = TEXT.exec(line) ?? [];
    const [, act] = /^pyautogui\.(click|scroll)\(-?\d{1,5}(?:, ?\d{1,5})?\)$/.exec(line) ?? [];
    if (keys !== undefined) acts.push({ is: 'keys', keys: keys.split(',').map((one) => one.replaceAll(/['" ]/g, '')) });
    else if ((single ?? double) !== undefined) acts.push({ is: 'text', text: single ?? double ?? '' });
    else if (act !== undefined) acts.push({ is: 'pointer', act });
    else return null;
  }
  return acts;
}

export const isKeys = (act: HandAct | undefined, ...keys: string[]): boolean =>
  act?.is === 'keys' && act.keys.join('+').toLowerCase() === keys.join('+');
