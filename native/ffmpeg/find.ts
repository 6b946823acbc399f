import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { StudioError } from '../../schemas/errors.ts';
import { calmEncoder } from './master.ts';

export type FfmpegInfo = {
  path: string;
  /** `FFMPEG_PATH`, `ffmpeg-static`, `PATH`. */
  source: string;
  /** The version as ffmpeg prints it: `5.1.9-0+deb12u1`, `n7.1`, `N-118193-g5f38c82536`. */
  version: string;
  major: number;
  minor: number;
  encoders: Set<string>;
  /** Asked for on Windows alone, where one of them grabs the desktop (`ddagrab`); empty elsewhere. */
  filters: Set<string>;
};

/** The same for another process of the studio, as JSON: who has asked tells, so that it is asked once. */
export type ToldFfmpeg = Omit<FfmpegInfo, 'encoders' | 'filters'> & { encoders: string[]; filters: string[] };

export const tellFfmpeg = ({ encoders, filters, ...info }: FfmpegInfo): ToldFfmpeg => ({
  ...info,
  encoders: [...encoders],
  filters: [...filters],
});

export const toldFfmpeg = ({ encoders, filters, ...info }: ToldFfmpeg): FfmpegInfo => ({
  ...info,
  encoders: new Set(encoders),
  filters: new Set(filters),
});

type FindEnv = {
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  /** Path of the ffmpeg-static package's program; null when it is not installed. */
  staticPath?: () => Promise<string | null>;
};

const run = promisify(execFile);
const OLDEST = { major: 4, minor: 4 };
/** Named in messages: the encoder that suits screens best. */
const ENCODER = 'libx264rgb';

const INSTALL: Partial<Record<NodeJS.Platform, string>> = {
  linux:
    'Install it: "sudo apt install ffmpeg" (Debian, Ubuntu), "sudo dnf install ffmpeg" with RPM Fusion enabled (Fedora), "sudo pacman -S ffmpeg" (Arch).',
  darwin: 'Install it: "brew install ffmpeg".',
  win32: 'Install it: "winget install Gyan.FFmpeg", then open a new terminal.',
};

/**
 * The ffmpeg to use: $FFMPEG_PATH, then the ffmpeg-static package, then the PATH.
 * Throws NO_FFMPEG when there is none, FFMPEG_UNSUITABLE when every one found is older than 4.4 or has no encoder
 * that keeps every pixel.
 */
export async function findFfmpeg(options: FindEnv = {}): Promise<FfmpegInfo> {
  const { env = process.env, platform = process.platform, staticPath = packagedFfmpeg } = options;
  const install = INSTALL[platform] ?? 'Install ffmpeg 4.4 or newer with libx264.';
  const wanted = env.FFMPEG_PATH;
  if (wanted) {
    const info = await probeFfmpeg(wanted, 'FFMPEG_PATH', platform).catch((cause: unknown) => {
      throw new StudioError(
        'NO_FFMPEG',
        `FFMPEG_PATH is ${wanted}, but that program does not run. Correct the variable or remove it. ${install}`,
        { path: wanted },
        { cause },
      );
    });
    const problem = unsuitable(info);
    if (problem === null) return info;
    throw unsuitableError([problem], install);
  }
  const problems: string[] = [];
  const candidates: [string, string][] = [];
  const packaged = await staticPath();
  if (packaged !== null) candidates.push([packaged, 'ffmpeg-static']);
  const onPath = await findOnPath(env, platform);
  if (onPath !== null) candidates.push([onPath, 'PATH']);
  for (const [path, source] of candidates) {
    const info = await probeFfmpeg(path, source, platform).catch(() => null);
    const problem = info === null ? `${path} does not run` : unsuitable(info);
    if (info !== null && problem === null) return info;
    if (problem !== null) problems.push(problem);
  }
  if (problems.length > 0) throw unsuitableError(problems, install);
  throw new StudioError(
    'NO_FFMPEG',
    `ffmpeg was not found: FFMPEG_PATH is not set, the ffmpeg-static package is not installed, and no ffmpeg is on the PATH. ${install}`,
  );
}

function unsuitableError(problems: readonly string[], install: string): StudioError {
  return new StudioError(
    'FFMPEG_UNSUITABLE',
    `No suitable ffmpeg: ${problems.join('; ')}. Recording needs ffmpeg ${OLDEST.major}.${OLDEST.minor} or newer with ${ENCODER}. ${install} Or set FFMPEG_PATH to another one.`,
    { problems: [...problems] },
  );
}

