import { describe, expect, test } from 'vitest';
import { freshWorkspaces } from './fresh-for-tests.ts';
import type { Workspace } from './workspace.ts';

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});

describe('software', () => {
  test("a new workspace knows VideoGUI's eleven by their prefixes", async () => {
    const prefixes = ['PPT', 'SD', 'RW', 'PS', 'AE', 'PR', 'CC', 'DV', 'YT', 'WS', 'VLC'];
    const names = await Promise.all(prefixes.map(async (prefix) => (await workspace.findSoftware(prefix)).id));
    expect(names).toEqual([
      'powerpoint',
      'stable-diffusion-webui',
      'runway',
      'photoshop',
      'after-effects',
      'premiere-pro',
      'capcut',
      'davinci-resolve',
      'youtube',
      'web-stock',
      'vlc',
    ]);
  });

  test.each([
    ['gimp', 'gimp'],
    ['GIMP', 'gimp'],
    ['gimp-2.10', 'gimp'],
    ['DaVinci Resolve', 'davinci-resolve'],
    ['davinciresolve', 'davinci-resolve'],
    ['Microsoft PowerPoint', 'powerpoint'],
    ['POWERPNT.EXE', 'powerpoint'],
    ['ppt', 'powerpoint'],
    ['vs code', 'vscode'],
  ])('"%s" is %s', async (query, id) => {
    expect((await workspace.findSoftware(query)).id).toBe(id);
  });

  test('an unknown one is refused with the nearest and with how to add it', async () => {
    await expect(workspace.findSoftware('Fotoshop')).rejects.toMatchObject({
      code: 'UNKNOWN_APP',
      details: { nearest: expect.arrayContaining(['photoshop']) },
      message: expect.stringContaining('software add "Fotoshop"'),
    });
  });

  test.each(['', '!!!', 'soffice.bin'])('"%s", which names none or several, is refused', async (query) => {
    await expect(workspace.findSoftware(query)).rejects.toMatchObject({ code: 'UNKNOWN_APP' });
  });

  test('an added one is found by name, prefix and alias', async () => {
    await workspace.addSoftware({ name: 'Affinity Photo', aliases: ['affinity'] });
    for (const query of ['affinity photo', 'AP', 'Affinity']) {
      expect((await workspace.findSoftware(query)).id).toBe('affinity-photo');
    }
  });

  test('a prefix made from the name avoids those that are taken', async () => {
    expect((await workspace.addSoftware({ name: 'Pixel Studio' })).prefix).toBe('PS2');
  });

  test.each([
    [{ name: 'Gimp' }, 'already GIMP'],
    [{ name: 'Other', prefix: 'PPT' }, 'already PowerPoint'],
    [{ name: 'Other', prefix: 'pp' }, 'cannot be a prefix'],
    [{ name: 'Other', aliases: ['chrome'] }, 'already Chromium'],
    [{ name: '???' }, 'needs a name'],
  ])('%j is refused', async (entry, message) => {
    await expect(workspace.addSoftware(entry)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(message),
    });
  });
});

describe('tasks', () => {
  const gimp = () => workspace.findSoftware('gimp');

  test('without an id a task gets the next free number of its software', async () => {
    const software = await gimp();
    const first = await workspace.ensureTask({ software, goal: 'one' });
    await workspace.ensureTask({ id: 'GIMP_7', software, goal: 'seven' });
    const next = await workspace.ensureTask({ software, goal: 'eight' });
    expect([first.id, next.id]).toEqual(['GIMP_1', 'GIMP_8']);
  });

  test('many at once get a number each', async () => {
    const software = await gimp();
    const made = await Promise.all(Array.from({ length: 20 }, () => workspace.ensureTask({ software, goal: '' })));
    expect(new Set(made.map((task) => task.id)).size).toBe(20);
  });

  test('a given id is used as it is, also with the prefix of another software', async () => {
    const task = await workspace.ensureTask({ id: 'PPT_15', software: await gimp(), goal: 'x' });
    expect(task).toMatchObject({ id: 'PPT_15', software: 'gimp', goal: 'x', state: 'open' });
  });

  test('a known task keeps its goal; one without a goal takes it', async () => {
    const software = await gimp();
    await workspace.ensureTask({ id: 'GIMP_1', software, goal: '' });
    expect((await workspace.ensureTask({ id: 'GIMP_1', software, goal: 'first' })).goal).toBe('first');
    expect((await workspace.ensureTask({ id: 'GIMP_1', software, goal: 'second' })).goal).toBe('first');
  });

  test.each(['ppt_15', 'PPT15', 'PPT_', '_1', '1A_2', 'PPT_1/../x', 'PPT_1 '])('"%s" cannot be an id', async (id) => {
    await expect(workspace.ensureTask({ id, software: await gimp(), goal: 'x' })).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  test("another software's task is refused", async () => {
    await workspace.ensureTask({ id: 'GIMP_1', software: await gimp(), goal: 'x' });
    const vlc = await workspace.findSoftware('vlc');
    await expect(workspace.ensureTask({ id: 'GIMP_1', software: vlc, goal: 'x' })).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  test('an unknown task is refused', async () => {
    await expect(workspace.getTask('GIMP_9')).rejects.toMatchObject({ code: 'UNKNOWN_TASK' });
  });
});
