import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type AgentReport, agentReportSchema } from '../../schemas/agents.ts';
import { type Knowing, truthful } from '../../studio/agents/truthful-model-for-tests.ts';
import {
  type ModelAsked,
  type ModelServer,
  type ScriptedAct,
  type ScriptedAnswer,
  startModelServer,
} from '../../studio/models/model-server-for-tests.ts';
import { CLI, newWorkspace, studio, studioMust } from '../support/cli.ts';
import { demonstrateNote, makeNoteTask, NOTE_RECIPE, NOTE_TASK, newNoteStage } from '../support/played-note.ts';
import { scriptedActs } from '../support/scripted-acts.ts';

/** Scripted models do a task on a real stage by the command line, in every protocol (the tests without a table: openai) and with every agent. */

const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
const recordings = path.join(workspace.path, 'recordings');
let steps: ScriptedAct[][] = [];
let server: ModelServer | null = null;

beforeAll(async () => {
  await makeNoteTask(workspace.path, ['recipe', 'checks']);
  const stage = await newNoteStage(workspace.path);
  const demonstration = await demonstrateNote(workspace.path, stage);
  await studioMust(['stage', 'end', stage.stage]);
  steps = await scriptedActs(demonstration, workspace.path);
});
afterEach(async () => {
  await server?.close();
  server = null;
});
afterAll(() => workspace.remove());

const serve = async (answer: (asked: ModelAsked, n: number) => ScriptedAnswer | Promise<ScriptedAnswer>) => {
  server = await startModelServer(answer);
  return server.url;
};
const line = (url: string, more: readonly string[]): string[] => [
  ...['run', '--task', NOTE_TASK, '--endpoint', url, '--model', 'scripted', '--yes', '--json'],
  ...['--price-in', '10', '--price-out', '20', ...more, ...where],
];

async function ran(model: (asked: ModelAsked) => ScriptedAnswer, ...more: string[]): Promise<AgentReport> {
  const done = await studio(line(await serve(model), more));
  return agentReportSchema.parse(done.json);
}

const knowing = (more: Partial<Knowing> = {}): Knowing => ({ steps, ...more });

it.each([
  ['direct', 'gemini'],
  ['minimal', 'anthropic'],
  ['planner-actor', 'responses'],
  ['video-guided', 'openai'],
])(
  'the agent %s with a model that knows the truth reaches the checks by %s',
  async (agent, protocol) => {
    const report = await ran(truthful(knowing()), '--agent', agent, '--protocol', protocol);
    expect(report).toMatchObject({ how: 'done', passed: true, score: 1, unclear: 0, refused: 0, steps: steps.length });
    expect(report.cost).toBeCloseTo((report.rounds * (1000 * 10 + 50 * 20)) / 1e6, 9);
    const folder = path.join(recordings, report.recording);
    expect(agentReportSchema.parse(JSON.parse(fs.readFileSync(path.join(folder, 'agent.json'), 'utf8')))).toEqual(
      report,
    );
  },
  120_000,
);

it('plans of the demonstration help the model that lacks them, and a false claim is called one', async () => {
  const { json } = await studioMust(['recordings', '--json', ...where]);
  // Runs are no demonstrations.
  expect((json as { recordings: unknown[] }).recordings).toHaveLength(1);
  const model = (asked: ModelAsked): ScriptedAnswer => {
    // The step's number in the plan that it is given.
    const told = asked.texts.join('\n').split('The step now: ').at(-1)!;
    const before = asked.texts.join('\n').match(/^Done: /gm)?.length ?? 0;
    const acts = told.startsWith('Look at the sky') ? undefined : steps[before];
    if (asked.texts[0]!.includes('one step of a plan'))
      return acts ? { kind: 'answer', acts } : { kind: 'answer', text: 'DONE' };
    return { kind: 'answer', text: '1. Look at the sky' };
  };
  const given = await ran(model, '--agent', 'minimal', '--inject', 'high,mid');
  expect(given).toMatchObject({ how: 'done', passed: true, rounds: steps.length });
  const without = await ran(model, '--agent', 'minimal');
  expect(without).toMatchObject({ how: 'done', passed: false, steps: 0 });
  const { json: list } = await studioMust(['runs', '--json', ...where]);
  const groups = (list as { groups: { by: string; name: string; silentWrong: number; succeeded: number }[] }).groups;
  expect(groups.find(({ name }) => name === 'minimal scripted')).toMatchObject({ silentWrong: 1 });
  expect(groups.find(({ name }) => name === 'minimal+high,mid scripted')).toMatchObject({
    silentWrong: 0,
    succeeded: 1,
  });
});

