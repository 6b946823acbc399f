import { execFileSync } from 'node:child_process';
import type { InputSettings } from '../../schemas/events.ts';

/** `defaults read -g KEY`: the user's global setting as text; null when it was never set. */
type ReadDefault = (key: string) => string | null;

const readDefault: ReadDefault = (key) => {
  try {
    return execFileSync('defaults', ['read', '-g', key], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5000,
    }).trim();
  } catch {
    return null;
  }
};

/** Double-click time (the setting has seconds) and natural scrolling, which is on unless it was switched off. */
export function macInputSettings(read: ReadDefault = readDefault): InputSettings {
  const seconds = Number(read('com.apple.mouse.doubleClickThreshold') ?? Number.NaN);
  const natural = read('com.apple.swipescrolldirection');
  return {
    ...(seconds > 0 ? { doubleClickMs: Math.round(seconds * 1000) } : {}),
    naturalScroll: natural === null ? true : natural === '1' || natural === 'true',
  };
}
