import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeOf } from './home.ts';

/**
 * Programs on a stage see its home under one path, the same on every stage, so that titles and file dialogs look alike; and no
 * network unless they may. Both by namespaces of Linux, for which root or "unprivileged user namespaces" are needed.
 */
export type Isolation = {
  /** The home's path as the programs see it. */
  home: string;
  /** Words that stand before a program. */
  prefix: readonly string[];
  /** Limits of the system, in words. */
  notes: readonly string[];
};

/** $1: the stage's home, $2: where programs see it; then, for a person who is not root, their numbers; then the program. */
const AS_ROOT = 'mount --bind "$1" "$2" && shift 2 && cd "$HOME" && exec "$@"';
const AS_PERSON =
  'mount --bind "$1" "$2" && u="$3" g="$4" && shift 4 && cd "$HOME" && exec unshare --user --map-user="$u" --map-group="$g" -- "$@"';

export function isolate(id: string, network: boolean): Isolation {
  const home = homeOf(id);
  const shown = sharedPlace();
  const net = network ? [] : ['--net'];
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const ways: { home: string; prefix: string[]; notes: string[] }[] = [];
  const withHome = (flags: string[]): string[] =>
    uid === 0
      ? ['unshare', '--mount', ...flags, 'sh', '-c', AS_ROOT, 'sh', home, shown ?? '']
      : [
          'unshare',
          '--map-root-user',
          '--mount',
          ...flags,
          'sh',
          '-c',
          AS_PERSON,
          'sh',
          home,
          shown ?? '',
          `${uid}`,
          `${gid}`,
        ];
  const otherPath =
    'The home of the stage has another path each time, which titles and dialogs may show: this system allows no mounts to programs of yours (user namespaces).';
  const online = 'The network could not be turned off for the programs on the stage: this system does not allow it.';
  if (shown !== null) {
    ways.push({ home: shown, prefix: withHome(net), notes: [] });
    if (!network) ways.push({ home: shown, prefix: withHome([]), notes: [online] });
  }
  if (!network) {
    ways.push({ home, prefix: ['unshare', '--net'], notes: [otherPath] });
    ways.push({ home, prefix: ['unshare', '--user', '--map-current-user', '--net'], notes: [otherPath] });
  }
  const works = ways.find(({ home: seen, prefix: [command = '', ...args] }) => {
    const { status } = spawnSync(command, [...args, 'true'], {
      timeout: 5000,
      env: { PATH: process.env.PATH, HOME: seen },
    });
    return status === 0;
  });
  return works ?? { home, prefix: [], notes: network ? [otherPath] : [otherPath, online] };
}

/**
 * The folder under which each stage's programs see their home: one name for everybody, so that a play looks like its
 * demonstration; one with the person's number where the first is somebody else's. Null when neither can be had.
 */
export function sharedPlace(): string | null {
  const uid = process.getuid?.() ?? 0;
  for (const name of ['stage-home', `stage-home-${uid}`]) {
    const place = join(tmpdir(), name);
    try {
      mkdirSync(place, { recursive: true, mode: 0o700 });
      const info = lstatSync(place);
      if (info.isDirectory() && info.uid === uid) return place;
    } catch {
      // The next name.
    }
  }
  return null;
}
