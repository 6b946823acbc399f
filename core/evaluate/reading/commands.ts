import type { ToolCall } from './tool-calls.ts';

/** Commands of xdotool and adb as calls (M34). They are read and never run; their numbers are pixels. */

const LONGEST = 20_000;
const MOST_WORDS = 2000;

/** Null where the text holds no such command. */
export function commandCalls(text: string): ToolCall[] | null {
  if (text.length > LONGEST || !/\bxdotool\b|\binput\s{1,9}(?:tap|swipe|text|keyevent|draganddrop)\b/.test(text))
    return null;
  const calls: ToolCall[] = [];
  const lines = text.split(/[\n;]|&&/);
  for (const line of lines) {
    const words = wordsOf(line);
    const tool = words.indexOf('xdotool');
    const input = words.findIndex(
      (word, at) => word === 'input' && /^(?:tap|swipe|text|keyevent|draganddrop)$/.test(words[at + 1] ?? ''),
    );
    if (tool >= 0) xdotool(words.slice(tool + 1), calls);
    else if (input >= 0) adb(words.slice(input + 1), calls);
    else {
      const [, seconds] = /^\s{0,9}sleep\s{1,9}(\d{1,4}(?:\.\d{1,3})?)/.exec(line) ?? [];
      if (seconds !== undefined && calls.length > 0) put(calls, 'wait', { duration: Number(seconds) }, calls[0]!.form);
    }
  }
  return calls.length > 0 ? calls : null;
}

/** Splits words as a shell does. */
function wordsOf(line: string): string[] {
  const found = line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"'`$]+)/g);
  return [...found]
    .slice(0, MOST_WORDS)
    .map(([, double, single, plain]) => double?.replace(/\\(.)/g, '$1') ?? single ?? plain ?? '');
}

const put = (calls: ToolCall[], name: string, args: Record<string, unknown>, form: string): void => {
  calls.push({ name, args, form, scale: 'pixels' });
};

const BUTTONS: Readonly<Record<string, string>> = { 1: 'left', 2: 'middle', 3: 'right' };
const WHEEL: Readonly<Record<string, string>> = { 4: 'up', 5: 'down', 6: 'left', 7: 'right' };

function xdotool(words: readonly string[], calls: ToolCall[]): void {
  const say = (name: string, args: Record<string, unknown>): void => put(calls, name, args, 'xdotool');
  for (let at = 0; at < words.length; ) {
    const command = words[at++]!;
    const options: Record<string, string> = {};
    while (/^--?[a-z]/i.test(words[at] ?? '')) {
      const option = words[at++]!.replace(/^--?/, '');
      // Those that take no value.
      if (!/^(?:sync|clearmodifiers|polar|onlyvisible)$/.test(option)) options[option] = words[at++] ?? '';
    }
    const isCommand = (word: string | undefined): boolean => word !== undefined && COMMANDS.has(word);
    switch (command) {
      case 'mousemove':
        say('mouse_move', { x: Number(words[at++]), y: Number(words[at++]) });
        break;
      case 'click': {
        const button = words[at++] ?? '1';
        const times = Math.min(10, Number(options.repeat ?? 1) || 1);
        if (Object.hasOwn(WHEEL, button))
          say('scroll', { direction: WHEEL[button], amount: Number(options.repeat ?? 1) || 1 });
        else say('click', { button: BUTTONS[button] ?? button, clicks: times });
        break;
      }
      case 'mousedown':
      case 'mouseup':
        say(command === 'mousedown' ? 'mouse_down' : 'mouse_up', { button: BUTTONS[words[at++] ?? '1'] ?? 'left' });
        break;
      case 'key':
        while (at < words.length && !isCommand(words[at])) say('key', { text: words[at++] });
        break;
      case 'keydown':
      case 'keyup':
        say(command === 'keydown' ? 'key_down' : 'key_up', { key: words[at++] });
        break;
      case 'type':
        say('type', { text: words.slice(at).join(' ') });
        return;
      case 'sleep':
        say('wait', { duration: Number(words[at++]) });
        break;
      default:
        say(`xdotool ${command}`, {});
        return;
    }
  }
}
const COMMANDS = new Set('mousemove click mousedown mouseup key keydown keyup type sleep'.split(' '));

/** Android's key codes that a keyboard has, too. */
const KEYCODES: Readonly<Record<string, string>> = {
  66: 'enter',
  ENTER: 'enter',
  67: 'backspace',
  DEL: 'backspace',
  61: 'tab',
  TAB: 'tab',
  62: 'space',
  SPACE: 'space',
  111: 'escape',
  ESCAPE: 'escape',
  19: 'up',
  DPAD_UP: 'up',
  20: 'down',
  DPAD_DOWN: 'down',
  21: 'left',
  DPAD_LEFT: 'left',
  22: 'right',
  DPAD_RIGHT: 'right',
};

function adb([command, ...words]: readonly string[], calls: ToolCall[]): void {
  const [a, b, c, d] = words.map(Number);
  switch (command) {
    case 'tap':
      put(calls, 'tap', { x: a, y: b }, 'adb');
      return;
    case 'swipe':
    case 'draganddrop':
      put(calls, 'drag', { x1: a, y1: b, x2: c, y2: d }, 'adb');
      return;
    case 'text':
      put(calls, 'type', { text: words.join(' ').replaceAll('%s', ' ') }, 'adb');
      return;
    default: {
      for (const word of words.slice(0, 100)) {
        const code = word.replace(/^KEYCODE_/, '');
        const letter = /^[A-Z0-9]$/.test(code) && word.startsWith('KEYCODE_') ? code.toLowerCase() : null;
        const key = letter ?? (Object.hasOwn(KEYCODES, code) ? KEYCODES[code] : null);
        put(calls, key === null ? `keyevent ${word}` : 'key', { text: key }, 'adb');
      }
    }
  }
}
