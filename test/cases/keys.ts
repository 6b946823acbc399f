import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRecorder } from '../support/cli.ts';
import { startDisplay } from '../support/display.ts';
import { must } from '../support/process.ts';
import { until } from '../support/until.ts';
import { actionsOf, type Condition } from './condition.ts';

/** What xdotool is told, one call after another: keys by their codes, as a hand presses them. */
type Calls = readonly (readonly string[])[];

type Typed = {
  /** Programs that set the keyboard up, run on the display. */
  setUp: Calls;
  hand: Calls;
};

/** Types into a terminal while it is recorded. Gives what the terminal got, then the actions. */
async function typed(folder: string, { setUp, hand }: Typed): Promise<string[]> {
  const display = await startDisplay({ width: 1280, height: 800 });
  try {
    const { env } = display;
    for (const [program = '', ...args] of setUp) await must(program, args, { env });
    const got = join(folder, 'typed');
    const shell = `stty -echoctl; cat > ${got}`;
    await display.launch('xterm', ['-u8', '-geometry', '100x20+100+100', '-e', 'sh', '-c', shell], {
      LC_ALL: 'C.UTF-8',
    });
    await until('the terminal', () => existsSync(got));
    await must('xdotool', ['mousemove', '300', '200'], { env });
    const workspace = join(folder, 'w');
    const args = ['--app', 'Xterm', '--goal', 'Type', '--no-elements'];
    const recorder = await startRecorder(display, { workspace, args });
    for (const call of hand) await must('xdotool', [...call], { env });
    await until('what was typed', () => readFileSync(got, 'utf8').endsWith('\n'));
    const { line } = await recorder.stop();
    return [JSON.stringify(readFileSync(got, 'utf8')), ...(await actionsOf(line.recording, workspace))];
  } finally {
    await display.stop();
  }
}

const tap = (...codes: number[]): string[][] => codes.map((code) => ['key', String(code), 'sleep', '0.1']);
const held = (code: number, ...codes: number[]): string[][] => [
  ['keydown', String(code), 'sleep', '0.1'],
  ...tap(...codes),
  ['keyup', String(code), 'sleep', '0.1'],
];

/** Key codes of X on a PC keyboard. */
const [A, S, D, F, SHIFT, CAPS, LSGT, ENTER] = [38, 39, 40, 41, 50, 66, 94, 36];

const capsAsCtrl: Condition = {
  name: '01 Caps Lock as Ctrl',
  source: 'espanso/espanso#1628, autokey/autokey#95',
  right: ['"adf\\n"', "Type 'a'", 'Press Ctrl+S', "Type 'df'", 'Press Enter'],
  run: (folder) =>
    typed(folder, {
      setUp: [['setxkbmap', '-layout', 'us', '-option', 'ctrl:nocaps']],
      hand: [...tap(A), ...held(CAPS, S), ...tap(D, F, ENTER)],
    }),
};

const stickyKeys: Condition = {
  name: '02 Sticky Keys',
  source: 'neo-layout/neo-layout#20, critiqjo/key-mon#105',
  right: ['"aAsDFd\\n"', "Type 'aAsDFd'", 'Press Enter'],
  run: (folder) =>
    typed(folder, {
      setUp: [
        ['setxkbmap', '-layout', 'us'],
        ['xkbset', 'a', 'sticky'],
        ['xkbset', 'sticky', '-twokey', 'latchlock'],
      ],
      hand: tap(A, SHIFT, A, S, SHIFT, SHIFT, D, F, SHIFT, D, ENTER),
    }),
};

const neo: Condition = {
  name: '03 levels of Neo 2',
  source: 'PowerShell/PSReadLine#914, MaxGyver83/neo2-llkh#31',
  right: ['"u{(i\\u001b[D5\\n"', "Type 'u{(i'", 'Press Left', "Type '5'", 'Press Enter'],
  run: (folder) =>
    typed(folder, {
      setUp: [['setxkbmap', '-layout', 'de', '-variant', 'neo']],
      hand: [...tap(A), ...held(CAPS, D, 44), ...tap(S), ...held(LSGT, S, 45), ...tap(ENTER)],
    }),
};

const remapped: Condition = {
  name: '04 characters through a remapped key',
  source: 'jordansissel/xdotool#97, #10',
  right: ["Type 'Größe Ωñ日☃ ok'", 'Press Enter'],
  // On a busy machine xterm looks after the key has lost its character again, so what it got is not compared.
  run: async (folder) => {
    const [, ...actions] = await typed(folder, {
      setUp: [['setxkbmap', '-layout', 'us']],
      hand: [['type', '--delay', '60', 'Größe Ωñ日☃ ok'], ['sleep', '0.2'], ...tap(ENTER)],
    });
    return actions;
  },
};

export const KEYS: readonly Condition[] = [capsAsCtrl, stickyKeys, neo, remapped];
