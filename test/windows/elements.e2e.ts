import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWindows, type Windows, withoutWindows } from '../support/wine.ts';

/** Our calls of UI Automation and MSAA, under Wine, against objects of the test's own: Wine 8 has no UI Automation to ask. */

describe.skipIf(withoutWindows())('elements on Windows', () => {
  let windows: Windows;
  beforeAll(async () => {
    windows = await startWindows((line) => process.stderr.write(`${line}\n`));
  }, 600_000);
  afterAll(async () => {
    await windows?.stop();
  });

  it('our calls of COM find the functions, hand over structs and read every kind of value', async () => {
    const said = await windows.run(['test/windows/com.ts']);
    const { gave, handed } = JSON.parse(said.stdout || `{"gave":${JSON.stringify(said.stderr)}}`);
    expect(gave).toEqual({
      request: true,
      walker: true,
      point: true,
      handle: true,
      focused: { result: 0x80004001 | 0, ref: null },
      parent: true,
      before: { result: 0, ref: null },
      values: {
        30001: [10.5, -20, 300, 40],
        30003: 50000,
        30010: true,
        30012: 'Größe 你好',
        30013: null,
        30018: null,
      },
      longest: 8000,
      name: 'Speichern …',
      role: 43,
      state: 0x2000_0004,
      description: '',
      place: { x: -5, y: 6, width: 70, height: 80 },
      focus: true,
    });
    const properties = [30001, 30003, 30010, 30012, 30013, 30018, 30005];
    expect(handed).toEqual([
      ['get_accFocus'],
      ['CreateCacheRequest'],
      ['AddProperty', 30005],
      ['AddProperty', 30001],
      ['get_RawViewWalker'],
      ['ElementFromPointBuildCache', { x: -5, y: 300 }],
      ['ElementFromHandleBuildCache', 0x50],
      ['GetFocusedElementBuildCache'],
      ['GetParentElementBuildCache'],
      ['GetPreviousSiblingElementBuildCache'],
      ...properties.map((property) => ['GetCachedPropertyValue', property]),
      ['get_accName', { vt: 3, number: 3 }],
      ['get_accRole', { vt: 3, number: 0 }],
      ['get_accState', { vt: 3, number: 0 }],
      ['get_accDescription'],
      ['accLocation', { vt: 3, number: 2 }],
      ['Release'],
    ]);
  });
});
