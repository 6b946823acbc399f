import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { compositionSchema } from '../../../schemas/composition.ts';
import type { MemberResult } from '../../../schemas/composition-run.ts';
import { homeOf, stageFolder } from '../../play/stage/home.ts';
import { takeFiles } from './taken-files.ts';

/** Files that go over between stages, of which each is a folder here and its programs are run without a cage. */

const ids = { desktop: '', office: '' };
afterEach(() => {
  for (const id of Object.values(ids)) if (id !== '') rmSync(stageFolder(id), { recursive: true, force: true });
});

function stagesOf() {
  for (const name of ['desktop', 'office'] as const) {
    ids[name] = randomBytes(6).toString('hex');
    for (const part of ['home', 'run']) mkdirSync(join(stageFolder(ids[name]), part), { recursive: true });
  }
  const gone = new Map<string, string>();
  const on = (name: string) => {
    const id = name === 'desktop' ? ids.desktop : ids.office;
    const home = homeOf(id);
    const run = async ({ command, args = [] }: { command: string; args?: readonly string[] }) =>
      void execFileSync(
        command,
        args.map((arg) => arg.replace(/^~/, home)),
      );
    return { stage: { id, home, run } as never, services: [] };
  };
  const [from, to] = [homeOf(ids.desktop), homeOf(ids.office)];
  return { from, to, gone, stages: { on, gone, hasGone: async (name: string) => gone.has(name) } };
}
const composition = (takes: object[]) =>
  compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 5,
    id: 'c',
    kind: 'scenario',
    title: 'C',
    stages: [{ name: 'desktop' }, { name: 'office' }],
    members: [
      { id: 'a', instructions: { base: 'Write it' } },
      { id: 'b', stage: 'office', instructions: { base: 'Send it' }, takes },
    ],
    edges: [{ kind: 'hard', from: 'a', to: 'b' }],
  });