/** Why this ffmpeg cannot be used, or null. */
export function unsuitable(info: FfmpegInfo): string | null {
  const old = info.major < OLDEST.major || (info.major === OLDEST.major && info.minor < OLDEST.minor);
  if (old) return `${info.path} is version ${info.version}`;
  if (calmEncoder(info.encoders) === null)
    return `${info.path} (${info.version}) was built without ${ENCODER} or another lossless encoder`;
  return null;
}

type Probed = Omit<FfmpegInfo, 'path' | 'source'>;

/** The programs' answers in this process, by path and file: a start takes a tenth of a second of a processor. */
const answers = new Map<string, Promise<Probed>>();

/** A program's abilities, asked once while its file stays the same. Rejects when it does not run; then it is asked again. */
async function probeFfmpeg(path: string, source: string, platform: NodeJS.Platform): Promise<FfmpegInfo> {
  const file = await stat(path).catch(() => null);
  const key = file && `${path} ${file.ino} ${file.size} ${file.mtimeMs} ${platform}`;
  const answer = (key !== null && answers.get(key)) || askFfmpeg(path, platform);
  if (key !== null) {
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
  }
  const { encoders, filters, ...version } = await answer;
  return { path, source, ...version, encoders: new Set(encoders), filters: new Set(filters) };
}

async function askFfmpeg(path: string, platform: NodeJS.Platform): Promise<Probed> {
  const ask = (what: string) => run(path, [what], { maxBuffer: 4 << 20, timeout: 20_000, windowsHide: true });
  // ffmpeg writes its version to stderr before every answer.
  const [encoders, filters] = await Promise.all([
    ask('-encoders'),
    platform === 'win32' ? ask('-filters').then(({ stdout }) => parseNames(stdout)) : new Set<string>(),
  ]);
  return { ...parseVersion(encoders.stderr), encoders: parseNames(encoders.stdout), filters };
}

/** libavutil's major for each ffmpeg major, for builds from git, which carry no number. */
const AVUTIL_OF_MAJOR = 52;

/** The first lines that ffmpeg writes of itself, as numbers. A git build is told by its libavutil: 56 is ffmpeg 4, 57 is 5, 58 is 6 and so on. */
export function parseVersion(banner: string): { version: string; major: number; minor: number } {
  const version = /^ffmpeg version (\S+)/m.exec(banner)?.[1] ?? 'unknown';
  const release = /^n?(\d+)\.(\d+)/.exec(version);
  if (release) return { version, major: Number(release[1]), minor: Number(release[2]) };
  const avutil = /^libavutil\s+(\d+)\.\s*(\d+)/m.exec(banner);
  if (!avutil) return { version, major: 0, minor: 0 };
  const major = Number(avutil[1]) - AVUTIL_OF_MAJOR;
  // Releases' libavutil minors: 4.4 is 56.70, 5.1 is 57.28, 6.1 is 58.29, 7.1 is 59.39. Below 4.4 nothing is asked.
  const minors: Record<number, number> = { 4: 70, 5: 28, 6: 29, 7: 39 };
  const reached = Number(avutil[2]) >= (minors[major] ?? Number.POSITIVE_INFINITY);
  return { version, major, minor: reached ? (major === 4 ? 4 : 1) : 0 };
}

/** Names out of `-encoders` or `-filters`: the word after the flags. */
export function parseNames(listing: string): Set<string> {
  const names = new Set<string>();
  for (const line of listing.split('\n')) {
    const name = /^ [A-Z.|]{2,6} (\w[\w-]*)\s/.exec(line)?.[1];
    if (name) names.add(name);
  }
  return names;
}

async function findOnPath(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Promise<string | null> {
  const name = platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  for (const folder of (env.PATH ?? env.Path ?? '').split(delimiter)) {
    if (folder === '') continue;
    const path = join(folder, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  return null;
}

/** ffmpeg-static is optional: its default export is the program's path. */
async function packagedFfmpeg(): Promise<string | null> {
  // A variable, so that the type checker does not ask for a package that may be absent.
  const name: string = 'ffmpeg-static';
  try {
    const module: { default?: unknown } = await import(name);
    if (typeof module.default !== 'string') return null;
    // The package may be there without the program, when its download was refused.
    await access(module.default, constants.X_OK);
    return module.default;
  } catch {
    return null;
  }
}
