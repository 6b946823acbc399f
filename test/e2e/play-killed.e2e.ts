import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { playReportSchema } from '../../schemas/play.ts';
import { listStages } from '../../studio/play/stage/home.ts';
import { processesOf } from '../../studio/play/stage/processes.ts';
import { CLI, newWorkspace, studioMust } from '../support/cli.ts';
import { demonstrateNote, makeNoteTask, newNoteStage } from '../support/played-note.ts';
import { start } from '../support/process.ts';
import { sleep, until } from '../support/until.ts';

/** `play` and `verify` are killed at ten moments each: nothing of them runs on, no file is half, and the next play works. */

const before = process.env.TMPDIR;
const own = fs.mkdtempSync(path.join(os.tmpdir(), 'killed-'));
process.env.TMPDIR = own;
const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
let recording = '';

beforeAll(async () => {
  await makeNoteTask(workspace.path, ['recipe', 'checks']);
  const stage = await newNoteStage(workspace.path);
  recording = await demonstrateNote(workspace.path, stage);
  await studioMust(['stage', 'end', stage.stage]);
}, 240_000);
afterAll(() => {
  workspace.remove();
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  fs.rmSync(own, { recursive: true, force: true });
});

/** From the start of the command to its plays' steps, ms: at first moments lie close, since most is begun there. */
const MOMENTS = Array.from({ length: 20 }, (_, n) => ({
  command: n % 2 === 0 ? 'play' : 'verify',
  afterMs: Math.round(200 + 18 * n ** 2),
}));
const TOKEN = 'TRAJECTORY_TEST_KILLED';

/** Processes with the token of a command in their environment, wherever they hang by now. */
const runningWith = (token: string): string[] =>
  fs.readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name) || !fs.readFileSync(`/proc/${name}/environ`, 'latin1').includes(token)) return [];
      return [`${name} ${fs.readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ')}`];
    } catch {
      return []; // It ended meanwhile.
    }
  });

/** Processes of stages, of which most have an environment of their own. */
const onStages = (): string[] =>
  listStages().flatMap(({ id }) =>
    processesOf(id).map((pid) => `${pid} of stage ${id}: ${spawnSync('cat', [`/proc/${pid}/status`]).stdout}`),
  );

it('kill -9 of play and verify at twenty moments leaves nothing running, and no half files; the next play works', async () => {
  const tokenOf = (n: number): string => `${TOKEN}=${process.pid}-${n}`;
  const killOne = async (n: number): Promise<void> => {
    const { command, afterMs } = MOMENTS[n]!;
    const args = [command, recording, '--pace', 'ready', '--json', ...where];
    const env = { ...process.env, [TOKEN]: tokenOf(n).slice(TOKEN.length + 1) };
    const { child, exit } = await start(process.execPath, [CLI, ...args], { env });
    await sleep(afterMs);
    child.kill('SIGKILL');
    await until(`${command} is gone that was killed after ${afterMs} ms`, () => exit());
  };
  // A play beside a verify: what one clears away must not be what the other still uses.
  for (let n = 0; n < MOMENTS.length; n += 2) {
    const pair = [n, n + 1];
    await Promise.all(pair.map(killOne));
    const left = (): string[] => [...pair.flatMap((one) => runningWith(tokenOf(one))), ...onStages()];
    const said = pair.map((one) => `${MOMENTS[one]?.command} after ${MOMENTS[one]?.afterMs} ms`).join(', ');
    await until(`nothing runs of what was killed: ${said}`, () => left().length === 0, {
      timeoutMs: 60_000,
      seen: () => left().join('\n'),
    });
  }
  const { json } = await studioMust(['play', recording, '--pace', 'ready', '--json', ...where]);
  const report = playReportSchema.parse(json);
  expect(report.agreed).toBe(report.of);
  // What the killed ones left was removed by those after them.
  expect(listStages()).toEqual([]);
  expect(fs.readdirSync(own).filter((name) => name.startsWith('trajectory-studio-stage-'))).toEqual([]);
  await studioMust(['recover', '--json', ...where]);
  const files = fs.readdirSync(workspace.path, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => /^\..*\.\d+\.[0-9a-f]{8}\./.test(path.basename(name)))).toEqual([]);
  for (const name of files.filter((one) => one.endsWith('.json')))
    expect(() => JSON.parse(fs.readFileSync(path.join(workspace.path, name), 'utf8')), name).not.toThrow();
  for (const name of fs.readdirSync(path.join(workspace.path, 'recordings')))
    expect(fs.existsSync(path.join(workspace.path, 'recordings', name, 'recording.json')), name).toBe(true);
}, 600_000);
