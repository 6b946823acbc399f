import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readCommands, readPath } from './channels.ts';
import { openLog } from './log.ts';
import { readMemory, writeMemory } from './memory.ts';
import { settingsPage } from './permissions.ts';
import { studioProgram } from './program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'studio-host-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('logs', () => {
  test('have the time of each line, and never grow without end', () => {
    const log = openLog(join(folder, 'logs'), 'host', () => new Date(0));
    log.write('started\nstudio: it printed “hunter2”\n');
    const file = join(folder, 'logs', 'host.log');
    const common = { time: '1970-01-01T00:00:00.000Z', level: 'info', from: 'desktop', pid: process.pid };
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { ...common, what: 'started' },
      { ...common, what: 'studio', detail: 'it printed “hunter2”' },
    ]);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'x'.repeat(2_000_001));
    log.write('three');
    expect(statSync(file).size).toBeLessThan(200);
    expect(existsSync(join(folder, 'logs', 'host.old.log'))).toBe(true);
  });

  test('stop nobody when they cannot be written', () => {
    writeFileSync(join(folder, 'file'), '');
    openLog(join(folder, 'file'), 'host').write('x');
    expect(statSync(join(folder, 'file')).size).toBe(0);
  });
});

describe('what the host remembers', () => {
  const memory = { bounds: { x: 1, y: 2, width: 3, height: 4 }, maximized: true, recordPage: '/w/a/tasks/b/record' };

  test('comes back as it was written', () => {
    writeMemory(join(folder, 'new', 'windows.json'), memory);
    expect(readMemory(join(folder, 'new', 'windows.json'))).toEqual(memory);
  });

  test.each(['', '[]', '7', '{"bounds":{"x":"1"},"recordPage":"https://x/"}', '{'])('%j counts as nothing', (text) => {
    writeFileSync(join(folder, 'w.json'), text);
    expect(readMemory(join(folder, 'w.json'))).toEqual({ bounds: null, maximized: false, recordPage: null });
  });
});

describe('calls of a page', () => {
  const command = { id: 'a', label: 'A', group: 'G', key: 'Ctrl+A', enabled: true };

  test('are taken when they have the shape, and nothing more of them', () => {
    expect(readCommands([{ ...command, more: 1 }])).toEqual([command]);
    expect(readPath('/x')).toBe('/x');
  });

  test('are refused otherwise', () => {
    for (const wrong of [undefined, {}, [7], [{ ...command, label: 'x'.repeat(201) }], [{ ...command, key: 1 }]])
      expect(readCommands(wrong)).toBeNull();
    for (const wrong of ['', 7, null, 'x'.repeat(5000)]) expect(readPath(wrong)).toBeNull();
  });

  test('only the three permissions of macOS have a page of the settings', () => {
    expect(settingsPage('accessibility')).toContain('Privacy_Accessibility');
    for (const wrong of ['camera', '__proto__', 'constructor', null, 7]) expect(settingsPage(wrong)).toBeNull();
  });
});

describe('the studio’s program', () => {
  const here = {
    resources: '/app/resources',
    root: '/project',
    electron: '/app/studio',
    env: { NODE_OPTIONS: '--inspect', LANG: 'C' },
  };

  test('packaged: Electron in Node mode, whatever the environment says', () => {
    const env = { ...here.env, TRAJECTORY_STUDIO_NODE: '/tmp/evil' };
    expect(studioProgram({ ...here, isPackaged: true, env })).toEqual({
      command: '/app/studio',
      args: [join('/app/resources', 'studio', 'studio', 'cli', 'main.js')],
      flags: ['--no-build'],
      env: { LANG: 'C', ELECTRON_RUN_AS_NODE: '1' },
    });
  });

  test('from the sources: the Node that started it', () => {
    const env = { ...here.env, TRAJECTORY_STUDIO_NODE: '/usr/bin/node', ELECTRON_RUN_AS_NODE: '1' };
    expect(studioProgram({ ...here, isPackaged: false, env })).toMatchObject({
      command: '/usr/bin/node',
      env: { LANG: 'C' },
    });
    expect(studioProgram({ ...here, isPackaged: false, env }).env.ELECTRON_RUN_AS_NODE).toBeUndefined();
  });
});
