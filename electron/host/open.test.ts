import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askedFor, isExport, linkedPage, whatIs } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-open-'));
const at = (name: string) => join(folder, name);
beforeAll(() => {
  for (const name of ['workspace', 'recording', 'other']) mkdirSync(at(name));
  writeFileSync(at('workspace/studio.sqlite'), '');
  writeFileSync(at('recording/recording.json'), '{}');
  for (const name of ['take.tstar', 'take.tar', 'notes.txt']) writeFileSync(at(name), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a link', () => {
  test.each([
    ['trajectory-studio://open/settings', '/settings'],
    ['trajectory-studio://open/w/1f2e/recordings/20261121-222814-88vk', '/w/1f2e/recordings/20261121-222814-88vk'],
    ['trajectory-studio://open/w/1f2e/tasks/GIMP_1/record', '/w/1f2e/tasks/GIMP_1/record'],
  ])('%s shows %s', (link, path) => {
    expect(linkedPage(link)).toEqual({ kind: 'page', path });
  });

  test.each([
    'trajectory-studio://open/desktop/bar',
    'trajectory-studio://open/rpc/workspaces/forget',
    'trajectory-studio://open/w/1/recordings/%2e%2e/x',
    'trajectory-studio://open//evil.example',
    'trajectory-studio://open/settings?token=1',
    'trajectory-studio://open/settings#x',
    'trajectory-studio://close/settings',
    'https://open/settings',
    'no link',
  ])('%s shows nothing', (link) => expect(linkedPage(link)).toBeNull());
});

describe('a file or folder', () => {
  test('is a workspace, a recording, its archive, or nothing to us', () => {
    expect(whatIs(at('workspace'))).toEqual({ kind: 'workspace', dir: at('workspace') });
    expect(whatIs(at('workspace/studio.sqlite'))).toEqual({ kind: 'workspace', dir: at('workspace') });
    expect(whatIs(at('recording'))).toEqual({ kind: 'import', path: at('recording') });
    expect(whatIs(at('take.tstar'))).toEqual({ kind: 'import', path: at('take.tstar') });
    expect(whatIs(at('take.tar'))).toEqual({ kind: 'import', path: at('take.tar') });
    for (const path of [at('other'), at('notes.txt'), at('nowhere'), 'take.tstar', `${at('take.tar')}\0`])
      expect(whatIs(path)).toBeNull();
  });

  test('on a command line is the first that means something; flags and other words do not', () => {
    const words = ['--no-sandbox', at('notes.txt'), 'take.tstar', at('workspace')];
    expect(askedFor(words, folder)).toEqual({ kind: 'import', path: at('take.tstar') });
    expect(askedFor([pathToFileURL(at('workspace')).href], '/')).toEqual({ kind: 'workspace', dir: at('workspace') });
    expect(askedFor(['trajectory-studio://open/evil', at('recording')], '/')).toEqual({
      kind: 'import',
      path: at('recording'),
    });
    expect(askedFor([], folder)).toBeNull();
  });
});

describe('a folder that a page asks to show', () => {
  const manifest = (schema: string): string => JSON.stringify({ schema, version: 1, format: 'coco' }, null, 2);
  const made = (name: string, schema = 'trajectory-studio/export'): string => {
    mkdirSync(at(name), { recursive: true });
    writeFileSync(at(`${name}/manifest.json`), manifest(schema));
    return at(name);
  };

  test('is an export of ours, or the folder of several', () => {
    expect(isExport(made('out'))).toBe(true);
    made('several/coco');
    expect(isExport(at('several'))).toBe(true);
  });

  test('is nothing else: other folders, links, bundles that would be started, files, paths that are none', () => {
    made('foreign', 'another/manifest');
    made('Evil.app');
    // A person's folder with an export somewhere in it.
    made('home/for others');
    mkdirSync(at('linked'));
    symlinkSync(at('out/manifest.json'), at('linked/manifest.json'));
    symlinkSync(at('out'), at('link'));
    for (const name of [
      'foreign',
      'home',
      'Evil.app',
      'Evil.app/',
      'linked',
      'link',
      'workspace',
      'notes.txt',
      'nowhere',
    ])
      expect([name, isExport(at(name))]).toEqual([name, false]);
    for (const path of ['out', `${at('out')}\0`, '']) expect(isExport(path)).toBe(false);
  });
});
