import type { Argument, GuiCall } from './calls.ts';

/** Arguments that AgentNet writes without their name. */
const POSITIONAL: Readonly<Record<string, string>> = { scroll: 'clicks', hscroll: 'clicks', hotkey: 'keys' };
/** Arguments that are floats to Python even when they are whole: an integer there would read as pixels. */
const FLOATS = new Set(['x', 'y', 'duration']);

type CodeStyle = {
  /** AgentNetBench writes `hotkey(keys=[…])`; PyAutoGUI itself, and AgentNet, `hotkey([…])`. */
  namedKeys?: boolean;
  /** Places are whole pixels, and `hotkey` takes its keys one by one, as every version of PyAutoGUI does. */
  pixels?: boolean;
};

/** Calls as Python, one a line: `pyautogui.click(x=0.5, y=0.3)`. */
export function pythonOf(calls: readonly GuiCall[], style: CodeStyle = {}): string {
  return calls
    .map(({ module, name, args }) => {
      const list = Object.entries(args).map(([argument, value]) => {
        const positional = POSITIONAL[name] === argument && !(argument === 'keys' && style.namedKeys);
        const literal = pythonLiteral(value, FLOATS.has(argument) && !style.pixels);
        if (style.pixels && name === 'hotkey' && typeof value === 'object') return value.map(pythonString).join(', ');
        return positional ? literal : `${argument}=${literal}`;
      });
      return `${module}.${name}(${list.join(', ')})`;
    })
    .join('\n');
}

function pythonLiteral(value: Argument, isFloat: boolean): string {
  if (typeof value === 'string') return pythonString(value);
  if (typeof value === 'number') return isFloat && Number.isInteger(value) ? `${value}.0` : `${value}`;
  return `[${value.map(pythonString).join(', ')}]`;
}

/** A text as Python's `repr` writes it: single quotes, double ones when that saves escapes. */
export function pythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let body = '';
  for (const char of text) body += escaped(char, quote);
  return quote + body + quote;
}

const SHORT: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(char: string, quote: string): string {
  if (char === quote) return `\\${quote}`;
  const short = SHORT[char];
  if (short) return short;
  const code = char.codePointAt(0)!;
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return `\\x${code.toString(16).padStart(2, '0')}`;
  // Line breaks of Unicode would end the line in some readers; half a surrogate pair is no text in UTF-8.
  if (code === 0x2028 || code === 0x2029 || (code >= 0xd800 && code < 0xe000)) {
    return `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return char;
}
