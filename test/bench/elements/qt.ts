import { PLACE, row, type Script } from './kinds.ts';

/** Programs made with Qt 5 (featherpad) and Qt 6 (its settings), at this size with the fonts of Debian 12. */

export const QT: Record<string, Script> = {
  featherpad: {
    program: 'featherpad',
    args: () => ['--standalone'],
    window: ['--class', 'featherpad'],
    place: PLACE,
    targets: async () => [
      ...row(0, 19, [
        ['File', 0, 40],
        ['Edit', 36, 77],
        ['Options', 77, 138],
        ['Search', 134, 194],
        ['Help', 190, 236],
      ]),
      ...row(23, 32, [
        ['New', 4, 36],
        ['Open', 37, 69],
        ['Reload', 175, 207],
        ['Find', 215, 247],
        ['Replace', 249, 281],
      ]),
    ],
  },
  qt6ct: {
    program: 'qt6ct',
    args: () => [],
    window: ['--name', 'Qt6 Configuration Tool'],
    place: PLACE,
    targets: async () => [
      ...row(90, 22, [
        ['Style', 58, 141],
        ['Standard dialogs', 306, 379],
      ]),
      ...row(147, 18, [
        ['Custom', 104, 170],
        ['Default', 29, 92],
      ]),
      ...row(376, 22, [['PushButton', 63, 188]]),
      ...row(314, 22, [['Tab 2', 109, 164]]),
      ...row(57, 22, [
        ['Fonts', 102, 159],
        ['Icon Theme', 159, 254],
        ['Interface', 254, 332],
        ['Style Sheets', 332, 431],
        ['Troubleshooting', 431, 551],
        ['Appearance', 6, 102],
      ]),
      ...row(651, 24, [['Apply', 1013, 1094]]),
      ...row(16, 22, [['Hide', 1004, 1084]]),
    ],
  },
};
