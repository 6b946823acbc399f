import { describe, expect, test } from 'vitest';
import { GERMAN, GERMAN_MAC, GERMAN_WINDOWS, RUSSIAN } from './layouts-for-tests.ts';
import { type Stream, stream } from './stream-for-tests.ts';

const keysOf = (work: Stream) => work.actions().map((action) => action.keys);

describe('A6: modifiers', () => {
  test('A6: held at a press they stand in the order ctrl, alt, shift, meta', () => {
    const work = stream()
      .keyDown('MetaLeft')
      .keyDown('ShiftLeft')
      .keyDown('AltLeft')
      .keyDown('ControlRight')
      .click(1, 1);
    work.keyUp('ControlRight').keyUp('AltLeft').keyUp('ShiftLeft').keyUp('MetaLeft');
    expect(work.actions()).toMatchObject([{ kind: 'click', modifiers: ['ctrl', 'alt', 'shift', 'meta'] }]);
  });

  test('A6: the Windows key pressed and released is a press of it, moves between or not', () => {
    expect(keysOf(stream().keys('MetaLeft'))).toEqual([['meta']]);
    expect(stream().keyDown('MetaLeft').move(5, 5).keyUp('MetaLeft').actions()).toMatchObject([
      {
        kind: 'press',
        keys: ['meta'],
        start: { t: 1_000_000 },
        events: [
          [0, 0],
          [2, 2],
        ],
      },
    ]);
  });

  test('A6: a press of a modifier starts where and when the modifier went down', () => {
    expect(stream().keyDown('MetaLeft').wait(90).move(5, 5).keyUp('MetaLeft').actions()).toMatchObject([
      { start: { x: 0, t: 1_000_000 }, end: { x: 5, t: 1_100_000 } },
    ]);
  });

  test('A6: Alt+Shift with nothing else is one press of both', () => {
    expect(keysOf(stream().chord('AltLeft', 'ShiftLeft'))).toEqual([['alt', 'shift']]);
  });

  test('A6: a held modifier belongs to the first action that it modified', () => {
    const work = stream().keyDown('ControlLeft').keys('KeyC', 'KeyV').keyUp('ControlLeft');
    expect(work.actions()).toMatchObject([
      {
        id: 'r:0',
        events: [
          [0, 2],
          [5, 5],
        ],
      },
      { id: 'r:3', events: [[3, 4]] },
    ]);
  });

  test('A6: Shift tapped while Ctrl serves a shortcut is a lone modifier', () => {
    const result = stream().keyDown('ControlLeft').keys('ShiftLeft', 'KeyC').keyUp('ControlLeft').reduce();
    expect(result.actions).toMatchObject([{ keys: ['ctrl', 'c'] }]);
    expect(result.conservation.loneModifier).toEqual([[1, 2]]);
  });

  test('A6: Shift tapped inside a run of typing is a lone modifier and the run goes on', () => {
    const result = stream().type('a').keys('ShiftLeft').type('b').reduce();
    expect(result.actions).toMatchObject([{ text: 'ab' }]);
    expect(result.conservation.loneModifier).toEqual([[2, 3]]);
  });

  test('A6: AltGr alone is a lone modifier, with the Ctrl that Windows sends with it', () => {
    const alone = stream().layout(GERMAN).keys('AltRight').reduce();
    expect(alone.actions).toEqual([]);
    expect(alone.conservation.loneModifier).toEqual([[1, 2]]);
    const windows = stream().layout(GERMAN_WINDOWS);
    windows.keyDown('ControlLeft').keyDown('AltRight').wait(50).keyUp('ControlLeft').keyUp('AltRight');
    expect(windows.actions()).toEqual([]);
  });

  test('A6: a modifier held since before the start is told by the event’s bits, until its key goes up', () => {
    const actions = stream().down('left', 2).up().keyUp('ControlLeft').wait(2000).down('left', 2).up().actions();
    expect(actions.map((action) => action.modifiers)).toEqual([['ctrl'], []]);
  });

  test('A14: a modifier whose release was lost is let go when its bit is missing', () => {
    const work = stream().keyDown('MetaLeft').down('left', 8).up().wait(2000).down('left').up();
    const result = work.reduce();
    expect(result.actions.map((action) => action.modifiers)).toEqual([['meta'], []]);
    expect(result.warnings).toMatchObject([{ code: 'missing-release', event: 0 }]);
  });

  test('A6: a source without bits never lets a modifier go', () => {
    const work = stream().keyDown('ControlLeft').click(1, 1).wait(2000).click(1, 1).keyUp('ControlLeft');
    expect(work.actions().map((action) => action.modifiers)).toEqual([['ctrl'], ['ctrl']]);
  });
});

