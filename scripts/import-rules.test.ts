import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { checkImports, PAGES } from './import-rules.mjs';
import { ROOT } from './package-config.mjs';
import { ROOMS, type Rooms } from './rooms.mjs';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** The violations of a project of these files, as `rule file`; its folders have no rooms unless they are given. */
function violationsOf(files: Record<string, string>, rooms: Rooms = {}): string[] {
  const root = mkdtempSync(join(tmpdir(), 'import-rules-'));
  roots.push(root);
  const all = { 'package.json': '{"devDependencies": {"vitest": "1"}}', ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return checkImports(root, rooms).violations.map(({ rule, file }) => `${rule} ${file}`);
}

test('what people install beside the program is loaded when it is asked for, never before', () => {
  const manifest = '{"devDependencies": {"signer": "1"}, "peerDependencies": {"signer": "1"}}';
  const files = {
    'package.json': manifest,
    'studio/a.ts': "const { sign } = await import('signer');\nexport { sign };",
  };
  expect(violationsOf(files)).toEqual([]);
  expect(violationsOf({ ...files, 'studio/a.ts': "import { sign } from 'signer';" })).toEqual([
    'no-dev-packages studio/a.ts',
  ]);
});

describe('import rules', () => {
  test('core that imports studio is a violation', () => {
    const files = { 'core/a.ts': "import { b } from '../studio/b.ts';", 'studio/b.ts': 'export const b = 1;' };
    expect(violationsOf(files)).toEqual(['folders core/a.ts']);
  });

  test('studio may import core, native and schemas', () => {
    const files = {
      'studio/a.ts': "import '../core/b.ts';\nimport { c } from '../native/c.ts';\nexport * from '../schemas/d.ts';",
      'core/b.ts': '',
      'native/c.ts': 'export const c = 1;',
      'schemas/d.ts': 'export const d = 1;',
    };
    expect(violationsOf(files)).toEqual([]);
  });

  test("an adapter of a system is opened by native's door alone, also for its types; a test may open it", () => {
    const files = {
      'native/index.ts': "import './linux/a.ts';",
      'native/linux/a.ts': 'export const a = 1;',
      'studio/b.ts': "import { a } from '../native/linux/a.ts';",
      'studio/c.ts': `const a = await ${'import'}('../native/linux/a.ts');`,
      'studio/d.ts': "import type { A } from '../native/linux/a.ts';",
      'studio/e.test.ts': "import { a } from '../native/linux/a.ts';",
      'studio/f.ts': "import '../native/index.ts';",
    };
    expect(violationsOf(files)).toEqual(['door studio/b.ts', 'door studio/c.ts', 'door studio/d.ts']);
  });

  test('an import of types only, or by import(), is an import too', () => {
    const files = {
      'renderer/a.ts': "import type { B } from '../native/b.ts';",
      'renderer/c.ts': `const b = await ${'import'}('../studio/b.ts');`,
      'native/b.ts': 'export type B = 1;',
      'studio/b.ts': '',
    };
    expect(violationsOf(files)).toEqual(['folders renderer/a.ts', 'folders renderer/c.ts']);
  });

  test('the desktop host shares no code; of the bridge to its pages it may import the types', () => {
    const files = {
      'electron/a.ts': "import type { D } from '../schemas/desktop.ts';\nimport electron from 'electron';",
      'electron/b.ts': "import { d } from '../schemas/desktop.ts';",
      'electron/c.ts': "import type { E } from '../schemas/errors.ts';",
      'electron/d.ts': "import type { S } from '../studio/s.ts';",
      'schemas/desktop.ts': '',
      'schemas/errors.ts': '',
      'studio/s.ts': '',
    };
    expect(violationsOf(files)).toEqual(['folders electron/b.ts', 'folders electron/c.ts', 'folders electron/d.ts']);
  });

  test('a process or a thread is started in native/process alone, another program where it is listed', () => {
    const files = {
      'native/process/a.ts':
        "import { fork } from 'node:child_process';\nimport { Worker } from 'node:worker_threads';",
      'native/ffmpeg/run.ts': "import { type ChildProcess, spawn } from 'node:child_process';",
      'studio/a.ts': "import { type ChildProcess, fork } from 'node:child_process';",
      'studio/b.ts': "import { type MessagePort, Worker } from 'node:worker_threads';",
      'studio/c.ts': "import * as all from 'node:child_process';",
      'studio/d.ts': "import {\n  execFileSync,\n  spawnSync,\n} from 'node:child_process';",
      'studio/e.ts': "import { parentPort, workerData } from 'node:worker_threads';",
      'studio/f.ts':
        "import type { Worker } from 'node:worker_threads';\nimport { type ChildProcess } from 'node:child_process';",
      'studio/g.test.ts': "import { fork } from 'node:child_process';",
    };
    expect(violationsOf(files)).toEqual([
      'starts studio/a.ts',
      'starts studio/b.ts',
      'starts studio/c.ts',
      'starts studio/d.ts',
    ]);
  });

  describe('rooms, the folders one level down', () => {
    const rooms = { renderer: { ui: [], page: ['ui'], '.': ['ui', 'page'] } };

    test('a room may import those that its row names, and nothing else', () => {
      const files = {
        'renderer/main.ts': "import './page/a.ts';\nimport './ui/deep/a.ts';",
        'renderer/page/a.ts': "import '../ui/deep/a.ts';\nimport './b.ts';",
        'renderer/page/b.ts': '',
        'renderer/page/c.ts': "import '../main.ts';",
        'renderer/ui/deep/a.ts': "import '../b.ts';",
        'renderer/ui/b.ts': '',
        'renderer/ui/c.ts': "import '../page/b.ts';",
      };
      expect(violationsOf(files, rooms)).toEqual(['rooms renderer/page/c.ts', 'rooms renderer/ui/c.ts']);
    });

    test('types alone, import(), a pattern of files and what is exported again count', () => {
      const files = {
        'renderer/page/a.ts': 'export type A = 1;\nexport const a = 1;',
        'renderer/ui/b.ts': "import type { A } from '../page/a.ts';",
        'renderer/ui/c.ts': `const a = () => ${'import'}('../page/a.ts');`,
        'renderer/ui/d.ts': "export { a } from '../page/a.ts';",
        'renderer/ui/e.ts': "export type { A } from '../page/a.ts';",
        'renderer/ui/f.ts': `export let a: ${'import'}('../page/a.ts').A;`,
        'renderer/ui/g.ts': "const all = import.meta.glob('../*/a.ts');",
      };
      const found = ['b', 'c', 'd', 'e', 'f', 'g'].map((name) => `rooms renderer/ui/${name}.ts`);
      expect(violationsOf(files, rooms)).toEqual(found);
    });

    test('a folder that the table does not list is a violation, in whichever direction it is imported', () => {
      const files = {
        'renderer/new/a.ts': "import '../ui/b.ts';",
        'renderer/ui/b.ts': '',
        'renderer/page/c.ts': "import '../new/a.ts';",
      };
      expect(violationsOf(files, rooms)).toEqual(['rooms renderer/new/a.ts', 'rooms renderer/page/c.ts']);
    });

    test('a test may import any room, and folders without a table are not checked', () => {
      const files = {
        'renderer/page/a.ts': '',
        'renderer/ui/b.test.ts': "import '../page/a.ts';",
        'studio/one/a.ts': "import '../two/b.ts';",
        'studio/two/b.ts': "import '../one/c.ts';",
        'studio/one/c.ts': '',
      };
      expect(violationsOf(files, rooms)).toEqual([]);
    });

    test('a table with an arrow back, a circle or a room that is not there is a violation itself', () => {
      const fault = 'rooms scripts/rooms.mjs';
      expect(violationsOf({}, { studio: { a: ['b'], b: [] } })).toEqual([fault]);
      expect(violationsOf({}, { studio: { a: ['b'], b: ['a'] } })).toEqual([fault]);
      expect(violationsOf({}, { studio: { a: ['a'] } })).toEqual([fault]);
      expect(violationsOf({}, { studio: { a: [], b: ['gone'] } })).toEqual([fault]);
    });

    test('in the studio, an arrow from the store up, from documents to the review or from data sets to exports is found', () => {
      const files = {
        'studio/datasets/a.ts': "import type { A } from './export/a.ts';",
        'studio/documents/a.ts': "const { a } = await import('./review/a.ts');",
        'studio/datasets/export/a.ts': "import '../a.ts';",
        'studio/documents/review/a.ts': '',
        'studio/session/a.ts': "import '../store/a.ts';",
        'studio/store/a.ts': "import type { A } from '../session/a.ts';",
      };
      expect(violationsOf(files, ROOMS)).toEqual([
        'rooms studio/datasets/a.ts',
        'rooms studio/documents/a.ts',
        'rooms studio/store/a.ts',
        'no-cycles studio/datasets/a.ts',
        'no-cycles studio/session/a.ts',
      ]);
    });

    test('a folder inside a room has an order of its own, and what lies beside its rooms is free where the table says so', () => {
      const nested = {
        renderer: { workbench: [] },
        'renderer/workbench': { '.': null, frames: [], stage: ['frames'] },
      };
      const files = {
        'renderer/workbench/store.ts': "import './stage/a.ts'; import './frames/b.ts';",
        'renderer/workbench/stage/a.ts': "import '../frames/c.ts'; import type { A } from '../types.ts';",
        'renderer/workbench/frames/b.ts': "import '../stage/d.ts';",
        'renderer/workbench/frames/c.ts': '',
        'renderer/workbench/stage/d.ts': '',
        'renderer/workbench/types.ts': '',
        'renderer/workbench/other/e.ts': '',
      };
      expect(violationsOf(files, nested)).toEqual([
        'rooms renderer/workbench/frames/b.ts',
        'rooms renderer/workbench/other/e.ts',
      ]);
      expect(violationsOf({ 'core/actions/a.ts': "import '../play/b.ts';", 'core/play/b.ts': '' }, ROOMS)).toEqual([
        'rooms core/actions/a.ts',
      ]);
    });

    test('every room of the table is there', () => {
      for (const [folder, rows] of Object.entries(ROOMS))
        for (const room of Object.keys(rows))
          expect(existsSync(join(ROOT, folder, room)), `${folder}/${room}`).toBe(true);
    });

    test('docs/architecture.md lists them in the same order', () => {
      const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
      for (const [folder, rows] of Object.entries(ROOMS)) {
        // The page is of the program's folders; inside core and the workbench the table itself says the order.
        if (folder === 'core' || folder.includes('/')) continue;
        const said = new RegExp(`^\\| ${folder} \\| (.*) \\|$`, 'm').exec(page)?.[1] ?? '';
        // Pages are named together, the door of a folder by its file, tests alone not at all.
        const listed = Object.keys(rows).filter((room) => new RegExp(`\\b${room}\\b`).test(said) && room !== '.');
        const rest = Object.keys(rows).filter((room) => !listed.includes(room));
        expect([...said.matchAll(/[a-z]+/g)].map(([word]) => word).filter((word) => listed.includes(word))).toEqual(
          listed,
        );
        if (folder === 'renderer') expect(said).toContain('the pages');
        else expect(rest).toEqual(folder === 'native' ? ['.'] : ['growth']);
      }
    });
  });

  test('core may not use a Node module, a package or the clock', () => {
    const files = {
      'core/a.ts': "import { readFileSync } from 'node:fs';",
      'core/b.ts': "import sharp from 'sharp';",
      'core/c.ts': 'export const now = () => Date.now();',
      'core/d.ts': "import { z } from 'zod';",
    };
    expect(violationsOf(files)).toEqual(['pure core/a.ts', 'pure core/b.ts', 'pure core/c.ts']);
  });

  test('the desktop host alone may import electron, which the packaged program brings', () => {
    const files = {
      'package.json': '{"devDependencies": {"electron": "1"}}',
      'electron/main.ts': "import 'electron';",
      'studio/a.ts': "import 'electron';",
    };
    expect(violationsOf(files)).toEqual(['no-dev-packages studio/a.ts']);
  });

  test('code that ships may not need a development package; a test may', () => {
    const files = {
      'studio/a.ts': "import { test } from 'vitest';",
      'studio/a.test.ts': "import { test } from 'vitest';",
    };
    expect(violationsOf(files)).toEqual(['no-dev-packages studio/a.ts']);
  });

  test('code that ships may not import what is only for tests, be it types alone; a test and what it uses may', () => {
    const files = {
      'core/a.ts': "import { x } from './x-for-tests.ts';",
      'studio/b.ts': "import type { X } from '../core/x-for-tests.ts';",
      'studio/c.ts': "import { d } from './d.test.ts';",
      'renderer/e.tsx': `const f = () => ${'import'}('../test/support/f.ts');`,
      'core/x-for-tests.ts': 'export type X = 1;\nexport const x = 1;',
      'studio/d.test.ts': "import { x } from '../core/x-for-tests.ts';\nimport { y } from './y-for-tests.ts';",
      'studio/y-for-tests.ts': "import { x } from '../core/x-for-tests.ts';\nimport { f } from '../test/support/f.ts';",
      'test/support/f.ts': "import { x } from '../../core/x-for-tests.ts';",
    };
    expect(violationsOf(files)).toEqual([
      ...['no-test-code core/a.ts', 'no-test-code renderer/e.tsx'],
      ...['no-test-code studio/b.ts', 'no-test-code studio/c.ts'],
    ]);
  });

  test('tools may use the displays and browsers that tests have', () => {
    const files = { 'scripts/a.ts': "import '../test/support/b.ts';", 'test/support/b.ts': '' };
    expect(violationsOf(files)).toEqual([]);
  });

  test('a circle of imports is found, also one of types alone', () => {
    const files = {
      'core/a.ts': "import { b } from './b.ts';",
      'core/b.ts': "import { a } from './a.ts';",
      'core/c.ts': "import type { D } from './d.ts';",
      'core/d.ts': "import type { C } from './c.ts';",
    };
    expect(violationsOf(files)).toEqual(['no-cycles core/a.ts', 'no-cycles core/c.ts']);
  });

  test('a page may bring zod only in a check that is loaded when there is something to check', () => {
    const files = {
      'renderer/shell/main.tsx': `const page = () => ${'import'}('../one/page.tsx');`,
      'renderer/one/page.tsx': `import './kept.ts';\nimport type { S } from '../../schemas/s.ts';`,
      'renderer/one/kept.ts': `const check = () => ${'import'}('./check-kept.ts');`,
      'renderer/one/check-kept.ts': "import { z } from 'zod';\nimport { s } from '../../schemas/s.ts';",
      'schemas/s.ts': "import { z } from 'zod';\nexport type S = 1;\nexport const s = z;",
    };
    expect(violationsOf(files)).toEqual([]);
    const atOnce = { ...files, 'renderer/one/kept.ts': "import './check-kept.ts';" };
    expect(violationsOf(atOnce)).toEqual(['light-pages renderer/one/check-kept.ts', 'light-pages schemas/s.ts']);
    const byCore = {
      ...files,
      'renderer/one/page.tsx': "import '../../core/c.ts';",
      'core/c.ts': "export { s } from '../schemas/s.ts';",
    };
    expect(violationsOf(byCore)).toEqual(['light-pages schemas/s.ts']);
    const otherName = { ...files, 'renderer/one/kept.ts': `const check = () => ${'import'}('../../schemas/s.ts');` };
    expect(violationsOf(otherName)).toEqual(['light-pages schemas/s.ts']);
  });

  test('the pages are followed from the script that the browser is given', () => {
    const html = readFileSync(join(ROOT, 'renderer/index.html'), 'utf8');
    const [, script] = /<script type="module" src="\/([^"]+)">/.exec(html) ?? [];
    expect(script && posix.join('renderer', script)).toBe(PAGES);
  });

  test('an import that leads nowhere is found', () => {
    expect(violationsOf({ 'core/a.ts': "import { b } from './b.ts';" })).toEqual(['resolvable core/a.ts']);
  });
});
