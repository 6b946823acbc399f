import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { stageFolder } from './home.ts';
import { failed, START_MS, withLog } from './place.ts';

/**
 * The network of a cage whose recipe wants one, by slirp4netns: it reaches other machines, but not the servers on the loopback
 * address of this one, nor its abstract sockets, which many programs open to all of its processes.
 */

const PROBE_MS = 5000;
/** Where slirp4netns answers for names of hosts. */
const NAMES = '10.0.2.3';

let known: boolean | null = null;

/** Whether cages can have one on this machine, tried once. */
export function canHaveOwnNetwork(): boolean {
  known ??= tryIt();
  return known;
}

function tryIt(): boolean {
  try {
    accessSync('/dev/net/tun', constants.R_OK | constants.W_OK);
  } catch {
    return false; // In a container without it, or for root alone.
  }
  return spawnSync('slirp4netns', ['--version'], { timeout: PROBE_MS }).status === 0;
}

/** What a person is told where it cannot be. */
export const SHARED_NETWORK =
  'The programs of the stage share this machine’s network: they reach the servers that run on it, those of its loopback address too. Install slirp4netns to keep these apart: "apt install slirp4netns".';

/** The file with the resolver of such a cage, as words for bubblewrap. */
export function ownNames(id: string): string[] {
  const file = join(stageFolder(id), 'resolv.conf');
  writeFileSync(file, `nameserver ${NAMES}\n`, { mode: 0o400 });
  try {
    return ['--ro-bind', file, realpathSync('/etc/resolv.conf')];
  } catch {
    return []; // A system without names.
  }
}

type Cage = {
  id: string;
  /** The first process in it, as this one sees it. */
  inside: number;
  /** It has a namespace of users of its own. */
  ownUsers: boolean;
  /** Ends with the cage, and the network with it. */
  held: Readable;
  env: Readonly<Record<string, string>>;
};

/** Connects a cage; resolves when its programs can use it. Throws CAPTURE_FAILED. */
export async function connect({ id, inside, ownUsers, held, env }: Cage): Promise<void> {
  const users = ownUsers ? [`--userns-path=/proc/${inside}/ns/user`] : [];
  const args = ['--configure', '--mtu=65520', '--disable-host-loopback', ...users, '--exit-fd=4', '--ready-fd=3'];
  const child = withLog(id, 'network', (out) =>
    spawn('slirp4netns', [...args, `${inside}`, 'tap0'], {
      env,
      cwd: '/',
      detached: true,
      stdio: ['ignore', out, out, 'pipe', held],
    }),
  );
  held.destroy(); // Its own copy is what counts.
  child.unref();
  const ready = child.stdio[3] as Readable; // Opened as a pipe above.
  const ended = new Promise<never>((_, fail) => {
    const end = (): void => fail(failed('The network of the stage (slirp4netns) did not start; its log says why.'));
    child.once('error', end);
    child.once('exit', end);
    setTimeout(end, START_MS).unref();
  });
  await Promise.race([once(ready, 'data'), ended]);
  ready.destroy();
}

/**
 * The first process in a cage, out of what bubblewrap says on its `--info-fd`. It says that in pieces, and ends, with the cage,
 * when nobody hears the last of them.
 */
export async function insideOf(info: Readable): Promise<number> {
  let said = '';
  for await (const piece of info) {
    said += String(piece);
    const pid = said.includes('}') ? /"child-pid":\s*(\d+)/.exec(said)?.[1] : undefined;
    if (pid !== undefined) return Number(pid);
  }
  throw failed('bubblewrap did not say what it had started.');
}