describe('A7: chords', () => {
  test('A7: the key stands by its plain character, modifiers first', () => {
    expect(keysOf(stream().chord('ShiftLeft', 'ControlLeft', 'KeyZ'))).toEqual([['ctrl', 'shift', 'z']]);
    expect(keysOf(stream().chord('AltLeft', 'F4'))).toEqual([['alt', 'F4']]);
    expect(keysOf(stream().chord('ControlLeft', 'Space'))).toEqual([['ctrl', 'Space']]);
    expect(keysOf(stream().chord('MetaLeft', 'ArrowLeft'))).toEqual([['meta', 'ArrowLeft']]);
  });

  test('A7: a letter chord follows the layout, where its letters are Latin', () => {
    expect(keysOf(stream().layout(GERMAN).chord('ControlLeft', 'KeyY'))).toEqual([['ctrl', 'z']]);
    expect(keysOf(stream().layout(GERMAN).chord('ControlLeft', 'Semicolon'))).toEqual([['ctrl', 'ö']]);
    expect(keysOf(stream().layout(GERMAN).chord('ControlLeft', 'Backquote'))).toEqual([['ctrl', '^']]);
  });

  test('A7: on a Russian layout a chord has the Latin character of the physical key', () => {
    expect(keysOf(stream().layout(RUSSIAN).chord('ControlLeft', 'KeyC'))).toEqual([['ctrl', 'c']]);
    expect(keysOf(stream().layout(RUSSIAN).chord('ControlLeft', 'Semicolon'))).toEqual([['ctrl', ';']]);
  });

  test('A7: Shift with a key that makes no character is a chord', () => {
    const work = stream().chord('ShiftLeft', 'F10').chord('ShiftLeft', 'ArrowLeft');
    expect(keysOf(work)).toEqual([
      ['shift', 'F10'],
      ['shift', 'ArrowLeft'],
    ]);
  });

  test('A7: AltGr that makes a character is typing, on Windows with its Ctrl too', () => {
    expect(stream().layout(GERMAN).chord('AltRight', 'KeyQ').actions()).toMatchObject([{ kind: 'type', text: '@' }]);
    const windows = stream().layout(GERMAN_WINDOWS).keyDown('ControlLeft').keyDown('AltRight').wait(40);
    windows.keys('KeyQ').keyUp('ControlLeft').keyUp('AltRight');
    expect(windows.actions()).toMatchObject([{ kind: 'type', text: '@', events: [[1, 6]] }]);
  });

  test('A7: the bits of Ctrl and Alt that come with AltGr make no chord', () => {
    const work = stream().layout(GERMAN_WINDOWS).keyDown('AltRight').keyDown('KeyQ', { mods: 6 });
    expect(work.keyUp('KeyQ').keyUp('AltRight').actions()).toMatchObject([{ kind: 'type', text: '@' }]);
    const chord = stream().layout(GERMAN_WINDOWS).keyDown('AltRight').keyDown('F5', { mods: 6 });
    expect(keysOf(chord.keyUp('F5').keyUp('AltRight'))).toEqual([['AltGraph', 'F5']]);
  });

  test('A7: Ctrl held by hand with AltGr and a key that has an AltGr character is typing', () => {
    const work = stream().layout(GERMAN_WINDOWS).chord('ControlLeft', 'AltRight', 'KeyE');
    expect(work.actions()).toMatchObject([{ kind: 'type', text: '€' }]);
  });

  test('A7: left Alt and Ctrl are a chord, also where AltGr would make a character', () => {
    expect(keysOf(stream().layout(GERMAN).chord('ControlLeft', 'AltLeft', 'KeyQ'))).toEqual([['ctrl', 'alt', 'q']]);
  });

  test('A7: AltGr with a key that has no AltGr character is a chord with AltGraph', () => {
    expect(keysOf(stream().layout(GERMAN).chord('AltRight', 'F5'))).toEqual([['AltGraph', 'F5']]);
  });

  test('A7: Option on macOS makes characters, and is Alt where it makes none', () => {
    expect(stream().layout(GERMAN_MAC).chord('AltLeft', 'KeyL').actions()).toMatchObject([{ text: '@' }]);
    expect(keysOf(stream().layout(GERMAN_MAC).chord('AltLeft', 'KeyC'))).toEqual([['alt', 'c']]);
    const click = stream().layout(GERMAN_MAC).keyDown('AltLeft').click(1, 1).keyUp('AltLeft').actions();
    expect(click).toMatchObject([{ kind: 'click', modifiers: ['alt'] }]);
  });

  test('A7: repeats of one chord count, with nothing between and within 3 s', () => {
    const undo = (work: Stream) => work.chord('ControlLeft', 'KeyZ');
    expect(undo(undo(undo(stream()).wait(1500)).move(3, 3)).actions()).toMatchObject([
      { keys: ['ctrl', 'z'], count: 3, autoRepeat: false },
    ]);
    expect(undo(undo(stream()).click(1, 1)).actions()).toHaveLength(3);
    expect(undo(undo(stream()).wait(4000)).actions()).toHaveLength(2);
  });

  test('A7: auto-repeat counts and is marked, whether the OS says it or a key goes down again while it is down', () => {
    const held = stream().keyDown('ControlLeft').keyDown('KeyZ').wait(500).keyDown('KeyZ', { repeat: true }).wait(30);
    expect(held.keyDown('KeyZ').keyUp('KeyZ').keyUp('ControlLeft').actions()).toMatchObject([
      { keys: ['ctrl', 'z'], count: 3, autoRepeat: true, events: [[0, 5]] },
    ]);
  });

  test('A7: the first repeat may come late', () => {
    const work = stream().keyDown('ArrowDown').wait(1600).keyDown('ArrowDown').wait(30).keyUp('ArrowDown');
    expect(work.actions()).toMatchObject([{ count: 2, autoRepeat: true }]);
  });

  test('A7: only the last key that went down repeats: another that goes down again has lost its release', () => {
    const result = stream()
      .keyDown('ArrowDown')
      .keyDown('ArrowUp')
      .wait(50)
      .keyDown('ArrowDown')
      .keyUp('ArrowDown')
      .reduce();
    expect(result.actions.map((action) => action.autoRepeat)).toEqual([false, false, false]);
    expect(result.warnings).toMatchObject([
      { code: 'missing-release', event: 0 },
      { code: 'keys-held-at-end', event: 1 },
    ]);
  });

  test('A7: a release and a press of one moment are auto-repeat, as X11 shows it', () => {
    const work = stream().keyDown('ArrowDown').wait(500);
    for (let i = 0; i < 3; i++)
      work.add({ type: 'keyup', t: work.now(), code: 'ArrowDown' }).keyDown('ArrowDown').wait(30);
    expect(work.keyUp('ArrowDown').actions()).toMatchObject([{ keys: ['ArrowDown'], count: 4, autoRepeat: true }]);
  });
});

