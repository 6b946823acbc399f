import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Names that several files export on purpose: the pattern of the files, and why. */
const SHARED: readonly { names: readonly string[]; files: RegExp; why: string }[] = [
  {
    names: ['register'],
    files: /^studio\/cli\/commands\//,
    why: 'each command is registered by the function of this name',
  },
  { names: ['commands'], files: /^renderer\/[a-z]+\/commands\.ts$/, why: "each page's commands, by one name" },
  {
    names: ['inputSettings', 'layoutId', 'openWindows', 'physicalKey', 'readDisplays', 'readLayout', 'watchKeyboard'],
    files: /^native\/(?:linux|macos|wayland|windows)\//,
    why: 'the same part of each system’s adapter',
  },
  {
    names: ['Rect', 'ShortcutName'],
    files: /^(?:electron\/host|schemas)\//,
    why: 'the desktop host shares no code with the rest',
  },
];

const EXPORT =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm;

/** Exported names with the files that declare them, of everything but tests. */
function declarations(files: readonly (readonly [file: string, source: string])[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [file, source] of files) {
    for (const [, name = ''] of source.matchAll(EXPORT)) {
      const list = found.get(name) ?? [];
      if (!list.includes(file)) found.set(name, [...list, file]);
    }
  }
  return found;
}

function declaredTwice(files: readonly (readonly [file: string, source: string])[]): string[] {
  return [...declarations(files)].flatMap(([name, places]) => {
    const may = SHARED.some((one) => one.names.includes(name) && places.every((file) => one.files.test(file)));
    return places.length < 2 || may ? [] : [`${name}: ${places.join(', ')}`];
  });
}

test('no exported name stands for two things', () => {
  const files = globSync('{schemas,core,native,studio,renderer,electron}/**/*.{ts,tsx}')
    .filter((file) => !/\.test\.tsx?$|-for-tests\.ts$/.test(file))
    .map((file) => [file.replaceAll('\\', '/'), readFileSync(file, 'utf8')] as const);
  expect(files.length).toBeGreaterThan(500);
  expect(declaredTwice(files)).toEqual([]);
  // Each entry of the list is needed.
  const found = declarations(files);
  const idle = SHARED.flatMap(({ names }) => names).filter((name) => (found.get(name)?.length ?? 0) < 2);
  expect(idle).toEqual([]);
});

test('a second declaration is found, but for the listed ones', () => {
  const files = [
    ['core/a.ts', 'export type Step = 1;\nexport const b = 2;'],
    ['core/b.ts', 'export async function Step() {}\nconst b = 3;'],
    ['native/linux/x.ts', 'export function readLayout() {}'],
    ['native/macos/x.ts', 'export function readLayout() {}'],
    ['studio/x.ts', 'export class readDisplays {}'],
    ['native/macos/y.ts', 'export const readDisplays = 1;'],
  ] as const;
  expect(declaredTwice(files)).toEqual(['Step: core/a.ts, core/b.ts', 'readDisplays: studio/x.ts, native/macos/y.ts']);
});