it('what a model answers is checked: an answer, and that a task cannot be done', async () => {
  const folder = path.dirname(workspace.path);
  const task = async (id: string, check: object): Promise<void> => {
    await studioMust(['tasks', 'add', '--app', 'mousepad', '--goal', 'Say it', '--id', id, ...where]);
    const { files: _, ...recipe } = NOTE_RECIPE;
    const checks = { schema: 'trajectory-studio/checks', version: 5, checks: [{ id: 'said', ...check }] };
    for (const [role, value] of Object.entries({ recipe: { ...recipe, programs: [] }, checks })) {
      const file = path.join(folder, `${id}-${role}.json`);
      fs.writeFileSync(file, JSON.stringify(value));
      await studioMust(['tasks', 'attach', id, file, '--role', role, ...where]);
    }
  };
  await task('MP_2', { kind: 'answer', equals: 42, tolerance: 0 });
  await task('MP_3', { kind: 'infeasible' });
  const says = async (id: string, text: string): Promise<AgentReport> => {
    const url = await serve(() => ({ kind: 'answer', text }));
    return agentReportSchema.parse((await studio([...line(url, []), '--task', id])).json);
  };
  expect(await says('MP_2', 'DONE: 42')).toMatchObject({ how: 'done', answer: '42', passed: true });
  const impossible = await says('MP_3', 'FAIL: there is no such menu');
  expect(impossible).toMatchObject({ how: 'gave-up', passed: true, infeasible: true });
  expect(await says('MP_3', 'DONE: all of it')).toMatchObject({ how: 'done', passed: false });
  const { json } = await studioMust(['runs', '--json', ...where]);
  const { groups } = json as { groups: { name: string; overHalt: number; silentWrong: number }[] };
  expect(groups.find(({ name }) => name === 'MP_3')).toMatchObject({ overHalt: 0, silentWrong: 1 });
  // A script that was predicted elsewhere, with its answer.
  const idle = path.join(folder, 'nothing.jsonl');
  fs.writeFileSync(idle, '');
  const performed = await studio(['perform', idle, '--task', 'MP_3', '--answer', 'FAIL', '--json', ...where]);
  expect(performed.json).toMatchObject({ passed: true, of: 0 });
});

it('killed in the middle, it is gone on with on a new stage: nothing is paid twice, and the first run says that it was broken off', async () => {
  const truth = truthful(knowing());
  const held = Promise.withResolvers<void>();
  const url = await serve((asked, n) => {
    if (n < 3) return truth(asked);
    held.resolve();
    return { kind: 'silence' };
  });
  const child = spawn(process.execPath, [CLI, ...line(url, [])], { stdio: 'ignore' });
  const ended = new Promise((done) => child.on('exit', done));
  await held.promise;
  child.kill('SIGKILL');
  await ended;
  await server?.close();
  const { json: before } = await studioMust(['runs', '--json', ...where]);
  const [broken] = (before as { runs: { recording: string; how: string; rounds: number }[] }).runs;
  expect(broken).toMatchObject({ how: 'broken-off', rounds: 3 });
  // The fourth request was on its way: it alone is asked again.
  const again = await serve(truthful(knowing({ steps: steps.slice(3) })));
  expect(again).not.toBe('');
  const log = path.join(recordings, broken!.recording, 'agent.jsonl');
  // The scripted server has another port now; a real one keeps its address.
  fs.writeFileSync(log, fs.readFileSync(log, 'utf8').replaceAll(url, again));
  const done = await studio(['run', '--resume', broken!.recording, '--yes', '--json', ...where]);
  const report = agentReportSchema.parse(done.json);
  expect(report).toMatchObject({
    how: 'done',
    passed: true,
    rounds: steps.length + 1,
    head: { resumes: broken!.recording },
  });
  expect(server!.asked).toHaveLength(steps.length + 1 - 3);
  const { stdout } = await studioMust(['runs', ...where]);
  expect(stdout).toContain(`gone on in ${report.recording}`);
});
