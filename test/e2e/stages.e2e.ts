import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { errorBody } from '../../schemas/errors.ts';
import { listStages } from '../../studio/play/stage/home.ts';
import { processesOf } from '../../studio/play/stage/processes.ts';
import { setStage } from '../../studio/play/stage/set-stage.ts';
import type { VirtualStage } from '../../studio/play/stage/stage.ts';
import { stageWishes } from '../../studio/play/stage/wishes-for-tests.ts';
import { smallDisk } from '../../studio/store/small-disk-for-tests.ts';
import { ownTempFolder } from '../support/own-temp.ts';
import { until } from '../support/until.ts';

/** Stages come and go all day on a machine that verifies: none of them may leave anything. */

/** Folders of this file's own: other stages of the machine come and go while it runs. */
const own = ownTempFolder();

const MANY = 20;

it('twenty in a row, with a program that does not hear SIGTERM and forks, leave no process, socket, display or file', async () => {
  const stubborn = `trap '' TERM; (trap '' TERM; exec setsid sleep 600) & sleep 600`;
  for (let n = 0; n < MANY; n++) {
    // Each with another screen, so that nothing of the one before can be taken for it.
    const screen = { width: 640 + 16 * n, height: 480 };
    const files = [{ text: `${n}`, to: 'n.txt' }];
    const stage = await setStage(stageWishes({ screen, files, programs: [shell(stubborn)] }));
    const { id, display } = stage;
    expect(stage).toMatchObject(screen);
    expect(processesOf(id).length).toBeGreaterThanOrEqual(5);
    // Every other one loses its display before it is ended.
    const server = serverOf(id);
    expect(holds(server, display)).toBe(true);
    if (n % 2 === 1) process.kill(server, 'SIGKILL');
    await stage.end();
    expect(processesOf(id)).toEqual([]);
    expect(existsSync(stage.home)).toBe(false);
    // Another's display may have the number by now: what counts is that this server holds no socket and has gone.
    expect(holds(server, display)).toBe(false);
  }
  expect(leftIn(own.path)).toEqual([]);
}, 240_000);

it('two at once do not meet: each has files, a bus and a display that the other cannot reach', async () => {
  const tell = `echo "$MINE" > ~/mine; dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetId > ~/bus; echo >> ~/bus; sleep 600`;
  const made = await Promise.all(
    ['one', 'two'].map((MINE) => setStage(stageWishes({ programs: [{ ...shell(tell), env: { MINE } }] }))),
  );
  endAfter(made);
  const said = (name: string): Promise<string[]> =>
    until(name, () => {
      const all = made.map(({ home }) => textAt(join(home, name)));
      return all.every((text) => text.endsWith('\n')) ? all.map((text) => text.trim()) : null;
    });
  expect(await said('mine')).toEqual(['one', 'two']);
  const buses = await said('bus');
  expect(new Set(buses.filter((id) => id !== '')).size).toBe(2);
  const [one, two] = made;
  const reach = (DISPLAY: string | undefined): number | null =>
    spawnSync('xdpyinfo', [], { env: { ...process.env, ...one?.env, DISPLAY } }).status;
  expect(reach(one?.display)).toBe(0);
  expect(reach(two?.display)).not.toBe(0);
});

it('programs have no network unless the recipe asks', async (test) => {
  // Not the loopback address, which a stage with a network does not reach either (cage.e2e.ts).
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const host = all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (host === undefined) return test.skip('this machine has no address but its own');
  const server = createServer((socket) => socket.end()).listen(0, host);
  onTestFinished(() => void server.close());
  await until('the server listens', () => server.listening || null);
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const ask = `(exec 3<>/dev/tcp/${host}/${port}) && echo yes > ~/network || echo no > ~/network; sleep 600`;
  const answer = async (network: boolean): Promise<string> => {
    const stage = await setStage(stageWishes({ network, programs: [{ command: 'bash', args: ['-c', ask] }] }));
    try {
      return await until('the answer', () => textAt(join(stage.home, 'network')).trim() || null);
    } finally {
      await stage.end();
    }
  };
  expect(await answer(true)).toBe('yes');
  expect(await answer(false)).toBe('no');
});

it('a program that fills the disk is ended with its stage, and what it wrote is gone', async (test) => {
  const folder = join(own.path, 'disk');
  const disk = smallDisk(folder, 40 * 2 ** 20);
  if (!disk) return test.skip('needs root to mount a small disk');
  process.env.TMPDIR = folder;
  onTestFinished(() => {
    process.env.TMPDIR = own.path;
    disk.remove();
  });
  const fill = 'while :; do cat /dev/zero >> ~/full; sleep 0.05; done';
  // It may be ended while it is set up still.
  const stage = await setStage(stageWishes({ programs: [shell(fill)] })).catch((error: unknown) => errorBody(error));
  if ('end' in stage) {
    endAfter([stage]);
    await until('the end of the stage', () => processesOf(stage.id).length === 0 || null);
    expect(await stage.end()).toMatch(/had written more than \d+ MB/);
  } else {
    expect(stage).toMatchObject({ code: 'DISK_FULL', message: expect.stringMatching(/had written more than \d+ MB/) });
  }
  expect(listStages()).toEqual([]);
  expect(leftIn(folder)).toEqual([]);
  // Another one there says what is wrong, and leaves nothing either.
  disk.fill();
  await expect(setStage(stageWishes())).rejects.toSatisfy((error) => errorBody(error).code === 'DISK_FULL');
  disk.free();
  expect(leftIn(folder)).toEqual([]);
});

const shell = (script: string) => ({ command: 'sh', args: ['-c', script] });
const textAt = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const endAfter = (stages: readonly VirtualStage[]): void =>
  onTestFinished(async () => {
    for (const stage of stages) await stage.end();
  });

/** The empty folder over which each stage's home is laid, for its own programs alone, is one for all. */
const leftIn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => (name === 'stage-home' ? readdirSync(join(folder, name)) : [name]));

/**
 * Whether this process listens at the display's socket: its own inode in the kernel's list of its own network, whoever else has
 * the number.
 */
function holds(pid: number, display: string): boolean {
  const path = `/tmp/.X11-unix/X${display.slice(1)}`;
  try {
    const inodes = readFileSync(`/proc/${pid}/net/unix`, 'latin1')
      .split('\n')
      .filter((line) => line.endsWith(` ${path}`))
      .map((line) => `socket:[${line.trim().split(/\s+/)[6]}]`);
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const to = readlink(`/proc/${pid}/fd/${fd}`);
      return to !== null && inodes.includes(to);
    });
  } catch {
    return false; // The process is gone.
  }
}

function readlink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // It was closed meanwhile.
  }
}

function serverOf(id: string): number {
  const server = processesOf(id).find((pid) => textAt(`/proc/${pid}/comm`) === 'Xvfb\n');
  if (server === undefined) throw new Error('the stage has no display');
  return server;
}
