import { describe, expect, test } from 'vitest';
import { EMOJI, FRENCH, GERMAN, GERMAN_WINDOWS, RUSSIAN } from './layouts-for-tests.ts';
import { CONTEXT, type Stream, stream } from './stream-for-tests.ts';

/** The text of the only action, which must be typing. */
function textOf(work: Stream): string | null | undefined {
  const actions = work.actions();
  expect(actions.map((action) => action.kind)).toEqual(['type']);
  return actions[0]?.text;
}

describe('A8: where a run of typing ends', () => {
  test.each(['Enter', 'Tab', 'Escape', 'ArrowLeft', 'Delete', 'F2'])(
    'A8: %s ends it and is a press of its own',
    (code) => {
      expect(stream().type('ab').keys(code).type('c').actions()).toMatchObject([
        { kind: 'type', text: 'ab' },
        { kind: 'press', keys: [code] },
        { kind: 'type', text: 'c' },
      ]);
    },
  );

  test('A8: a shortcut, a click or a scroll ends it', () => {
    const kinds = (work: Stream) =>
      work
        .type('b')
        .actions()
        .map((action) => action.kind);
    expect(kinds(stream().type('a').chord('ControlLeft', 'KeyS'))).toEqual(['type', 'press', 'type']);
    expect(kinds(stream().type('a').click(1, 1))).toEqual(['type', 'click', 'type']);
    expect(kinds(stream().type('a').wheel(1))).toEqual(['type', 'scroll', 'type']);
  });

  test('A8: a gap of 3 s does not end it, a longer one does, and the option moves it', () => {
    const gap = (ms: number) =>
      stream()
        .type('a')
        .wait(ms - 10)
        .type('b');
    expect(gap(3000).actions()).toHaveLength(1);
    expect(gap(3001).actions()).toHaveLength(2);
    expect(gap(1500).actions({ typeGapMs: 1000 })).toHaveLength(2);
  });

  test('A8: pointer travel does not end it, and is kept with it', () => {
    expect(stream().type('a').move(9, 9).type('b').actions()).toMatchObject([{ text: 'ab', travel: [[2, 2]] }]);
  });

  test('A8: fast hands overlap keys', () => {
    const work = stream().keyDown('KeyH').wait(20).keyDown('KeyI').wait(20).keyUp('KeyH').keyUp('KeyI');
    expect(work.actions()).toMatchObject([{ text: 'hi', keystrokes: ['h', 'i'], events: [[0, 3]], incomplete: false }]);
  });
});

describe('A8: text is what stands at the end', () => {
  test('A8: Backspace inside the run takes back, keystrokes keep what was done', () => {
    expect(stream().type('helo').keys('Backspace').type('lo').actions()).toMatchObject([
      { text: 'hello', keystrokes: ['h', 'e', 'l', 'o', '<Backspace>', 'l', 'o'] },
    ]);
  });

  test('A8: Backspace beyond the run’s text is a press', () => {
    expect(stream().type('a').keys('Backspace', 'Backspace').type('b').actions()).toMatchObject([
      { kind: 'type', text: '', keystrokes: ['a', '<Backspace>'] },
      { kind: 'press', keys: ['Backspace'], count: 1 },
      { kind: 'type', text: 'b' },
    ]);
  });

  test('A8: Backspace takes an emoji back whole', () => {
    const work = stream().layout(EMOJI).keys('KeyA', 'KeyJ', 'KeyJ', 'Backspace');
    expect(textOf(work)).toBe('a😀');
  });

  test('A8: a held letter repeats', () => {
    const work = stream()
      .keyDown('KeyA')
      .wait(500)
      .keyDown('KeyA')
      .wait(30)
      .keyDown('KeyA', { repeat: true })
      .keyUp('KeyA');
    expect(textOf(work)).toBe('aaa');
  });

  test('A8: Shift held while a letter repeats on, then released, changes the letter', () => {
    const work = stream().keyDown('ShiftLeft').keyDown('KeyA').wait(500).keyDown('KeyA', { repeat: true });
    expect(textOf(work.keyUp('ShiftLeft').keyDown('KeyA', { repeat: true }).keyUp('KeyA'))).toBe('AAa');
  });
});

describe('A8: US', () => {
  test('A8: quotes, brackets and backslashes come out as typed', () => {
    const text = `"it's" {a} \\ <b> $x ~ \`c\` 100% & more?`;
    expect(textOf(stream().type(text))).toBe(text);
  });

  test('A8: CapsLock swaps letters only, Shift swaps back', () => {
    const work = stream().keys('CapsLock', 'KeyA', 'Digit1').chord('ShiftLeft', 'KeyB').keys('CapsLock', 'KeyC');
    expect(work.actions()).toMatchObject([
      { kind: 'type', text: 'A1bc', keystrokes: ['<CapsLock>', 'A', '1', 'b', '<CapsLock>', 'c'] },
    ]);
  });

  test('A8: a held CapsLock toggles once', () => {
    const work = stream().keyDown('CapsLock').wait(500).keyDown('CapsLock').wait(30).keyUp('CapsLock').keys('KeyA');
    expect(work.actions()).toMatchObject([{ text: 'A', keystrokes: ['<CapsLock>', 'A'] }]);
  });

  test('A8: CapsLock at the end of a run is part of it', () => {
    expect(stream().type('a').keys('CapsLock').click(1, 1).actions()).toMatchObject([
      { kind: 'type', text: 'a', keystrokes: ['a', '<CapsLock>'] },
      { kind: 'click' },
    ]);
  });

  test('A8: a locks line tells the state of CapsLock', () => {
    expect(textOf(stream().locks(true, true).keys('KeyA').locks(false, true).keys('KeyB'))).toBe('Ab');
  });

  test('A8: CapsLock alone is a press', () => {
    expect(stream().keys('CapsLock').click(1, 1).actions()).toMatchObject([
      { kind: 'press', keys: ['CapsLock'], count: 1, text: null, keystrokes: null },
      { kind: 'click' },
    ]);
    expect(
      stream()
        .keys('CapsLock', 'NumLock')
        .actions()
        .map((action) => action.keys),
    ).toEqual([['CapsLock'], ['NumLock']]);
  });

  test('A8: the keypad makes digits with NumLock', () => {
    expect(textOf(stream().keys('Numpad4', 'NumpadAdd', 'Numpad2', 'NumpadDecimal', 'Numpad5'))).toBe('4+2.5');
  });

  test('A14: without a layout the text is read as US, with one warning', () => {
    const result = stream().type('Hi').reduce({}, { recording: 'r' });
    expect(result.actions).toMatchObject([{ text: 'Hi' }]);
    expect(result.warnings).toMatchObject([{ code: 'no-layout', event: 0 }]);
  });
});

