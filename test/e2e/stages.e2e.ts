import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recipeSchema } from '../../schemas/play.ts';
import { processesOf } from '../../studio/stage/processes.ts';
import { setStage } from '../../studio/stage/stage.ts';
import { ownTempFolder } from '../support/own-temp.ts';

/** Stages come and go all day on a machine that verifies: none of them may leave anything. */

/** Folders of this file's own: other stages of the machine come and go while it runs. */
const own = ownTempFolder();

const MANY = 20;

it('twenty in a row, with a program that does not hear SIGTERM and forks, leave no process, socket, display or file', async () => {
  const stubborn = `trap '' TERM; (trap '' TERM; exec setsid sleep 600) & sleep 600`;
  for (let n = 0; n < MANY; n++) {
    // Each with another screen, so that nothing of the one before can be taken for it.
    const screen = { width: 640 + 16 * n, height: 480 };
    const recipe = recipeSchema.parse({
      schema: 'trajectory-studio/recipe',
      version: 1,
      screen,
      files: [{ text: `${n}`, to: 'n.txt' }],
      programs: [{ command: 'sh', args: ['-c', stubborn] }],
    });
    const layout = { layout: 'us', variant: '' };
    const stage = await setStage({ recipe, ...screen, layout, fileOf: () => null, task: null, workspace: null });
    const { id, display } = stage.state;
    expect(stage.state).toMatchObject(screen);
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
  // The empty folder over which each stage's home is laid, for its own programs alone, is one for all.
  expect(
    readdirSync(own.path).flatMap((name) => (name === 'stage-home' ? readdirSync(join(own.path, name)) : [name])),
  ).toEqual([]);
}, 240_000);

/** Whether this process listens at the display's socket: its own inode in the kernel's list, whoever else has the number. */
function holds(pid: number, display: string): boolean {
  const path = `/tmp/.X11-unix/X${display.slice(1)}`;
  const inodes = readFileSync('/proc/net/unix', 'latin1')
    .split('\n')
    .filter((line) => line.endsWith(` ${path}`))
    .map((line) => `socket:[${line.trim().split(/\s+/)[6]}]`);
  try {
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

/** The first process of a stage is its display. */
function serverOf(id: string): number {
  const [first] = processesOf(id).toSorted((a, b) => a - b);
  if (first === undefined) throw new Error('the stage has no process');
  return first;
}
