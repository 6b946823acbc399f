import type { Rect } from '../../schemas/events.ts';
import { loadWindowsApi } from './api.ts';
import { virtualScreen } from './displays.ts';
import { becomeDpiAware } from './permissions.ts';
import { windowsOf } from './windows.ts';

/** The titles of the windows that a person sees, and the rectangle around all displays. */
export function openWindowsTitles(): { titles(): string[]; screen(): Rect } {
  const api = loadWindowsApi();
  becomeDpiAware(api);
  const { windows } = windowsOf(api);
  return { titles: () => windows().map(({ title }) => title), screen: () => virtualScreen(api) };
}