describe('A9: named keys', () => {
  test('A9: quick repeats merge into count, slow ones do not', () => {
    expect(stream().keys('ArrowDown', 'ArrowDown', 'ArrowDown').actions()).toMatchObject([
      { kind: 'press', keys: ['ArrowDown'], count: 3, autoRepeat: false },
    ]);
    expect(stream().keys('Enter').wait(1500).keys('Enter').actions()).toHaveLength(2);
    expect(keysOf(stream().keys('ArrowDown', 'ArrowUp'))).toEqual([['ArrowDown'], ['ArrowUp']]);
  });

  test('A9: Ctrl tapped twice is one press of count 2', () => {
    expect(stream().keys('ControlLeft', 'ControlLeft').actions()).toMatchObject([{ keys: ['ctrl'], count: 2 }]);
  });

  test('A9: keys of the keypad without NumLock, and with Shift, are named keys', () => {
    const work = stream().locks(false, false).keys('Numpad7', 'NumpadDecimal', 'NumpadEnter');
    expect(keysOf(work)).toEqual([['Home'], ['Delete'], ['Enter']]);
    expect(keysOf(stream().locks(false, true).chord('ShiftLeft', 'Numpad7'))).toEqual([['shift', 'Home']]);
    expect(keysOf(stream().locks(false, true).chord('ControlLeft', 'Numpad0'))).toEqual([['ctrl', '0']]);
  });
});