describe('A8: German', () => {
  test('A8: z and y, ö, ß and their CapsLock and Shift levels', () => {
    const work = stream().layout(GERMAN).keys('KeyY', 'KeyZ', 'Semicolon', 'Minus').chord('ShiftLeft', 'Semicolon');
    expect(textOf(work.keys('CapsLock', 'Semicolon', 'Minus'))).toBe('zyößÖÖß');
  });

  test('A8: AltGr makes @, €, { and \\', () => {
    const work = stream().layout(GERMAN).keyDown('AltRight').keys('KeyQ', 'KeyE', 'Digit7', 'Minus').keyUp('AltRight');
    expect(textOf(work)).toBe('@€{\\');
  });

  test('A8: dead keys compose with the next letter', () => {
    const work = stream().layout(GERMAN).keys('Equal', 'KeyE', 'Backquote', 'KeyA').chord('ShiftLeft', 'Equal');
    expect(textOf(work.keys('KeyE', 'Equal').chord('ShiftLeft', 'KeyE'))).toBe('éâèÉ');
  });

  test('A8: keystrokes have the dead key by its own character', () => {
    expect(stream().layout(GERMAN).keys('Equal', 'KeyE').actions()).toMatchObject([{ keystrokes: ['´', 'e'] }]);
  });

  test('A8: a dead key with space or twice stands alone; the layout may have another form for space', () => {
    expect(textOf(stream().layout(GERMAN).keys('Backquote', 'Space'))).toBe('^');
    expect(textOf(stream().layout(GERMAN).keys('Equal', 'Space'))).toBe("'");
    expect(textOf(stream().layout(GERMAN).keys('Equal', 'Equal', 'KeyE'))).toBe('´e');
  });

  test('A8: a dead key with a letter that it does not combine with gives both', () => {
    expect(textOf(stream().layout(GERMAN).keys('Backquote', 'KeyQ'))).toBe('^q');
  });

  test('A8: a dead key after another dead key: the first alone, the second waits', () => {
    expect(textOf(stream().layout(GERMAN).keys('Backquote', 'Equal', 'KeyE'))).toBe('^é');
  });

  test('A8: a held dead key is one dead key', () => {
    const work = stream()
      .layout(GERMAN)
      .keyDown('Equal')
      .wait(500)
      .keyDown('Equal')
      .wait(30)
      .keyDown('Equal')
      .keyUp('Equal');
    expect(textOf(work.keys('KeyE'))).toBe('é');
  });

  test('A8: Backspace takes back a waiting dead key; a long wait does not', () => {
    expect(textOf(stream().layout(GERMAN).keys('KeyA', 'Equal', 'Backspace', 'KeyE'))).toBe('ae');
    expect(textOf(stream().layout(GERMAN).keys('Equal').wait(10_000).keys('KeyE'))).toBe('é');
  });

  test('A8: control characters that Windows has for Enter and Tab are no text', () => {
    const work = stream().layout(GERMAN_WINDOWS).keys('KeyA', 'Enter', 'Tab');
    expect(work.actions().map((action) => action.keys ?? action.text)).toEqual(['a', ['Enter'], ['Tab']]);
  });
});

describe('A8: French', () => {
  test('A8: AZERTY letters, é with Shift and CapsLock, circumflex and diaeresis', () => {
    const work = stream().layout(FRENCH).keys('KeyQ', 'KeyA', 'Digit2').chord('ShiftLeft', 'Digit2');
    work.keys('BracketLeft', 'KeyE').chord('ShiftLeft', 'BracketLeft').keys('KeyI').keys('CapsLock', 'Digit2');
    expect(textOf(work.keys('BracketLeft', 'KeyQ'))).toBe('aqé2êïÉÂ');
  });

  test('A8: AltGr+E is €', () => {
    expect(textOf(stream().layout(FRENCH).chord('AltRight', 'KeyE'))).toBe('€');
  });
});

describe('A8: Russian', () => {
  test('A8: Cyrillic letters with Shift and CapsLock', () => {
    const work = stream().layout(RUSSIAN).chord('ShiftLeft', 'KeyG').keys('KeyH', 'KeyB', 'KeyD', 'KeyT', 'KeyN');
    expect(textOf(work.chord('ShiftLeft', 'Slash').keys('CapsLock', 'KeyC', 'Semicolon'))).toBe('Привет,СЖ');
  });

  test('A8: a layout change in the middle of a run takes effect from the next key', () => {
    const context = { ...CONTEXT, layout: GERMAN };
    const work = stream().keys('KeyZ').layout(RUSSIAN).keys('KeyC').layout(GERMAN).keys('KeyC');
    expect(work.actions({}, context)).toMatchObject([{ kind: 'type', text: 'yсc' }]);
  });
});
