import { expect, test } from 'vitest';
import { DISPLAY } from '../../../../core/actions/stream-for-tests.ts';
import type { InputStage } from '../../../../native/platform/stage.ts';
import type { Display } from '../../../../schemas/events.ts';
import type { KeyboardLayout, KeyChar } from '../../../../schemas/layout.ts';
import { usLayout } from '../../../../schemas/us-layout.ts';
import { performInput } from './perform.ts';
import { freePlace } from './place.ts';
import type { Proof } from './proof.ts';
import { isProved, proofText } from './report.ts';
import { compare, type Expected, expectedOf, INPUTS, proveSteps, strokesOf } from './steps.ts';

const RECT = { x: 100, y: 50, width: 640, height: 360 };

test.each([1, 2, 4, 16])(
  'there are sixty inputs with %d layouts, each layout with a text as far as there are texts',
  (layouts) => {
    const steps = proveSteps(RECT, layouts);
    expect(steps).toHaveLength(INPUTS);
    const typed = steps.flatMap((step) => (step.do === 'type' ? [step.layout] : []));
    expect(new Set(typed).size).toBe(Math.min(layouts, 12));
    expect([...typed].sort((a, b) => a - b)).toEqual(typed);
  },
);

test('every input lies inside of the window, and no two clicks in a row at one place', () => {
  const steps = proveSteps(RECT, 1);
  const points = steps.flatMap((step) => (step.do === 'drag' ? step.path : 'at' in step ? [step.at] : []));
  for (const { x, y } of points) {
    expect(x).toBeGreaterThanOrEqual(RECT.x);
    expect(x).toBeLessThan(RECT.x + RECT.width - 32);
    expect(y).toBeGreaterThanOrEqual(RECT.y);
    expect(y).toBeLessThan(RECT.y + RECT.height - 32);
  }
  const clicks = steps.flatMap((step) => (step.do === 'click' ? [step.at] : []));
  for (const [i, at] of clicks.entries()) {
    const before = clicks[i - 1];
    if (before) expect(Math.max(Math.abs(at.x - before.x), Math.abs(at.y - before.y))).toBeGreaterThan(20);
  }
});

test('two texts never follow each other: they would be one', () => {
  const steps = proveSteps(RECT, 3);
  for (const [i, step] of steps.entries()) if (step.do === 'type') expect(steps[i - 1]?.do).not.toBe('type');
});

test('a text is made of keys that write on this layout: plain, with Shift, with AltGr, without dead keys', () => {
  const us = usLayout();
  const plain = Object.entries(us.keys).map(([code, { chars }]) => {
    const [alone = null, shifted = null] = chars;
    const own: KeyChar[] = [alone, shifted, null, null, alone, shifted, null, null];
    return [code, { chars: own }] as const;
  });
  const none: KeyboardLayout = { ...us, altGr: true, keys: Object.fromEntries(plain) };
  const dead = { dead: '\u0301', alone: '´' };
  const layout: KeyboardLayout = {
    ...none,
    keys: {
      ...none.keys,
      KeyQ: { chars: ['q', 'Q', '@', null, 'Q', 'q', '@', null] },
      KeyW: { chars: [dead, dead, null, null, dead, dead, null, null] },
    },
  };
  const codes = (part: number) => strokesOf(layout, part).map(({ code }) => code);
  expect(codes(0).slice(0, 2)).toEqual(['KeyQ', 'KeyE']);
  expect(strokesOf(layout, 1).every(({ shift, altGr }) => shift && !altGr)).toBe(true);
  expect(strokesOf(layout, 2)).toEqual([{ code: 'KeyQ', shift: false, altGr: true }]);
  // Without anything on AltGr it is written plainly.
  expect(strokesOf(none, 2).every(({ altGr }) => !altGr)).toBe(true);
});

const press = (key: string): Expected => expectedOf({ do: 'press', code: key, key, modifiers: [] }, '');

test('one input that is missing, one too many and one that is wrong do not make the others wrong', () => {
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map(press) as [Expected, Expected, Expected, Expected, Expected];
  expect(compare([a, b, c], [a, b, c])).toEqual({ exact: 3, wrong: [] });
  expect(compare([a, b, c], [a, c])).toEqual({ exact: 2, wrong: [{ step: 1, wanted: b, found: null }] });
  expect(compare([a, c], [a, b, c])).toEqual({ exact: 2, wrong: [{ step: 1, wanted: null, found: b }] });
  expect(compare([a, b, c, d], [a, e, c, d])).toEqual({ exact: 3, wrong: [{ step: 1, wanted: b, found: e }] });
  expect(compare([a, b], [])).toMatchObject({ exact: 0, wrong: [{ wanted: a }, { wanted: b }] });
});

