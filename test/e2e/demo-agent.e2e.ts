import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agentReportSchema } from '../../schemas/agents.ts';
import { newWorkspace } from '../support/cli.ts';
import { type Ran, run } from '../support/process.ts';

/** `npm run demo -- --agent` as docs/agents.md says it, by somebody who has no model: what it prints, and what it leaves. */

const ROOT = path.join(import.meta.dirname, '..', '..');
const folder = newWorkspace();
const out = path.join(folder.path, 'demo');
const demo = (...words: string[]): Promise<Ran> =>
  run('npm', ['run', 'demo', '--', ...words], { env: process.env, cwd: ROOT, timeoutMs: 240_000 });

let first: Ran;
beforeAll(async () => {
  first = await demo('--agent', '--out', out);
}, 300_000);
afterAll(() => folder.remove());

it('one model reaches the checks, one claims to: both are told apart, and the table of their runs is printed', () => {
  expect(first.status, first.stdout + first.stderr).toBe(0);
  const { stdout } = first;
  expect(stdout).toMatch(/Recording \S+: 7 steps\./);
  expect(stdout).toContain('Both are scripts: no real model is asked.');
  expect(stdout).toContain('knows-the-way: it says “done”, and the checks pass.');
  expect(stdout).toContain('claims-success: it says “done”, and the checks do not pass.');
  expect(stdout).toMatch(/^ +RUN +TASK +AGENT +MODEL +OUTCOME/m);
  expect(stdout).toMatch(/MP_1 +direct +knows-the-way +succeeded +done +1\.00 +8 +7/);
  expect(stdout).toMatch(/MP_1 +direct +claims-success +failed, says done +done +0\.50 +1 +0/);
  expect(stdout).toContain(`Where to look: ${out}`);
});

it('what it says that it leaves is there: a demonstration, and two runs with their logs', () => {
  const recordings = path.join(out, 'workspace', 'recordings');
  const runs = [...first.stdout.matchAll(/Recording (\S+): rounds (\d+), steps (\d+)\./g)];
  expect(runs).toHaveLength(2);
  for (const [, id = '', rounds, steps] of runs) {
    expect(fs.readFileSync(path.join(recordings, id, 'agent.jsonl'), 'utf8')).toMatch(/"type":"ended"/);
    const report = agentReportSchema.parse(
      JSON.parse(fs.readFileSync(path.join(recordings, id, 'agent.json'), 'utf8')),
    );
    expect([report.rounds, report.steps].map(String)).toEqual([rounds, steps]);
  }
  expect(fs.readdirSync(recordings)).toHaveLength(3);
});

it('a folder that it did not make is left alone', async () => {
  const own = path.join(folder.path, 'mine');
  fs.mkdirSync(own, { recursive: true });
  fs.writeFileSync(path.join(own, 'letter.txt'), 'Dear Ada');
  const { status, stderr } = await demo('--agent', '--out', own);
  expect(status).toBe(1);
  expect(stderr).toContain('has files that the demo did not make. Give another folder with --out.');
  expect(fs.readdirSync(own)).toEqual(['letter.txt']);
});
