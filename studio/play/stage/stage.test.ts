import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ownTempFolder } from '../../../test/support/own-temp.ts';
import { bareStage } from './folder-for-tests.ts';
import { listStages, removeStageFolder, stageFolder, thisProcess } from './home.ts';
import { endProcesses, processesOf, STAGE_MARK } from './processes.ts';
import { setStage } from './set-stage.ts';
import { endStage, findStage, keptStages, sweepStages } from './stage.ts';
import { stageWishes } from './wishes-for-tests.ts';

/** Real virtual displays, on Linux; elsewhere a stage says that it cannot be. */
const linux = process.platform === 'linux';

/** A temporary folder of this file's own: other stages of the machine come and go while it runs. */
const own = ownTempFolder();

const folders = (): string[] => readdirSync(own.path).filter((name) => name.startsWith('trajectory-studio-stage-'));

test.runIf(linux)('two stages at once have displays and homes of their own, and leave nothing', async () => {
  const made = await Promise.all(
    [1, 2].map((n) => setStage(stageWishes({ files: [{ text: `${n}`, to: 'a/n.txt' }] }))),
  );
  const [one, two] = made;
  expect(one?.display).not.toBe(two?.display);
  expect(one?.home).not.toBe(two?.home);
  expect(listStages().map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  // A dialog that lists files shows the same in a play as in its demonstration.
  const times = made.map(({ home }) => statSync(join(home, 'a', 'n.txt')).mtimeMs);
  expect(times).toEqual([Date.UTC(2020, 0, 1, 12), Date.UTC(2020, 0, 1, 12)]);
  for (const stage of made) expect(processesOf(stage.id).length).toBeGreaterThanOrEqual(3);
  await Promise.all(made.map((stage) => stage.end()));
  for (const { id, display, home } of made) {
    expect(processesOf(id)).toEqual([]);
    expect(existsSync(home)).toBe(false);
    expect(existsSync(`/tmp/.X11-unix/X${display.slice(1)}`)).toBe(false);
  }
  expect(folders()).toEqual([]);
});

test.runIf(linux)('a program that forks and does not hear SIGTERM is ended with its stage', async () => {
  const id = `test-${process.pid}`;
  const script = `trap '' TERM; for i in 1 2 3; do (trap '' TERM; setsid sleep 300 & sleep 300) & done; sleep 300`;
  spawn('sh', ['-c', script], {
    env: { PATH: process.env.PATH, [STAGE_MARK]: id },
    detached: true,
    stdio: 'ignore',
  }).unref();
  while (processesOf(id).length < 7) await new Promise((done) => setTimeout(done, 20));
  expect(await endProcesses(id)).toEqual([]);
  expect(processesOf(id)).toEqual([]);
});

test.runIf(linux)('a program that threw its environment away, as Chromium does, is ended with its stage', async () => {
  const programs = [{ command: 'env', args: ['-i', 'sleep', '54321'] }];
  const { id, env, home, end } = await setStage(stageWishes({ programs }));
  const isSleep = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('sleep\x0054321');
  const running = processesOf(id).find(isSleep);
  // Where the system allows no mounts to programs, nothing tells such a program from others.
  if (env.HOME !== home) expect(running).toBeDefined();
  await end();
  if (running !== undefined) expect(existsSync(`/proc/${running}`) && isSleep(running)).toBe(false);
});

test.runIf(linux)('a program that is not installed, a missing file, a stop: refused, and nothing is left', async () => {
  await expect(setStage(stageWishes({ programs: [{ command: 'no-such-program' }] }))).rejects.toMatchObject({
    code: 'UNKNOWN_APP',
  });
  await expect(setStage(stageWishes({ files: [{ attachment: 'a.png', to: 'a.png' }] }))).rejects.toMatchObject({
    code: 'UNKNOWN_FILE',
    message: expect.stringContaining('a.png'),
  });
  const programs = [{ command: 'sleep', args: ['300'], window: 'never' }];
  const late = setStage({ ...stageWishes({ programs }), signal: AbortSignal.timeout(1500) });
  await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(folders()).toEqual([]);
});

test.runIf(linux)(
  'a program that fails before its window is there ends the stage at once, with what it printed',
  async () => {
    const programs = [
      { command: 'sleep', args: ['300'] },
      { command: 'sh', args: ['-c', 'echo "note.txt: no such option" >&2; exit 3'], window: 'note' },
    ];
    // It would be waited for longer than a test may take.
    await expect(setStage(stageWishes({ programs }))).rejects.toMatchObject({
      code: 'CAPTURE_FAILED',
      message: expect.stringMatching(
        /“sh” ended \(status 3\) before its window “note” .*printed: “note\.txt: no such option”/,
      ),
    });
    expect(folders()).toEqual([]);
  },
);

test.runIf(linux)('a window that does not come is named, with those that are open instead', async () => {
  const programs = [
    { command: 'xterm', args: ['-title', 'Other words', '-e', 'sleep 300'] },
    { command: 'sleep', args: ['300'], window: 'Report' },
  ];
  await expect(setStage({ ...stageWishes({ programs }), patienceMs: 8000 })).rejects.toMatchObject({
    code: 'CAPTURE_FAILED',
    message: expect.stringMatching(
      /“sleep” with “Report” .* within 8 s\. Open was “Other words”\. It printed nothing\./,
    ),
  });
  expect(folders()).toEqual([]);
});

test.runIf(linux)('one that is kept is ended by the beginning of its id; an unknown one is refused', async () => {
  const { id, isKept } = await setStage({ ...stageWishes(), keep: true });
  expect([isKept, findStage(id).isKept]).toEqual([true, true]);
  await endStage(id.slice(0, 8));
  expect(processesOf(id)).toEqual([]);
  await expect(endStage('nothing')).rejects.toMatchObject({ code: 'UNKNOWN_DISPLAY' });
});

test.runIf(linux)(
  'one that is to be kept leaves nothing when it is stopped, or its process killed, while it is set up',
  async () => {
    const programs = [{ command: 'sleep', args: ['300'], window: 'Never' }];
    const stopped = setStage({ ...stageWishes({ programs }), keep: true, signal: AbortSignal.timeout(1500) });
    await expect(stopped).rejects.toThrow();
    expect(folders()).toEqual([]);
    // The state that `kill -9` leaves before the display is there.
    const owner = { pid: process.pid, started: 'another time' };
    const { id } = bareStage({ task: 'T_1', workspace: own.path, owner });
    spawn('sleep', ['300'], { env: { PATH: process.env.PATH, [STAGE_MARK]: id }, stdio: 'ignore' }).unref();
    await expect.poll(() => processesOf(id).length).toBe(1);
    expect(keptStages(own.path, 'T_1')).toEqual([]);
    expect(() => findStage('T_1')).toThrow(/No stage/);
    await sweepStages();
    expect([processesOf(id), folders()]).toEqual([[], []]);
  },
);

test.runIf(linux)('a folder that nobody may write into goes with its stage; one that cannot go is tried again', () => {
  const state = bareStage();
  const { id } = state;
  const folder = stageFolder(id);
  const inner = join(folder, 'home', 'ro', 'deep');
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(inner, 'f'), 'x');
  for (const one of [inner, join(inner, '..')]) chmodSync(one, 0o555);
  asPerson(() => {
    chmodSync(own.path, 0o555);
    expect(removeStageFolder(state, folder)).toMatch(/cannot be removed: .*EACCES/);
    // By which the next sweep finds it.
    expect(JSON.parse(readFileSync(join(folder, 'stage.json'), 'utf8'))).toEqual(state);
    chmodSync(own.path, 0o755);
    expect(removeStageFolder(state, folder)).toBeNull();
  }, folder);
  expect(folders()).toEqual([]);
});

