import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { squareVideo } from '../import/videos-for-tests.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

let dir: string;
let video: string;
beforeAll(() => {
  dir = folders.make();
  video = join(dir, 'lesson.mp4');
  const squares = [
    { t: 0, x: 40, y: 40 },
    { t: 1.5, x: 160, y: 90 },
  ];
  squareVideo(video, 3, squares);
});

async function cli(...args: string[]) {
  const { status, stdout: out, stderr: err } = await runHere(args);
  return { status, out, err };
}

describe('import', () => {
  test('a video: what it lost and guessed is printed, its keyframes are made; --json says the same', async () => {
    const w = join(dir, 'w1');
    const { status, out, err } = await cli(
      'import',
      video,
      '-w',
      w,
      '--app',
      'GIMP',
      '--goal',
      'Move it',
      '--share',
      '0.01',
    );
    expect([status, err]).toEqual([0, expect.stringContaining('looking at the pictures')]);
    expect(out).toMatch(
      /^Imported \S+ \(GIMP_1: Move it\)\.\n {2}guessed: when it was made: .*\n {2}guessed: its steps \(1\)/s,
    );
    const [id] = readdirSync(join(w, 'recordings'));
    expect(readdirSync(join(w, 'recordings', id!, 'keyframes'))).toContain('index.json');
    expect(existsSync(join(w, 'recordings', id!, 'screen.mp4'))).toBe(true);
    const json = await cli('import', video, '-w', join(dir, 'w2'), '--share', '0.01', '--json');
    expect(JSON.parse(json.out)).toMatchObject({ recording: id, lost: [], warnings: [] });
  });

  test.each([
    ['--transcript', 'talk.srt', 'transcript'],
    ['--every', '2s', '--every'],
    ['--rule', 'K10', '--rule'],
    ['--share', '0.2', '--share'],
    ['--gap', '0', '--gap'],
  ])('%s for a recording, which is no video, is refused and nothing is imported', async (option, value, name) => {
    const source = writeSample(folders.make(), sampleRecording());
    const w = join(folders.make(), 'w');
    const { status, err } = await cli('import', source, '-w', w, option, value);
    expect([status, err]).toEqual([2, expect.stringContaining(`\`${name}\` is for videos; this is a recording`)]);
    expect(existsSync(join(w, 'recordings', sampleRecording().id))).toBe(false);
  });

  test('--preview needs no workspace and imports nothing', async () => {
    const { status, out } = await cli(
      'import',
      video,
      '--preview',
      join(dir, 'sheet'),
      '--share',
      '0.01',
      '--every',
      '500ms',
      '--gap',
      '0',
    );
    expect([status, out]).toEqual([0, expect.stringMatching(/^2 of \d pictures would be kept: .*contact-sheet\.png/)]);
    expect(readdirSync(join(dir, 'sheet'))).toEqual(['contact-sheet.png', 'index.json']);
  });

  test.each([
    ['no workspace', [], 2, '--workspace DIR'],
    ['a share over 1', ['-w', 'W', '--share', '7'], 2, '--share "7"'],
    ['an interval that is none', ['-w', 'W', '--every', 'often'], 2, '--every "often"'],
    ['a kind that is none', ['-w', 'W', '--as', 'film'], 2, '--as'],
  ])('%s: exit %s', async (_what, args, status, message) => {
    const at = args.map((arg) => (arg === 'W' ? join(dir, 'never') : arg));
    const answer = await cli('import', video, ...at);
    expect([answer.status, answer.err]).toEqual([status, expect.stringContaining(message)]);
    expect(existsSync(join(dir, 'never'))).toBe(false);
  });

  test('what is no video has the exit status of a bad file', async () => {
    const file = join(dir, 'no.mp4');
    writeFileSync(file, 'hello');
    const { status, err } = await cli('import', file, '-w', join(dir, 'w3'));
    expect([status, err]).toEqual([6, expect.stringContaining('no video that is taken')]);
  });
});

describe('archive', () => {
  test('export, check, import, also by the command that tells what a file is', async () => {
    const w = join(dir, 'a1');
    openWorkspace(w, { create: true }).close();
    writeSample(join(w, 'recordings'), sampleRecording({ id: 'aa', segments: [] }), [
      { type: 'move', t: 1, x: 1, y: 1 },
    ]);
    const tar = join(dir, 'a.tar');
    const made = await cli('archive', 'export', '-w', w, '--out', tar, '--json');
    expect(JSON.parse(made.out)).toMatchObject({ recordings: ['aa'], resumed: 0, leftOut: [] });
    expect((await cli('archive', 'check', tar)).out).toMatch(/^Sound: 1 recording, \d+ files/);
    expect((await cli('archive', 'import', tar, '-w', join(dir, 'a2'))).out).toBe('Imported 1 recording.\n');
    expect((await cli('archive', 'import', tar, '-w', join(dir, 'a2'))).out).toContain('1 were here already');
    const told = await cli('import', tar, '-w', join(dir, 'a3'), '--app', 'GIMP');
    expect([told.status, told.err]).toEqual([2, expect.stringContaining('is an archive, which brings the software')]);
    expect((await cli('import', tar, '-w', join(dir, 'a3'))).out).toBe('Imported 1 recording.\n');
    expect((await cli('archive', 'export', '-w', w, '--out', tar)).status).toBe(9);
    expect((await cli('archive', 'export', '-w', w, '--out', join(dir, 'b.tar'), '--state', 'approved')).status).toBe(
      9,
    );
    execFileSync('sh', ['-c', `printf x | dd of='${tar}' bs=1 seek=3000 conv=notrunc 2>/dev/null`]);
    expect((await cli('archive', 'check', tar)).status).toBe(6);
  });
});
