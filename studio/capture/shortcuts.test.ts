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

  it('goes by what the system made of keys: Caps Lock that is Ctrl, a latched Shift, the letter that is on the key', () => {
    const w = watch();
    expect(w.down('CapsLock', 10, { key: 'Control' })).toEqual({ name: null, own: [] });
    expect(w.down('F12', 11, { key: 'F12', mods: ['shift', 'ctrl', 'num'], latched: ['shift'] })).toEqual({
      name: 'stop',
      own: [10, 11],
    });
    expect([w.up('F12'), w.up('CapsLock')]).toEqual([true, true]);
    // Control that is Caps Lock makes no shortcut.
    w.down('ControlLeft', 12, { key: 'CapsLock' });
    w.down('ShiftLeft', 13, { key: 'Shift', mods: ['caps'] });
    expect(w.down('F12', 14, { key: 'F12', mods: ['shift', 'caps'] }).name).toBeNull();

    const own = shortcutWatch(parseShortcuts({ stop: 'Ctrl+Alt+S' }));
    const dvorak = { key: 's', mods: ['ctrl', 'alt'] };
    expect(own.down('Semicolon', 1, dvorak).name).toBe('stop');
    expect(own.down('KeyS', 2, { ...dvorak, key: 'o' }).name).toBeNull();
    // Russian: by the place.
    const russian = shortcutWatch(parseShortcuts({ stop: 'Ctrl+Alt+S' }));
    expect(russian.down('KeyS', 1, { key: 'ы', mods: ['ctrl', 'alt'] }).name).toBe('stop');
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