/** Does `makeStageFolder` or `removeStageFolder` in a process that is killed at its `nth` call of the file system that changes it; gives the signal, or null when it came to its end. */
function killedAt(nth: number, work: 'make' | 'remove'): NodeJS.Signals | null {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const home = await import(${JSON.stringify(new URL('./home.ts', import.meta.url).href)});
    const make = () => home.makeStageFolder({ width: 9, height: 9, task: null, workspace: null, owner: home.thisProcess() });
    const state = ${JSON.stringify(work)} === 'remove' ? make() : null;
    let left = ${nth};
    for (const name of ['mkdirSync', 'writeFileSync', 'renameSync', 'rmSync']) {
      const real = fs[name];
      fs[name] = (...args) => {
        if (left-- === 0) {
          // What removes a folder may be killed at any of its files, in any order.
          if (name === 'rmSync') fs.unlinkSync(args[0] + '/stage.json');
          process.kill(process.pid, 'SIGKILL');
        }
        return real(...args);
      };
    }
    syncBuiltinESMExports();
    if (state) home.removeStageFolder(state);
    else make();`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }).signal;
}

test.runIf(linux).each([
  ['make', [0, 1, 9, 10, 11], 12],
  ['remove', [0, 1], 2],
] as const)('a process that is killed at any moment of this leaves nothing: %s', async (work, moments, end) => {
  for (const nth of moments) {
    expect(killedAt(nth, work), `${nth}`).toBe('SIGKILL');
    await sweepStages();
    expect(folders(), `${nth}`).toEqual([]);
  }
  // The moments above are all kinds there are.
  expect(killedAt(end, work)).toBeNull();
  await sweepStages();
});

/** Does it without the rights of root, to whom no folder is closed: `folder` and the temporary folder are the person's then. */
function asPerson(work: () => void, folder: string): void {
  if (process.geteuid?.() !== 0) {
    work();
    return;
  }
  const nobody = 65_534;
  const above = dirname(own.path);
  const { mode } = statSync(above);
  const parts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  for (const one of [own.path, folder, ...parts]) chownSync(one, nobody, nobody);
  // Whoever runs the tests may have it for themselves alone.
  chmodSync(above, mode | 0o011);
  process.seteuid?.(nobody);
  try {
    work();
  } finally {
    process.seteuid?.(0);
    chmodSync(above, mode);
    chownSync(own.path, 0, 0);
  }
}

test.runIf(linux)('a window that starts as large as the screen is put in its place all the same', async () => {
  const place = { x: 40, y: 30, width: 300, height: 200 };
  const xterm = {
    command: 'xterm',
    args: ['-maximized', '-title', 'Large', '-e', 'sleep 300'],
    window: 'Large',
    place,
  };
  const { env, end } = await setStage(stageWishes({ programs: [xterm] }));
  try {
    const { stdout } = spawnSync('xwininfo', ['-name', 'Large'], { env, encoding: 'utf8' });
    const value = (key: string): number => Number(new RegExp(`${key}:\\s+(-?\\d+)`).exec(stdout)?.[1]);
    // The window manager's frame lies around it, and a terminal is as wide as whole letters.
    expect(value('Absolute upper-left X') - place.x).toBeLessThan(30);
    expect(value('Absolute upper-left X')).toBeGreaterThanOrEqual(place.x);
    expect(Math.abs(value('Width') - place.width)).toBeLessThan(20);
  } finally {
    await end();
  }
});

test.runIf(linux)('a folder that somebody else put there is no stage, and ends and removes nothing', async () => {
  const state = (id: string) =>
    JSON.stringify({ id, display: ':99', width: 1, height: 1, env: {}, owner: { pid: 1, started: 'x' }, task: null });
  const put = (name: string, text: string): string => {
    const folder = stageFolder(name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'stage.json'), text);
    return folder;
  };
  const kept = join(own.path, 'kept');
  mkdirSync(kept);
  const foreign = [
    put('aaaaaaaaaaaa', state('x/../../kept')),
    put('bbbbbbbbbbbb', state('cccccccccccc')),
    put('dddddddddddd', '{'),
    put('eeeeeeeeeeee', state('eeeeeeeeeeee').replace('":99"', '"; rm -rf"')),
  ];
  symlinkSync(kept, stageFolder('ffffffffffff'));
  writeFileSync(join(kept, 'stage.json'), state('ffffffffffff'));
  if (process.getuid?.() === 0) {
    const theirs = put('012345678901', state('012345678901'));
    chownSync(theirs, 12_345, 12_345);
    foreign.push(theirs);
  }
  expect(listStages()).toEqual([]);
  await sweepStages();
  expect([...foreign, kept].filter((folder) => !existsSync(folder))).toEqual([]);
  const mine = put(
    '0123456789ab',
    state('0123456789ab').replace('"started":"x"', `"started":"${thisProcess().started}x"`),
  );
  expect(listStages().map(({ id }) => id)).toEqual(['0123456789ab']);
  await sweepStages();
  expect(existsSync(mine)).toBe(false);
});

test.runIf(linux)('a stage of a task is found in its own workspace, not in another with a task of the same id', () => {
  const ids = ['111111111111', '222222222222', '333333333333'];
  for (const [n, workspace] of ['/a', '/b', null].entries()) {
    const id = ids[n] ?? '';
    mkdirSync(stageFolder(id));
    const state = { id, display: ':99', width: 1, height: 1, env: {}, owner: null, task: 'GIMP_1', workspace };
    writeFileSync(join(stageFolder(id), 'stage.json'), JSON.stringify(state));
  }
  expect(keptStages('/b', 'GIMP_1').map(({ id }) => id)).toEqual(['222222222222']);
  expect(keptStages('/b', 'GIMP_2')).toEqual([]);
  expect(findStage('GIMP_1', '/a').id).toBe('111111111111');
  expect(findStage('3333', '/a').id).toBe('333333333333');
  expect(() => findStage('GIMP_1')).toThrow('More than one stage');
  for (const id of ids) rmSync(stageFolder(id), { recursive: true });
});
