import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MOST_LISTED } from '../../schemas/api/folders.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { listFolder, nearestFolder } from './list-folder.ts';

const folders = temporaryFolders();
afterAll(() => folders.clean());

const isWindows = process.platform === 'win32';
const FOLDERS = { starts: '', endings: [] };

function filled(names: readonly string[]): string {
  const dir = folders.make();
  for (const name of names) {
    if (name.endsWith('/')) mkdirSync(join(dir, name));
    else writeFileSync(join(dir, name), 'x');
  }
  return dir;
}

const names = async (dir: string, wanted: Parameters<typeof listFolder>[1]): Promise<string[]> =>
  (await listFolder(dir, wanted)).entries.map(({ name, kind }) => (kind === 'folder' ? `${name}/` : name));

test('folders first, then the files of the wanted ends, in any case, by name with numbers as numbers', async () => {
  const dir = filled(['take 10/', 'Take 2/', 'b.TAR', 'a.tar', 'a.tar.gz', 'notes.txt']);
  expect(await names(dir, FOLDERS)).toEqual(['Take 2/', 'take 10/']);
  expect(await names(dir, { starts: '', endings: ['.tar'] })).toEqual(['Take 2/', 'take 10/', 'a.tar', 'b.TAR']);
  const { dir: shown, parent } = await listFolder(dir, FOLDERS);
  expect([shown, `${dir}${sep}`.startsWith(parent!)]).toEqual([`${dir}${sep}`, true]);
  expect((await listFolder(isWindows ? dir.slice(0, 3) : '/', FOLDERS)).parent).toBeNull();
});

test('the beginning of a name narrows it; hidden ones are counted, and shown to who types a dot', async () => {
  const dir = filled(['work/', 'Workshop/', 'other/', '.config/', '.cache/', '.file']);
  expect(await names(dir, { starts: 'WORK', endings: [] })).toEqual(['work/', 'Workshop/']);
  expect(await listFolder(dir, FOLDERS)).toMatchObject({ fitting: 3, hidden: 2, whole: true });
  expect(await names(dir, { starts: '.', endings: [] })).toEqual(['.cache/', '.config/']);
  expect(await names(dir, { starts: '.co', endings: [] })).toEqual(['.config/']);
});

test.skipIf(isWindows)('links count as what they lead to; those that lead nowhere or in a circle do not', async () => {
  const dir = filled(['real/', 'a.tar']);
  symlinkSync(join(dir, 'real'), join(dir, 'to folder'));
  symlinkSync(join(dir, 'a.tar'), join(dir, 'to file.tar'));
  symlinkSync(join(dir, 'gone'), join(dir, 'dead'));
  symlinkSync(join(dir, 'circle'), join(dir, 'circle'));
  const { entries } = await listFolder(dir, { starts: '', endings: ['.tar'] });
  expect(entries).toEqual([
    { name: 'real', kind: 'folder', link: false },
    { name: 'to folder', kind: 'folder', link: true },
    { name: 'a.tar', kind: 'file', link: false },
    { name: 'to file.tar', kind: 'file', link: true },
  ]);
});

test.skipIf(isWindows)(
  'hostile names: what a field cannot hold is counted, everything else is given as it is',
  async () => {
    const odd = [
      '<img src=x onerror=alert(1)>/',
      '-rf/',
      '$(reboot)/',
      "it's/",
      'back\\slash/',
      'שלום/',
      '漢字/',
      '%2e%2e/',
    ];
    const dir = filled([...odd, 'line\nbreak/', 'bell\u0007/', 'end /', ' begin/']);
    mkdirSync(Buffer.concat([Buffer.from(`${dir}/latin`), Buffer.from([0xe9])]));
    const { entries, untypable } = await listFolder(dir, FOLDERS);
    expect(entries.map(({ name }) => `${name}/`).toSorted()).toEqual(odd.toSorted());
    expect(untypable).toBe(5);
  },
);

test('what cannot be listed says what, where and what to do', async () => {
  const dir = filled(['file', 'shut/']);
  const gone = join(dir, 'gone');
  await expect(listFolder(gone, FOLDERS)).rejects.toMatchObject({
    code: 'UNKNOWN_FILE',
    message: `There is no folder ${gone}. Check how it is written, or choose another one.`,
  });
  await expect(listFolder(join(dir, 'file'), FOLDERS)).rejects.toMatchObject({
    code: 'BAD_FILE',
    message: expect.stringMatching(/file cannot be listed: .* is a file .* Choose another folder\.$/),
  });
});

test.skipIf(isWindows)('a folder that this user may not read says so', () => {
  const dir = filled(['shut/']);
  const shut = join(dir, 'shut');
  chmodSync(dir, 0o755);
  chmodSync(shut, 0o000);
  // Root may read everywhere, so another user asks; without root, the mode alone forbids it.
  const asOther = process.getuid?.() === 0 ? { uid: 65534 } : {};
  const script = `import { listFolder } from ${JSON.stringify(join(import.meta.dirname, 'list-folder.ts'))};
    await listFolder(process.argv[1], { starts: '', endings: [] }).catch(({ code, message }) => console.log(code, message));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, shut], {
    encoding: 'utf8',
    ...asOther,
  });
  chmodSync(shut, 0o700);
  expect(stdout).toBe(
    `NO_PERMISSION This user may not look into ${shut}. Choose another folder, or give yourself the permission to read it.\n`,
  );
});

test('of 100,000 entries the first are given and all are counted; the beginning of a name finds the last one', async () => {
  const dir = folders.make();
  for (let i = 0; i < 100_000; i++) writeFileSync(join(dir, `${i}.tar`), '');
  mkdirSync(join(dir, 'zz last'));
  const wanted = { starts: '', endings: ['.tar'] };
  const all = await listFolder(dir, wanted);
  expect(all).toMatchObject({ fitting: 100_001, whole: true });
  expect(all.entries).toHaveLength(MOST_LISTED);
  expect(all.entries.slice(0, 3).map(({ name }) => name)).toEqual(['zz last', '0.tar', '1.tar']);
  expect(all.entries.at(-1)!.name).toBe(`${MOST_LISTED - 2}.tar`);
  expect(await names(dir, { starts: '99999', endings: ['.tar'] })).toEqual(['99999.tar']);
  const part = await listFolder(dir, { ...wanted, mostLooked: 1000 });
  expect(part).toMatchObject({ fitting: 1000, whole: false });
}, 120_000);

test('the nearest folder above one that is not there', async () => {
  const dir = filled(['file']);
  expect(await nearestFolder(join(dir, 'a', 'b'))).toBe(dir);
  expect(await nearestFolder(join(dir, 'file', 'b'))).toBe(dir);
  expect(await nearestFolder(dir)).toBe(dir);
});