const display = (more: Partial<Display>): Display => ({ ...DISPLAY, ...more });

test('the window opens on the primary display, where it covers least, also left of the origin and on a small one', () => {
  const left = display({ x: -1920, y: -200 });
  const place = freePlace(
    [display({ id: 2, primary: false }), left],
    [{ x: -1920, y: -200, width: 1920, height: 600 }, null],
  );
  expect(place.x).toBeGreaterThanOrEqual(-1920);
  expect(place.x + place.width).toBeLessThanOrEqual(0);
  expect(place.y).toBeGreaterThanOrEqual(400);
  expect(freePlace([display({ width: 3840, height: 2160, scale: 2 })], [])).toMatchObject({ width: 1280, height: 840 });
  const small = freePlace([display({ width: 640, height: 480 })], []);
  expect(small.x + small.width).toBeLessThanOrEqual(640);
  expect(small.y + small.height).toBeLessThanOrEqual(480);
});

/** A stage on which nothing is shown; `front` says how many questions long it is in front. */
function stage(front: number, down: Set<string>): InputStage {
  let asked = 0;
  return {
    injection: 'none',
    rect: RECT,
    layouts: () => ['us'],
    takeLayout: () => undefined,
    isInFront: () => asked++ < front,
    move: () => undefined,
    button: () => undefined,
    wheel: () => undefined,
    key: (code, isDown) => void (isDown ? down.add(code) : down.delete(code)),
    received: () => '',
    close: () => undefined,
  };
}

test('as soon as another window is in front nothing more is typed, and no key stays down', async () => {
  const down = new Set<string>();
  const steps = [{ do: 'press', code: 'Enter', key: 'Enter', modifiers: ['ctrl', 'shift'] }] as const;
  const going = performInput(
    stage(2, down),
    steps.map((step) => ({ ...step, modifiers: [...step.modifiers] })),
    usLayout,
    () => undefined,
  );
  await expect(going).rejects.toMatchObject({ code: 'CANCELLED' });
  expect([...down]).toEqual([]);
});

const PROOF: Proof = {
  schema: 'trajectory-studio/proof',
  version: 1,
  program: '1.2.3',
  at: '2026-01-02T03:04:05.000Z',
  system: { platform: 'win32', release: '10.0', arch: 'x64', node: 'v24.0.0', displays: ['1920x1080+0+0 at 1.25'] },
  complaints: [
    {
      id: 'permission:elevated-windows',
      status: 'warn',
      what: 'input to elevated windows',
      fix: 'Run it as administrator.',
    },
  ],
  result: {
    injection: 'SendInput',
    actions: { exact: 59, of: 60, wrong: [{ step: 3, wanted: press('Tab'), found: null }] },
    texts: [{ layout: 'de-DE', exact: 12, of: 12, characters: 144 }],
    sync: {
      verdict: 'ok',
      paints: 30,
      found: 30,
      exact: 1,
      maxErrorUs: 0,
      offsetUs: 0,
      jitterUs: 0,
      message: '30 of 30.',
    },
    frames: { fps: 30, taken: 40, dropped: 0, late: 6, looks: 600 },
    cost: { cores: 0.05, bytesPerSecond: 3000 },
    capture: { grabber: 'gdi', mode: 'poll', lossless: true, encoder: 'libx264rgb' },
    seconds: 20,
  },
  failure: null,
};

test('the page says what came back, what did not, and what is weaker here with what to do', () => {
  const text = proofText(PROOF);
  expect(text).toContain('59 of 60 exact, made by SendInput');
  expect(text).toContain('wrong: input 4, Tab x1, came back as nothing');
  expect(text).toContain('de-DE: 12 of 12 texts exact (144 characters)');
  expect(text).toContain('99.0 % of 600 looks on time');
  expect(text).toContain('Run it as administrator.');
  expect(text.split('\n').length).toBeLessThan(60);
  expect(isProved(PROOF)).toBe(false);
});

test('where nothing could be proved the page says why', () => {
  const proof = { ...PROOF, result: null, failure: 'No X server answers.' };
  expect(proofText(proof)).toContain('NOT PROVED  No X server answers.');
  expect(isProved(proof)).toBe(false);
});

test('where nobody made an input nothing is proved', () => {
  const { result } = PROOF;
  if (!result) throw new Error('it has one');
  const proof = { ...PROOF, result: { ...result, actions: { exact: 0, of: 0, wrong: [] } } };
  expect(proofText(proof)).toContain('none were made: not proved');
  expect(isProved(proof)).toBe(false);
});
