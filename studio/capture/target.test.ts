import { describe, expect, it } from 'vitest';
import { StudioError } from '../../schemas/errors.ts';
import type { Display } from '../../schemas/events.ts';
import { resolveTarget, windowRect } from './target.ts';

const display = (id: number, x: number, width: number, height: number, primary = false): Display => ({
  id,
  name: `d${id}`,
  x,
  y: 0,
  width,
  height,
  scale: 1,
  primary,
});
const displays = [display(1, -1280, 1280, 1024), display(2, 0, 1920, 1080, true)];
const window = (title: string, x: number, y: number, width: number, height: number) => ({
  id: title,
  title,
  app: 'a',
  pid: 1,
  bounds: { x, y, width, height },
});

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'no error';
  } catch (error) {
    return error instanceof StudioError ? error.code : String(error);
  }
};

describe('resolveTarget', () => {
  it('takes the primary display when none is named', () => {
    expect(resolveTarget({ kind: 'display', display: null }, displays, []).rect).toEqual({
      x: 0,
      y: 0,
      width: 1920,
      height: 1080,
    });
  });

  it('takes a display left of the first, with its negative origin', () => {
    expect(resolveTarget({ kind: 'display', display: 1 }, displays, []).rect.x).toBe(-1280);
  });

  it('says which displays there are', () => {
    expect(() => resolveTarget({ kind: 'display', display: 3 }, displays, [])).toThrow(
      /1 \(1280x1024\), 2 \(1920x1080\)/,
    );
  });

  it('takes a region as it is, odd sizes too: the picture is the screen, to the pixel', () => {
    const region = { x: 1, y: 1, width: 101, height: 51 };
    expect(resolveTarget({ kind: 'region', region }, displays, []).rect).toEqual(region);
  });

  it.each([
    ['over two displays', { x: -10, y: 0, width: 100, height: 100 }],
    ['off the desktop', { x: 5000, y: 0, width: 100, height: 100 }],
    ['too small', { x: 0, y: 0, width: 8, height: 100 }],
  ])('refuses a region %s', (_, region) => {
    expect(codeOf(() => resolveTarget({ kind: 'region', region }, displays, []))).toBe('BAD_REGION');
  });

  it('finds the topmost window by a part of its title in any case', () => {
    const windows = [window('Second GIMP', 10, 10, 200, 100), window('gimp', 0, 0, 50, 50)];
    expect(resolveTarget({ kind: 'window', title: 'gimp' }, displays, windows).rect).toEqual({
      x: 10,
      y: 10,
      width: 200,
      height: 100,
    });
    expect(codeOf(() => resolveTarget({ kind: 'window', title: 'blender' }, displays, windows))).toBe('UNKNOWN_WINDOW');
  });
});

describe('windowRect', () => {
  it('takes the visible part on the display that shows most of it', () => {
    expect(windowRect(window('w', -100, 0, 400, 200), displays)).toMatchObject({
      rect: { x: 0, y: 0, width: 300, height: 200 },
      display: { id: 2 },
    });
  });

  it('is null for a window on no display', () => {
    expect(windowRect(window('w', 9000, 0, 400, 200), displays)).toBeNull();
  });
});
