import { type DisplayCalls, displayCalls } from './api-displays.ts';
import { type FocusCalls, focusCalls } from './api-focus.ts';
import { inputCalls, type WindowsInputCalls } from './api-input.ts';
import { type PatchCalls, patchCalls } from './api-patch.ts';
import { type ProcessCalls, processCalls } from './api-processes.ts';
import { type UiaCalls, uiaCalls } from './api-uia.ts';
import { type WindowCalls, windowCalls } from './api-windows.ts';

/**
 * The Windows calls of this adapter, one function each with its documented arguments, so that tests can put a table of
 * their own in its place. `loadWindowsApi` is the only code here that needs Windows; test/windows runs it under Wine.
 */
export type WindowsApi = DisplayCalls &
  WindowCalls &
  ProcessCalls &
  WindowsInputCalls &
  PatchCalls &
  FocusCalls &
  UiaCalls;

let loaded: WindowsApi | null = null;

/** Loaded once a thread: koffi refuses a second declaration of a function whose arguments are types of its own. */
export function loadWindowsApi(): WindowsApi {
  loaded ??= {
    ...displayCalls(),
    ...windowCalls(),
    ...processCalls(),
    ...inputCalls(),
    ...patchCalls(),
    ...focusCalls(),
    ...uiaCalls(),
  };
  return loaded;
}
