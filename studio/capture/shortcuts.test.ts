import { describe, expect, it } from 'vitest';
import { parseShortcut, parseShortcuts, shortcutWatch } from './shortcuts.ts';

describe('parseShortcut', () => {
  it('reads modifiers and a key in any case', () => {
    expect(parseShortcut('ctrl + SHIFT+f12')).toEqual({ mods: 3, code: 'F12' });
    expect(parseShortcut('Meta+r')).toEqual({ mods: 8, code: 'KeyR' });
  });

  it.each(['F12', 'Shift+A', 'Ctrl+Shift', 'Ctrl+Nope', ''])(
    'refuses "%s", which would fire while one works',
    (text) => {
      expect(() => parseShortcut(text)).toThrow(/shortcut/);
    },
  );

  it('refuses two that are the same', () => {
    expect(() => parseShortcuts({ stop: 'Ctrl+Shift+F9' })).toThrow(/the same/);
  });
});

describe('shortcutWatch (I4)', () => {
  const watch = () => shortcutWatch(parseShortcuts({}));

  it('names the shortcut and takes its own modifiers with it', () => {
    const w = watch();
    expect(w.down('ControlLeft', 10)).toEqual({ name: null, own: [] });
    expect(w.down('ShiftLeft', 11)).toEqual({ name: null, own: [] });
    expect(w.down('F12', 12)).toEqual({ name: 'stop', own: [10, 11, 12] });
    expect([w.up('F12'), w.up('ShiftLeft'), w.up('ControlLeft')]).toEqual([true, true, true]);
  });

  it('leaves a modifier to the action that it modified before', () => {
    const w = watch();
    w.down('ControlLeft', 0);
    w.down('KeyC', 1);
    w.up('KeyC');
    w.down('ShiftLeft', 3);
    expect(w.down('F12', 4).own).toEqual([3, 4]);
    expect(w.up('ControlLeft')).toBe(false);
  });

  it('leaves a modifier that was held for a click', () => {
    const w = watch();
    w.down('ControlLeft', 0);
    w.used();
    w.down('ShiftLeft', 3);
    expect(w.down('F10', 4)).toEqual({ name: 'pause', own: [3, 4] });
  });

  it('does not fire with a modifier too many or too few', () => {
    const w = watch();
    w.down('ControlLeft', 0);
    expect(w.down('F12', 1).name).toBeNull();
    w.up('F12');
    w.down('ShiftLeft', 2);
    w.down('AltLeft', 3);
    expect(w.down('F12', 4).name).toBeNull();
  });

  it('takes the auto-repeat of the shortcut key as its own and fires once', () => {
    const w = watch();
    w.down('ControlLeft', 0);
    w.down('ShiftLeft', 1);
    w.down('F9', 2);
    expect(w.down('F9', 3)).toEqual({ name: null, own: [3] });
  });

  it('names no raw events for keys that were not written during a pause', () => {
    const w = watch();
    w.down('ControlLeft', null);
    w.down('ShiftLeft', null);
    expect(w.down('F10', null)).toEqual({ name: 'pause', own: [] });
    expect(w.up('F10')).toBe(true);
  });
});
