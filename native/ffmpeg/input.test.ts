import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeFrames } from './decode.ts';
import { type FfmpegInfo, findFfmpeg } from './find.ts';
import { makePlayback } from './jobs.ts';
import { fpsModeArgs } from './master.ts';
import { probeVideo } from './video-file.ts';

const W = 64;
const H = 48;

let dir: string;
let ffmpeg: FfmpegInfo;
/** A red video of the person, which no recording may show. */
let secret: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'input-'));
  ffmpeg = await findFfmpeg();
  secret = join(dir, 'private.mp4');
  red(secret, 'mp4');
  red(join(dir, 'private.ts'), 'mpegts');
});
afterAll(() => rmSync(dir, { recursive: true }));

function red(file: string, format: string, more: string[] = []): void {
  const source = ['-f', 'lavfi', '-i', `color=c=red:size=${W}x${H}:rate=5:duration=1`];
  execFileSync(ffmpeg.path, ['-v', 'error', '-y', ...source, ...more, '-c:v', 'libx264', '-f', format, file]);
}

/** Files that lead ffmpeg to the private video, when it is left to guess what they are. */
const LURES: Record<string, () => string> = {
  'a playlist': () => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
  'a playlist of a stream': () =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${join(dir, 'private.ts')}\n#EXT-X-ENDLIST\n`,
  'a list of files': () => `ffconcat version 1.0\nfile ../private.mp4\n`,
  'a list of files in the folder': () => `ffconcat version 1.0\nfile list.m3u8\n`,
  'a DASH manifest': () =>
    `<?xml version="1.0"?><MPD type="static" mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="0" bandwidth="1" width="${W}" height="${H}"><BaseURL>file://${secret}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  'a video of another container': () => readFileSync(secret, 'latin1'),
};

let made = 0;
function recordingWith(content: string): string {
  const folder = join(dir, `recording-${made++}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'list.m3u8'), LURES['a playlist']!());
  const file = join(folder, 'screen.mkv');
  writeFileSync(file, content, 'latin1');
  return file;
}

async function decoded(file: string): Promise<number> {
  let pictures = 0;
  const source = { file, blocks: [{ pts: 0, key: true }], width: W, height: H };
  const tool = { path: ffmpeg.path, fpsMode: fpsModeArgs(ffmpeg) };
  await decodeFrames(tool, source, [0], () => {
    pictures++;
  }).catch(() => undefined);
  return pictures;
}

async function played(file: string): Promise<boolean> {
  const output = `${file}.mp4`;
  const segments = [{ file, width: W, height: H, t: 0 }];
  await makePlayback({ ffmpeg, segments, frames: 1, output }).catch(() => undefined);
  return existsSync(output);
}

describe('a master that is something else', () => {
  for (const [what, content] of Object.entries(LURES)) {
    it(`is not read: ${what}`, async () => {
      const file = recordingWith(content());
      expect(await decoded(file)).toBe(0);
      expect(await played(file)).toBe(false);
      await expect(probeVideo(ffmpeg, file, 'matroska')).rejects.toMatchObject({ code: 'BAD_FILE' });
    });
  }

  it('shows its own pictures and nothing of its attachments', async () => {
    const playlist = recordingWith(LURES['a playlist']!());
    const file = recordingWith('');
    red(file, 'matroska', ['-attach', playlist, '-metadata:s:t', 'mimetype=application/x-mpegURL']);
    expect(await decoded(file)).toBe(1);
    expect(await played(file)).toBe(true);
  });
});

describe('names', () => {
  it.each(['concat:a|b.mkv', '-i', 'http:evil.mkv', "it's %03d [x].mkv"])(
    'are names, whatever they look like: %s',
    async (name) => {
      const folder = join(dir, `names-${made++}`);
      mkdirSync(folder);
      red(join(folder, 'plain.mkv'), 'matroska');
      writeFileSync(join(folder, name), readFileSync(join(folder, 'plain.mkv')));
      const before = process.cwd();
      // Relative, as a person may name it on the command line.
      process.chdir(folder);
      try {
        expect(await decoded(name)).toBe(1);
        expect((await probeVideo(ffmpeg, name, 'matroska')).width).toBe(W);
      } finally {
        process.chdir(before);
      }
    },
  );
});

describe('the sources', () => {
  it('name an input of ffmpeg in input.ts alone', () => {
    const root = join(import.meta.dirname, '..', '..');
    const files = globSync('{schemas,core,native,studio,electron}/**/*.ts', { cwd: root }).map((name) =>
      name.replaceAll('\\', '/'),
    );
    expect(files.length).toBeGreaterThan(300);
    const found = files.filter((name) => {
      if (/\.test\.ts$|-for-tests\.ts$/.test(name) || name === 'native/ffmpeg/input.ts') return false;
      const source = readFileSync(join(root, name), 'utf8');
      // fluent-ffmpeg takes its inputs as the first argument and by methods, too; in jobs.ts they come out of input.ts.
      const fluent =
        name === 'native/ffmpeg/jobs.ts'
          ? /ffmpegCommand\(['"`\w]|\.addInput\(|\.input\((?!name\))/
          : /fluent-ffmpeg|\bffprobe\b/;
      return /(['"`])-i\1/.test(source) || fluent.test(source);
    });
    expect(found).toEqual([]);
  });
});
