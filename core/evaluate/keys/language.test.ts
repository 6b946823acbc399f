import { describe, expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../../../schemas/evaluate.ts';
import { traceProgram } from './run.ts';
import { codeInAnswer, readKeys, scoreKeys } from './score.ts';

const keysOf = (code: string) => {
  const read = readKeys(code, DEFAULT_OPTIONS);
  return read.kind === 'keys' ? read.keys : read;
};

describe('programs that do something else (M10)', () => {
  const HOSTILE: [what: string, code: string][] = [
    ['runs a command', "import os\nos.system('rm -rf ~')\nimport pyautogui\npyautogui.write('ok')"],
    ['reads a file', "import pyautogui\npyautogui.write(open('/etc/passwd').read())"],
    ['talks to the network', "import urllib.request\nurllib.request.urlopen('http://example.org')"],
    ['evaluates text', 'eval(\'__import__("os").getcwd()\')'],
    ['imports by name', "__import__('subprocess').run(['ls'])"],
    ['climbs to the base class', '().__class__.__bases__[0].__subclasses__()'],
    ['reaches through the library', "import pyautogui\npyautogui.sys.modules['os'].system('id')"],
    ['never ends', "import pyautogui\nwhile True:\n    pyautogui.press('a')"],
    ['presses a key a thousand million times', "import pyautogui\npyautogui.press('a', presses=1000000000)"],
    ['fills the memory', "import pyautogui\npyautogui.write('a' * 10000000000)"],
    ['nests without end', `${'('.repeat(5000)}1${')'.repeat(5000)}`],
    ['replaces the library', "import pyautogui\npyautogui.press = print\npyautogui.press('a')"],
    ['hides in a branch', "import pyautogui\npyautogui.press('a')\nif 1:\n    import os"],
    ['takes a picture of the screen', "import pyautogui\npyautogui.screenshot('/tmp/x.png')"],
    ['loops in loops', 'import pyautogui\nfor i in range(90000):\n  for j in range(90000):\n    pass'],
  ];

  test.each(HOSTILE)('what %s is refused and scores 0', (_, code) => {
    const read = readKeys(code, DEFAULT_OPTIONS);
    expect(read.kind).toBe('refused');
    expect(read).toHaveProperty('why', expect.stringMatching(/^line \d+: /));
  });

  test('a refused import is refused although it stands behind a raise', () => {
    expect(readKeys("raise X\nimport os\nos.remove('a')", DEFAULT_OPTIONS).kind).toBe('refused');
  });

  test('what is no Python is unreadable, with its line', () => {
    expect(readKeys('I would press Ctrl+F.', DEFAULT_OPTIONS)).toMatchObject({ kind: 'unreadable' });
    expect(readKeys("pyautogui.write('it", DEFAULT_OPTIONS)).toMatchObject({ why: 'line 1: a string has no end' });
    expect(readKeys('', DEFAULT_OPTIONS)).toMatchObject({ kind: 'unreadable' });
  });
});

describe('the small language of calls (M10, M11)', () => {
  const PROGRAMS: [what: string, code: string, keys: string[]][] = [
    ['imports under another name', "import pyautogui as pg\npg.hotkey('ctrl', 's')", ['ctrl', 's']],
    [
      'imported functions',
      "from pyautogui import press, hotkey as hk\nhk('alt', 'tab')\npress('esc')",
      ['alt', 'tab', 'escape'],
    ],
    ['everything imported', "from pyautogui import *\nwrite('ab', interval=0.1)", ['a', 'b']],
    ['no import at all', "pyautogui.press('Return')", ['enter']],
    ['a loop over numbers', "import pyautogui\nfor i in range(3):\n    pyautogui.press('tab')", ['tab', 'tab', 'tab']],
    ['a loop over names', "import pyautogui\nfor k in ['a', 'b']: pyautogui.press(k)", ['a', 'b']],
    ['a loop over letters', "for c in 'xy':\n  pyautogui.press(c)", ['x', 'y']],
    ['variables and spread lists', "keys = ['ctrl', 'c']\npyautogui.hotkey(*keys)", ['ctrl', 'c']],
    ['joined and repeated text', "t = 'a' + 'b' * 2\npyautogui.write(t)", ['a', 'b', 'b']],
    ['strings side by side', `pyautogui.write("a" 'b')`, ['a', 'b']],
    ['named arguments', "pyautogui.press(keys='x', presses=2)", ['x', 'x']],
    ['waiting and settings', "import time\npyautogui.PAUSE = 0.5\ntime.sleep(1)\npyautogui.press('a')", ['a']],
    ['calls of the mouse', "pyautogui.click(10, 20)\npyautogui.write('a')", ['a']],
    ['printing', "print('typing')\npyautogui.write('a')", ['a']],
    ['a list of keys to write', "pyautogui.write(['a', 'left', 'Enter'])", ['a', 'left', 'enter']],
    ['held keys', "with pyautogui.hold(['ctrl', 'shift']):\n    pyautogui.press('t')", ['ctrl', 'shift', 't']],
    ['escapes', String.raw`pyautogui.write('it\'s\t\u0041\n')`, ['i', 't', "'", 's', 'tab', 'A', 'enter']],
    ['raw strings', String.raw`pyautogui.write(r'\n')`, ['\\', 'n']],
    ['three quotes over lines', `pyautogui.write("""a\nb""")`, ['a', 'enter', 'b']],
    ['comments and several calls a line', "pyautogui.press('a'); pyautogui.press('b')  # both", ['a', 'b']],
    ['calls over lines', "pyautogui.hotkey(\n  'ctrl',\n  'f',\n)", ['ctrl', 'f']],
    ['an unknown key, which does nothing', "pyautogui.hotkey('ctrl+f')\npyautogui.press('a')", ['a']],
    ['a module docstring', "'''Types a.'''\npyautogui.press('a')", ['a']],
    ['an indented block', "    import pyautogui\n    pyautogui.press('a')", ['a']],
    ['formatted strings without values', "pyautogui.write(f'a{{')", ['a', '{']],
  ];

  test.each(PROGRAMS)('%s', (_, code, keys) => {
    expect(keysOf(code)).toEqual(keys);
  });

  test('what Python would stop at keeps the keys before it', () => {
    expect(readKeys("pyautogui.press('a')\npyautogui.press('b', presses='two')", DEFAULT_OPTIONS)).toEqual({
      kind: 'keys',
      keys: ['a'],
      ignored: [],
      error: 'TypeError',
    });
  });

  test('characters without a key are ignored as the library does, or typed when the option says so', () => {
    const code = "pyautogui.write('aé')";
    expect(readKeys(code, DEFAULT_OPTIONS)).toMatchObject({ keys: ['a'], ignored: ['é'] });
    expect(readKeys(code, { ...DEFAULT_OPTIONS, otherCharacters: 'typed' })).toMatchObject({
      keys: ['a', 'é'],
      ignored: [],
    });
  });

  test('calls of the mouse are refused when the option says so', () => {
    const options = { ...DEFAULT_OPTIONS, mouseCalls: 'refused' as const };
    expect(readKeys('pyautogui.click(1, 2)', options).kind).toBe('refused');
    expect(readKeys('from pyautogui import click\nclick(1, 2)', options).kind).toBe('refused');
  });

  test('the buttons that the library names are constants, also when they are imported', () => {
    for (const code of [
      'pyautogui.click(1, 2, button=pyautogui.RIGHT)',
      'from pyautogui import *\nclick(1, 2, button=RIGHT)',
      'from pyautogui import click, SECONDARY as right\nclick(1, 2, button=right)',
    ]) {
      const { acts } = traceProgram(code, { mouseCalls: 'ignored', screen: null });
      expect(acts).toEqual([{ do: 'click', at: [1, 2], count: 1, button: 'right' }]);
    }
  });

  test('the code block of an answer is found, whatever stands around it', () => {
    expect(codeInAnswer("Sure!\n```python\npyautogui.press('a')\n```\nDone.")).toBe("pyautogui.press('a')\n");
    expect(codeInAnswer("```\npyautogui.press('a')")).toBe("pyautogui.press('a')");
    expect(codeInAnswer("'''python\npyautogui.press('a')\n'''")).toBe("pyautogui.press('a')\n");
    expect(codeInAnswer("`pyautogui.press('a')`")).toBe("pyautogui.press('a')");
    expect(codeInAnswer("pyautogui.press('a')")).toBe("pyautogui.press('a')");
  });

  test('a list of keys is taken as it stands', () => {
    expect(keysOf(['Control', 'C'] as unknown as string)).toEqual(['ctrl', 'C']);
  });
});

describe('readings of recall and precision (M12)', () => {
  test('keys beside the truth cost precision and no recall', () => {
    const pressed = ['ctrl', 'ctrl', 'f'];
    expect(scoreKeys(['ctrl', 'f'], pressed, 'contained')).toEqual({ recall: 1, precision: 2 / 3 });
    expect(scoreKeys(['ctrl', 'f'], pressed, 'multiset')).toEqual({ recall: 1, precision: 2 / 3 });
  });

  test('keys between those of the truth break it, but not the common subsequence', () => {
    const pressed = ['H', 'x', 'i'];
    expect(scoreKeys(['H', 'i'], pressed, 'contained')).toEqual({ recall: 0, precision: 0 });
    expect(scoreKeys(['H', 'i'], pressed, 'orderedLcs')).toEqual({ recall: 1, precision: 2 / 3 });
  });

  test('nothing pressed has recall 0 in every reading, and a precision of 0 where it is no share', () => {
    expect(scoreKeys(['a'], [], 'contained')).toEqual({ recall: 0, precision: 0 });
    for (const reading of ['multiset', 'orderedLcs'] as const)
      expect(scoreKeys(['a'], [], reading)).toEqual({ recall: 0, precision: null });
  });
});
