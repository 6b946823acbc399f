import { describe, expect, it } from 'vitest';
import { ariaKey, belongsToText, chordOf, formatKey, formatParts, type KeyPress, parseChord } from './chord.ts';

const press = (key: string, code: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...held,
});

describe('a pressed key as text', () => {
  it('writes a letter in upper case with its modifiers in one order', () => {
    expect(chordOf(press('n', 'KeyN'), false)).toBe('N');
    expect(chordOf(press('K', 'KeyK', { shiftKey: true, ctrlKey: true, altKey: true }), false)).toBe(
      'Ctrl+Alt+Shift+K',
    );
  });

  it('leaves Shift out of a sign, since the layout decides whether the sign needs it', () => {
    expect(chordOf(press('?', 'Slash', { shiftKey: true }), false)).toBe('?');
    expect(chordOf(press('/', 'Digit7', { shiftKey: true }), false)).toBe('/');
    expect(chordOf(press('ArrowDown', 'ArrowDown', { shiftKey: true }), false)).toBe('Shift+ArrowDown');
  });

  it('takes the place on the keyboard where a layout has no Latin letters', () => {
    expect(chordOf(press('т', 'KeyN'), false)).toBe('N');
    expect(chordOf(press('л', 'KeyK', { ctrlKey: true }), false)).toBe('Ctrl+K');
  });

  it('takes the letter that was typed where the layout moves Latin ones', () => {
    expect(chordOf(press('a', 'KeyQ'), false)).toBe('A');
  });

  it('does not take AltGr for Ctrl and Alt', () => {
    const altGraph = { ctrlKey: true, altKey: true, getModifierState: (key: string) => key === 'AltGraph' };
    expect(chordOf(press('[', 'Digit8', altGraph), false)).toBe('[');
  });

  it('takes the letter or digit under a Mac’s Alt, which types another sign', () => {
    expect(chordOf(press('†', 'KeyT', { altKey: true }), true)).toBe('Alt+T');
    expect(chordOf(press('¡', 'Digit1', { altKey: true }), true)).toBe('Alt+1');
  });

  it('is nothing for a modifier alone, a dead key and a key inside an input method', () => {
    expect(chordOf(press('Shift', 'ShiftLeft', { shiftKey: true }), false)).toBeNull();
    expect(chordOf(press('Dead', 'BracketLeft'), false)).toBeNull();
    expect(chordOf(press('a', 'KeyA', { isComposing: true }), false)).toBeNull();
  });
});

describe('a written key', () => {
  it('is read in any case, with aliases, into what a press gives', () => {
    expect(parseChord('mod+k', false)).toBe('Ctrl+K');
    expect(parseChord('Mod+K', true)).toBe('Meta+K');
    expect(parseChord('shift+down', false)).toBe('Shift+ArrowDown');
    expect(parseChord('Ctrl++', false)).toBe('Ctrl++');
    expect(parseChord('+', false)).toBe('+');
    expect(parseChord(' ', false)).toBe('Space');
  });

  it('is null when it names no key or two', () => {
    expect(parseChord('Ctrl+', false)).toBeNull();
    expect(parseChord('', false)).toBeNull();
    expect(parseChord('A+B', false)).toBeNull();
  });

  it('is shown as the system writes it', () => {
    expect(formatKey('Mod+K', false)).toBe('Ctrl+K');
    expect(formatKey('Mod+Shift+K', true)).toBe('⇧⌘K');
    expect(formatParts('Ctrl++', false)).toEqual(['Ctrl', '+']);
    expect(formatParts('Shift+ArrowUp', false)).toEqual(['Shift', '↑']);
  });

  it('is said to assistive technology with its full modifier', () => {
    expect(ariaKey('Ctrl+Shift+K')).toBe('Control+Shift+K');
  });
});

describe('a key in a text field', () => {
  it.each(['A', 'Shift+A', '?', 'Space', 'Enter', 'ArrowLeft', 'Ctrl+Z', 'Ctrl+Shift+Z', 'Meta+V', 'Ctrl+ArrowLeft'])(
    '%s is the field’s',
    (chord) => expect(belongsToText(chord)).toBe(true),
  );

  it.each(['Ctrl+K', 'Alt+1', 'F2', 'Escape', 'Ctrl+Enter'])('%s is not the field’s', (chord) =>
    expect(belongsToText(chord)).toBe(false),
  );
});
