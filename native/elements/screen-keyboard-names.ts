/** A window, as far as it says what it is. `refuses`: it asks its window manager never to get the keyboard (ICCCM, WM_HINTS). */
export type KeyboardLike = {
  title: string;
  app: string;
  refuses: boolean;
  isPanel: boolean;
  width: number;
  height: number;
};

const PROGRAMS =
  /^(?:onboard|xvkbd|florence|matchbox-keyboard.*|kvkbd|svkbd.*|cellwriter|caribou|gok|corekeyboard|maliit.*|squeekboard|wvkbd.*|xkeyboard|qtvkbd|eekboard.*|dasher)$/i;
/** Of a program that has no class. */
const TITLES =
  /^(?:(?:virtual|on-?screen|touch) )?keyboard$|^(?:virtuelle |bildschirm-?)tastatur$|^(?:屏幕|虚拟)键盘$/i;
/** Keys of a keyboard have room in it, px. */
const [LEAST_WIDTH, LEAST_HEIGHT] = [120, 40];

/**
 * Whether keys are pressed in this window that go to another (I6). Known by its name, and by what no such keyboard can do without:
 * it must never get the keyboard itself. Panels and tooltips do not want it either, and say so by their type.
 */
export function isScreenKeyboard({ title, app, refuses, isPanel, width, height }: KeyboardLike): boolean {
  if (width < LEAST_WIDTH || height < LEAST_HEIGHT) return false;
  if (PROGRAMS.test(app) || (app === '' && TITLES.test(title))) return true;
  return refuses && !isPanel;
}
