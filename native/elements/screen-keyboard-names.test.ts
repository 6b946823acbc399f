import { expect, test } from 'vitest';
import { isScreenKeyboard } from './screen-keyboard-names.ts';

const WINDOW = { title: '', app: '', refuses: false, isPanel: false, width: 600, height: 200 };

test('the keyboards of Debian are known by their names, docked or not', () => {
  for (const app of [
    'Onboard',
    'XVkbd',
    'Florence',
    'matchbox-keyboard',
    'kvkbd',
    'svkbd-mobile-intl',
    'Maliit',
    'squeekboard',
  ])
    expect(isScreenKeyboard({ ...WINDOW, app, isPanel: true })).toBe(true);
  for (const title of ['Keyboard', 'Virtual Keyboard', 'On-Screen Keyboard', 'Bildschirmtastatur', '屏幕键盘'])
    expect(isScreenKeyboard({ ...WINDOW, title })).toBe(true);
});

test('another is known by refusing the keyboard, which panels do as well', () => {
  expect(isScreenKeyboard({ ...WINDOW, app: 'homemade', refuses: true })).toBe(true);
  expect(isScreenKeyboard({ ...WINDOW, app: 'xfce4-panel', refuses: true, isPanel: true })).toBe(false);
  expect(isScreenKeyboard({ ...WINDOW, app: 'xeyes', refuses: true, width: 60 })).toBe(false);
});

test('programs whose titles speak of keyboards are none', () => {
  for (const [app, title] of [
    ['gedit', 'Keyboard'],
    ['firefox', 'Virtual keyboard - Mozilla Firefox'],
    ['gnome-control-center', 'Keyboard'],
    ['', 'Keyboard shortcuts'],
  ] as const)
    expect(isScreenKeyboard({ ...WINDOW, app, title })).toBe(false);
});
