import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lengthInBanner, tagsOfMetadata } from '../../../core/play/sound.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { fileInput, readerOfSound } from '../../../native/ffmpeg/input.ts';

/** Less than one check may take, so that the program ends before the process that waits for it. */
const MOST_MS = 10_000;
const MOST_PRINTED = 4_000_000;

/** The length and the tags of a sound or a video, by ffmpeg, which reads a copy. Rejects with an Error whose message is a part of a sentence. */
export async function readSound(bytes: Buffer): Promise<{ seconds: number | null; tags: Record<string, string> }> {
  const reader = readerOfSound(bytes.subarray(0, 64));
  if (reader === null) throw new Error('it is no sound that is read: MP3, FLAC, Ogg, WAV, MP4 and Matroska are');
  const { path } = await findFfmpeg();
  const folder = mkdtempSync(join(tmpdir(), 'trajectory-studio-check-'));
  try {
    const file = join(folder, 'sound');
    writeFileSync(file, bytes, { mode: 0o600 });
    const args = ['-hide_banner', '-nostdin', ...fileInput(reader, file), '-f', 'ffmetadata', '-'];
    const { status, stdout, stderr, error } = spawnSync(path, args, {
      encoding: 'utf8',
      timeout: MOST_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MOST_PRINTED,
    });
    if (error) throw error;
    if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1) ?? `ffmpeg ended with status ${status}`);
    return { seconds: lengthInBanner(stderr), tags: tagsOfMetadata(stdout) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