const done = (recording: string | null = '20261129-101010-aaaaaaaa') => [{ member: 'a', recording } as MemberResult];
const taken = (place: ReturnType<typeof stagesOf>, take: object, before = done()) => {
  const one = composition([{ from: 'a', ...take }]);
  const told: string[] = [];
  const wishes = { composition: one, member: one.members[1]!, stages: place.stages, before };
  return takeFiles({ ...wishes, tell: (text) => void told.push(text) }).then((came) => ({ came, told }));
};
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('CP35: every byte arrives, at a place of its own, over what is there, and nothing else stays', async () => {
  const place = stagesOf();
  const bytes = randomBytes(300_001);
  mkdirSync(join(place.from, 'Documents'));
  writeFileSync(join(place.from, 'Documents/it’s $HOME.bin'), bytes);
  const { came, told } = await taken(place, { file: 'Documents/it’s $HOME.bin', to: 'in/a b.bin' });
  const file = { from: 'a', file: 'Documents/it’s $HOME.bin', to: 'in/a b.bin', bytes: 300_001, sha256: sha256(bytes) };
  expect(came).toEqual({ files: [file] });
  expect(readFileSync(join(place.to, 'in/a b.bin'))).toEqual(bytes);
  expect(told[0]).toMatch(/of “a” is handed over from “desktop” as in\/a b.bin \(300001 bytes, SHA-256/);
  writeFileSync(join(place.from, 'Documents/it’s $HOME.bin'), 'other');
  await taken(place, { file: 'Documents/it’s $HOME.bin', to: 'in/a b.bin' });
  expect(readFileSync(join(place.to, 'in/a b.bin'), 'utf8')).toBe('other');
  expect([readdirSync(join(place.to, 'in')), readdirSync(join(stageFolder(ids.office), 'run'))]).toEqual([
    ['a b.bin'],
    [],
  ]);
  // A link in its place goes, and what it leads to stays.
  const outside = join(stageFolder(ids.office), 'outside');
  writeFileSync(outside, 'mine');
  symlinkSync(outside, join(place.to, 'link'));
  await taken(place, { file: 'Documents/it’s $HOME.bin', to: 'link' });
  expect([readFileSync(join(place.to, 'link'), 'utf8'), readFileSync(outside, 'utf8')]).toEqual(['other', 'mine']);
});

test('CP35: a file that is not there, is a link or too large, of a member that was not done, or on a stage that is gone, blocks', async () => {
  const place = stagesOf();
  const why = async (take: object, before = done()) => {
    const { came } = await taken(place, take, before);
    return 'why' in came ? [came.why, came.stageGone] : [];
  };
  expect(await why({ file: 'x' })).toEqual([
    'its file x of “a” is not there: that left no plain file of this name',
    false,
  ]);
  symlinkSync('/etc/passwd', join(place.from, 'x'));
  expect((await why({ file: 'x' }))[0]).toMatch(/no plain file/);
  symlinkSync('/etc', join(place.from, 'folder'));
  expect((await why({ file: 'folder/passwd' }))[0]).toMatch(/no plain file/);
  writeFileSync(join(place.from, 'large'), '');
  truncateSync(join(place.from, 'large'), (64 << 20) + 1);
  expect((await why({ file: 'large' }))[0]).toMatch(/has 65 MB, and at most 64 MB go over/);
  writeFileSync(join(place.from, 'y'), 'y');
  expect((await why({ file: 'y' }, done(null)))[0]).toMatch(/is not there, since that was not done/);
  expect((await why({ file: 'y' }, []))[0]).toMatch(/was not done/);
  place.gone.set('desktop', 'the stage “desktop” gave out');
  expect(await why({ file: 'y' })).toEqual(['its file y of “a” is lost: the stage “desktop” gave out', true]);
  expect(existsSync(join(place.to, 'y'))).toBe(false);
});

test('CP35: a folder goes over with every file in it and their hashes, beside what is there; links within go in its place', async () => {
  const place = stagesOf();
  const [a, b] = [randomBytes(70_000), Buffer.from('b')];
  mkdirSync(join(place.from, 'work/empty'), { recursive: true });
  mkdirSync(join(place.from, 'work/deep/er'), { recursive: true });
  writeFileSync(join(place.from, 'work/it’s $HOME.bin'), a, { mode: 0o755 });
  writeFileSync(join(place.from, 'work/deep/er/b'), b);
  mkdirSync(join(place.to, 'in/work/deep/er'), { recursive: true });
  writeFileSync(join(place.to, 'in/work/own'), 'own');
  const outside = join(stageFolder(ids.office), 'outside');
  writeFileSync(outside, 'mine');
  symlinkSync(outside, join(place.to, 'in/work/deep/er/b'));
  const { came, told } = await taken(place, { folder: 'work', to: 'in/work' });
  const file = (name: string, bytes: Buffer) => {
    return { from: 'a', file: `work/${name}`, to: `in/work/${name}`, bytes: bytes.length, sha256: sha256(bytes) };
  };
  expect(came).toEqual({ files: [file('deep/er/b', b), file('it’s $HOME.bin', a)] });
  expect(readFileSync(join(place.to, 'in/work/it’s $HOME.bin'))).toEqual(a);
  expect(readFileSync(join(place.to, 'in/work/deep/er/b'), 'utf8')).toBe('b');
  expect(readFileSync(outside, 'utf8')).toBe('mine');
  expect(statSync(join(place.to, 'in/work/it’s $HOME.bin')).mode & 0o111).toBe(0o111);
  expect(readdirSync(join(place.to, 'in/work')).sort()).toEqual(['deep', 'empty', 'it’s $HOME.bin', 'own']);
  expect(told).toEqual(['work of “a” is handed over from “desktop” as in/work (2 files, 70001 bytes)']);
  expect(readdirSync(join(stageFolder(ids.office), 'run'))).toEqual([]);
});

test('CP35: a folder that is not there, is a link, holds one or a pipe, too many entries or too much blocks, and nothing of it comes', async () => {
  const place = stagesOf();
  const why = async (folder: string) => {
    const { came } = await taken(place, { folder, to: 'in' });
    return 'why' in came ? came.why : '';
  };
  expect(await why('x')).toBe('its folder x of “a” is not there: that left no folder of this name');
  symlinkSync('/etc', join(place.from, 'x'));
  expect(await why('x')).toMatch(/no folder of this name/);
  writeFileSync(join(place.from, 'file'), '');
  expect(await why('file')).toMatch(/no folder of this name/);
  mkdirSync(join(place.from, 'linked/deep'), { recursive: true });
  symlinkSync('/etc', join(place.from, 'linked/deep/etc'));
  expect(await why('linked')).toMatch(/holds deep\/etc, which is a link or no plain file/);
  mkdirSync(join(place.from, 'piped'));
  execFileSync('mkfifo', [join(place.from, 'piped/pipe')]);
  expect(await why('piped')).toMatch(/holds pipe, which is a link or no plain file/);
  mkdirSync(join(place.from, 'many'));
  for (let n = 0; n < 1001; n++) writeFileSync(join(place.from, `many/${n}`), '');
  expect(await why('many')).toMatch(/holds more than 1,000 files and folders/);
  rmSync(join(place.from, 'many/0'));
  expect(await why('many')).toBe('');
  rmSync(join(place.to, 'in'), { recursive: true });
  mkdirSync(join(place.from, 'large'));
  for (const name of ['a', 'b']) {
    writeFileSync(join(place.from, 'large', name), '');
    truncateSync(join(place.from, 'large', name), 33 << 20);
  }
  expect(await why('large')).toMatch(/has 66 MB, and at most 64 MB go over/);
  expect([existsSync(join(place.to, 'in')), readdirSync(join(stageFolder(ids.office), 'run'))]).toEqual([false, []]);
});
