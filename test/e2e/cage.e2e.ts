import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { startXvfb } from '../../native/linux/xvfb-for-tests.ts';
import { whyNoCage } from '../../studio/play/stage/cage.ts';
import { listStages } from '../../studio/play/stage/home.ts';
import { canHaveOwnNetwork } from '../../studio/play/stage/own-network.ts';
import { processesOf } from '../../studio/play/stage/processes.ts';
import { sweepStages } from '../../studio/play/stage/stage.ts';
import { ownTempFolder } from '../support/own-temp.ts';
import { sleep, until } from '../support/until.ts';

/** A stage is a cage: of the ways out that are tried (test/support/escapes.py) none leads out, and every one does without it. */

const own = ownTempFolder();
const PYTHON = '/usr/bin/python3';
const here = (name: string): string => join(import.meta.dirname, '..', 'support', name);
const asRoot = process.getuid?.() === 0;

type Person = { name: string; before: readonly string[]; uid: number; gid: number };
const ME: Person = { name: 'who runs this', before: [], uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
/** Somebody without any right, whom every Debian has. */
const ORDINARY: Person = {
  name: 'an ordinary person',
  before: ['setpriv', '--reuid', 'games', '--regid', 'games', '--clear-groups'],
  uid: 5,
  gid: 60,
};
/** They must be able to read this program. */
const canBeOrdinary =
  asRoot &&
  spawnSync('setpriv', [...ORDINARY.before.slice(1), process.execPath, here('escape-stage-main.ts'), '{'], {
    encoding: 'utf8',
  }).stderr.includes('JSON');

const people = [ME, ...(canBeOrdinary ? [ORDINARY] : [])];

it.for(people)(
  'of more than forty ways out none leads out of a stage, and each does without it: $name',
  { timeout: 300_000 },
  async (person) => {
    expect(whyNoCage()).toBeNull();
    const token = `escape${randomBytes(8).toString('hex')}`;
    const folder = mkdtempSync(join(own.path, 'out-'));
    const theirs = (path: string): string => {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      if (asRoot) chownSync(path, person.uid, person.gid);
      return path;
    };
    chmodSync(own.path, 0o755);
    const [out, temp, home] = ['outside', 'temp', 'home'].map((name) => theirs(join(folder, name)));
    chmodSync(folder, 0o755);
    const env = {
      ...process.env,
      HOME: home!,
      TMPDIR: temp!,
      ESCAPE_OUT: out!,
      ESCAPE_TOKEN: token,
      ESCAPE_HOME: home!,
    };
    const start = (words: readonly string[], more: object = {}): Started => {
      const [program = '', ...args] = [...person.before, ...words];
      return started(spawn(program, args, { env: { ...env, ...more }, stdio: ['pipe', 'pipe', 'inherit'] }));
    };
    const display = await startXvfb('320x200x24');
    onTestFinished(display.close);
    display.run('xprop', '-root', '-f', 'CUT_BUFFER0', '8s', '-set', 'CUT_BUFFER0', token);
    const world = start([PYTHON, here('escape-world.py')]);
    const other = start([process.execPath, here('escape-stage-main.ts'), recipe([])]);
    const otherStage = JSON.parse(await other.line()) as { home: string; display: string };
    for (const name of ['secret', 'result']) writeFileSync(join(otherStage.home, name), token);
    const made = JSON.parse(await world.line()) as object;
    const have = {
      ...made,
      display: display.name.slice(1),
      otherDisplay: otherStage.display.slice(1),
      otherHome: join(otherStage.home, 'secret'),
    };
    for (const name of ['stage.json', 'xauthority']) writeFileSync(join(home!, name), '');
    if (asRoot) for (const name of ['stage.json', 'xauthority']) chownSync(join(home!, name), person.uid, person.gid);

    // Without a cage.
    const [state, cookie] = [join(home!, 'stage.json'), join(home!, 'xauthority')];
    const control = start([PYTHON, here('escapes.py')], {
      ESCAPE_HAVE: JSON.stringify({ ...have, state, cookie, control: true }),
    });
    const free = await until('the control is over', () => resultIn(join(home!, 'result')), { timeoutMs: 120_000 });
    control.child.kill('SIGKILL');
    await until('the control’s process is left behind', () => leftOf(token).length > 0 || null);
    for (const pid of leftOf(token)) process.kill(pid, 'SIGKILL');
    await until('what it left has gone', () => leftOf(token).length === 0 || null);
    for (const name of ['hard', 'made', 'through']) rmSync(join(out!, name), { force: true });
    writeFileSync(join(out!, 'removed'), token);
    writeFileSync(join(out!, 'notes'), token);

    // In a stage's.
    const ESCAPE_HAVE = JSON.stringify({ ...have, state: '../stage.json', cookie: '../xauthority', control: false });
    const script = readFileSync(here('escapes.py'), 'utf8').replace(
      'HAVE = json.loads(os.environ["ESCAPE_HAVE"])',
      `HAVE = json.loads(os.environ["ESCAPE_HAVE"])
HAVE["state"], HAVE["cookie"] = os.environ["XDG_RUNTIME_DIR"] + "/../stage.json", os.environ["XAUTHORITY"]`,
    );
    const caged = start([
      process.execPath,
      here('escape-stage-main.ts'),
      recipe(
        [
          {
            command: PYTHON,
            args: ['~/escapes.py'],
            env: { ESCAPE_HAVE, ESCAPE_OUT: out!, ESCAPE_TOKEN: token },
          },
          { command: PYTHON, args: ['-m', 'http.server', '8000', '--bind', '127.0.0.1'] },
          {
            command: 'bash',
            args: ['-c', 'until exec 3<>/dev/tcp/127.0.0.1/8000; do sleep 0.1; done; echo yes > ~/loopback'],
          },
        ],
        [{ text: script, to: 'escapes.py' }],
      ),
    ]);
    const stage = JSON.parse(await caged.line()) as { id: string; home: string; notes: string[] };
    expect(stage.notes).toEqual([]);
    const inside = linesOf(JSON.parse(await caged.line()) as string);
    await until('a service of the stage answers on it', () => existsSync(join(stage.home, 'loopback')) || null);
    expect(leftOf(token).length).toBe(1);
    const grouped = processesOf(stage.id).some((pid) => readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(stage.id));
    caged.child.stdin?.end();
    expect(await caged.line()).toBe('null');
    await until(
      'nothing of the stage is left',
      () => processesOf(stage.id).length + leftOf(token).length === 0 || null,
    );

    other.child.stdin?.end();
    world.child.stdin?.end();
    await other.line();
    const names = free.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(40);
    expect(inside.map(({ name }) => name)).toEqual(names);
    const tellable = free.filter(
      ({ said, name, root }) => name !== 'left_behind' && (person.uid === 0 || !root) && said !== 'out',
    );
    expect(tellable).toEqual([]);
    // The kernel exempts root from the limit that everybody else has by themselves: there only a control group limits.
    const limited = person.uid !== 0 || grouped;
    expect(inside.filter(({ said, name }) => said === 'out' && (limited || name !== 'many_processes'))).toEqual([]);
    // What is outside says the same.
    expect(readdirSync(out!).sort()).toEqual(['bus', 'held', 'notes', 'pipe', 'removed', 'secret', 'socket']);
    expect(readFileSync(join(out!, 'notes'), 'utf8')).toBe(token);
  },
);

it('kill -9 of whoever set a stage up leaves no process of it, and the next one removes the rest', async () => {
  const stubborn = `trap '' TERM; (trap '' TERM; exec env -i setsid sleep 600) & (exec setsid sleep 600) & sleep 600`;
  const child = spawn(
    process.execPath,
    [here('escape-stage-main.ts'), recipe([{ command: 'sh', args: ['-c', stubborn] }])],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const { id, display } = JSON.parse(await started(child).line()) as { id: string; display: string };
  await until('its programs run', () => processesOf(id).length >= 8 || null);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  await until('all of it has ended', () => processesOf(id).length === 0 || null);
  const shown = `/tmp/.X11-unix/X${display.slice(1)}`;
  await sweepStages();
  expect(listStages().some((one) => one.id === id)).toBe(false);
  expect([existsSync(shown), existsSync(`/tmp/.X${display.slice(1)}-lock`)]).toEqual([false, false]);
});

it.runIf(canHaveOwnNetwork())(
  'a stage with the network reaches no server of this machine’s loopback address',
  async () => {
    const server = createServer((socket) => socket.end());
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const script = `import os, socket
def tried(host):
    try:
        socket.create_connection((host, ${port}), 5).close()
        return 'reached'
    except OSError:
        return 'refused'
names = sorted(name for _, name in socket.if_nameindex())
said = [' '.join(names), tried('127.0.0.1'), tried('10.0.2.2'), open('/etc/resolv.conf').read().strip()]
open(os.path.expanduser('~/part'), 'w').write('\\n'.join(said))
os.rename(os.path.expanduser('~/part'), os.path.expanduser('~/result'))
import time
time.sleep(600)
`;
    const recipe = { network: true, programs: [{ command: PYTHON, args: ['-c', script] }] };
    const child = spawn(process.execPath, [here('escape-stage-main.ts'), JSON.stringify(recipe)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { line } = started(child);
    const { id, notes } = JSON.parse(await line()) as { id: string; notes: string[] };
    expect(notes).toEqual([]);
    expect(JSON.parse(await line())).toBe('lo tap0\nrefused\nrefused\nnameserver 10.0.2.3');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    await until('its network has ended too', () => processesOf(id).length === 0 || null);
    await sweepStages();
  },
);

it('where the system allows no cage, nothing is started unless that is asked for, and it is said', async () => {
  // All programs but bubblewrap.
  const path = mkdtempSync(join(own.path, 'path-'));
  const needed = [
    'Xvfb',
    'openbox',
    'dbus-daemon',
    'setxkbmap',
    'xset',
    'setpriv',
    'unshare',
    'mount',
    'sh',
    'touch',
    'xkbcomp',
  ];
  const from = (name: string): string =>
    spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  for (const name of needed) writeFileSync(join(path, name), `#!/bin/sh\nexec ${from(name)} "$@"\n`, { mode: 0o755 });
  const words = [
    here('escape-stage-main.ts'),
    recipe([{ command: 'sh', args: ['-c', 'echo free > ~/result; /bin/sleep 600'] }]),
  ];
  const refused = spawnSync(process.execPath, words, { env: { ...process.env, PATH: path }, encoding: 'utf8' });
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toMatch(/NO_CAGE/);
  expect(refused.stderr).toMatch(/apt install bubblewrap.*--without-cage/);
  const told = spawn(process.execPath, words, {
    env: { ...process.env, PATH: path, TRAJECTORY_WITHOUT_CAGE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { line } = started(told);
  expect(JSON.parse(await line())).toMatchObject({
    notes: expect.arrayContaining([expect.stringContaining('The stage is no cage')]),
  });
  expect(JSON.parse(await line())).toBe('free\n');
  told.stdin?.end();
  expect(await line()).toBe('null');
  // Services are refused at once, whatever was asked for.
  const service = { name: 'mail', command: 'sh', args: ['-c', '/bin/sleep 600'], port: 4025 };
  const served = spawnSync(
    process.execPath,
    [here('escape-stage-main.ts'), JSON.stringify({ programs: [], files: [], services: [service] })],
    { env: { ...process.env, PATH: path, TRAJECTORY_WITHOUT_CAGE: '1' }, encoding: 'utf8' },
  );
  expect(served.stderr).toMatch(/NO_CAGE/);
  expect(served.stderr).toMatch(
    /services of the recipe \(“mail”\) need the stage's own network.*apt install bubblewrap/,
  );
});

type Line = { name: string; root: boolean; said: string };
type Started = { child: ChildProcess; line(): Promise<string> };

const recipe = (programs: readonly object[], files: readonly object[] = []): string =>
  JSON.stringify({ programs, files });
const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const resultIn = (file: string): Line[] | null => (existsSync(file) ? linesOf(readFileSync(file, 'utf8')) : null);

function started(child: ChildProcess): Started {
  // What it made it takes away itself when its input ends.
  onTestFinished(async () => {
    child.stdin?.end();
    await Promise.race([once(child, 'exit'), sleep(child.exitCode === null ? 5000 : 0)]);
    child.kill('SIGKILL');
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    child,
    async line() {
      const { value, done } = await lines.next();
      if (done) throw new Error('it ended before it said anything');
      return value;
    },
  };
}

/** Processes that escapes.py left to themselves, outside and inside of stages. */
const leftOf = (token: string): number[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const ours = /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').startsWith(`${token}-left`);
      return ours && !/^State:\s+Z/m.test(readFileSync(`/proc/${name}/status`, 'latin1')) ? [Number(name)] : [];
    } catch {
      return []; // It ended meanwhile.
    }
  });
