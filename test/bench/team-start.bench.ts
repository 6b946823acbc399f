/**
 * From nothing but Debian's packages to a team's server with two people signed in, as docs/team.md and docs/postgresql.md say it: a fresh
 * clone, `npm install`, a fresh database, a fresh bucket, `serve --team`, two invitations, two accepted. How long each step took.
 *
 *     node test/bench/team-start.bench.ts [--json]
 *
 * PostgreSQL is started as its own user; the bucket is s3rver's. Nothing of the clone that this is run in is used.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { machine, machineLine, progress, report } from '../support/bench.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgres } from '../support/postgres.ts';
import { must, processTree, start } from '../support/process.ts';
import { startS3 } from '../support/s3.ts';
import { accept } from '../support/team-processes.ts';
import { until } from '../support/until.ts';

const GOAL_S = 300;
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'studio-team-start-'));
const steps: { step: string; seconds: number }[] = [];
async function timed<T>(step: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const done = await work();
  steps.push({ step, seconds: (performance.now() - from) / 1000 });
  progress(`${step}: ${steps.at(-1)!.seconds.toFixed(1)} s`);
  return done;
}

const about = await machine();
const postgres = await startPostgres();
const s3 = await startS3(path.join(folder, 'bucket'));
try {
  const database = await postgres.make();
  const clone = path.join(folder, 'trajectory-studio');
  const workspace = path.join(folder, 'workspace');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    ...s3.env,
    STUDIO_DATABASE: database,
    TRAJECTORY_STUDIO_HOME: path.join(folder, 'home'),
  };
  const studio = (...words: string[]) => ['run', '--silent', 'studio', '--', ...words];
  await timed('git clone', () => must('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]));
  await timed('npm install', () =>
    must('npm', ['install', '--no-audit', '--no-fund'], { cwd: clone, env, timeoutMs: 600_000 }),
  );
  const files = `s3://${s3.bucket}/films`;
  const served = ['serve', '--team', '--workspace', workspace, '--files', files, '--url', url, '--port', String(port)];
  const server = await timed('serve --team, until it is ready', async () => {
    const one = await start('npm', studio(...served), { cwd: clone, env });
    await until(
      'the server to be ready',
      async () => {
        if (one.exit()) throw new Error(one.stderr() || one.stdout());
        const answer = await fetch(`${url}/ready`).catch(() => null);
        return answer?.ok === true;
      },
      { timeoutMs: 600_000 },
    );
    return one;
  });
  try {
    for (const [email, role] of [
      ['you@lab.org', 'owner'],
      ['ana@lab.org', 'annotator'],
    ] as const) {
      const said = await timed(`invite ${email} --role ${role}`, () =>
        must('npm', studio('invite', email, '--role', role, '--workspace', workspace), { cwd: clone, env }),
      );
      const link = /http\S+#\S+/.exec(said)?.[0];
      if (link === undefined) throw new Error(`No link: ${said}`);
      await timed(`${role} signs in and sees the pages`, async () => {
        const { api, cookie } = await accept(url, link, role);
        const me = await api.team.me();
        const page = await fetch(url, { headers: { cookie } });
        if (me?.role !== role || !(await page.text()).includes('<script')) throw new Error(JSON.stringify(me));
      });
    }
  } finally {
    // npm hands no signal on.
    for (const { pid } of processTree(server.pid).toReversed()) process.kill(pid, 'SIGTERM');
    await server.exited;
  }
  const all = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  const lines = [
    "From Debian's packages to a team's server with two people signed in",
    machineLine(about),
    `load of the machine: ${(os.loadavg()[0] ?? 0).toFixed(1)}`,
    '',
    ...steps.map(({ step, seconds }) => `  ${step.padEnd(44)} ${seconds.toFixed(1).padStart(6)} s`),
    `  ${`all (goal: ${GOAL_S} s)`.padEnd(44)} ${all.toFixed(1).padStart(6)} s`,
  ];
  report({ bench: 'team-start', machine: about, steps, seconds: all }, lines.join('\n'));
} finally {
  await s3.close();
  postgres.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}
