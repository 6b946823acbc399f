/**
 * A scripted model that knows a demonstration, at each task that `verify` has proven, with every agent and in each protocol, on
 * stages; and one that writes garbage. The first must reach every check, the second none. No real model is asked.
 *
 *     node test/bench/agents.bench.ts [--workspace W] [--demo lines,replace] [--agent direct,minimal] [--protocol openai,gemini] [--json]
 *
 * `--workspace`: every proven demonstration of that workspace, whose runs are kept there; without it one is made, with a note in
 * mousepad and those demonstrations of the bench of plays that `--demo` names, which are verified first.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AGENTS, type AgentName, agentReportSchema } from '../../schemas/agents.ts';
import { PROTOCOLS, type ProtocolName } from '../../schemas/protocols.ts';
import { truthful } from '../../studio/agents/truthful-model-for-tests.ts';
import { type ModelAsked, type ScriptedAnswer, startModelServer } from '../../studio/models/model-server-for-tests.ts';
import { openFolder } from '../../studio/recordings/closed.ts';
import { flag, machine, machineLine, progress, report } from '../support/bench.ts';
import { studio, studioMust } from '../support/cli.ts';
import { demonstrateNote, makeNoteTask, newNoteStage } from '../support/played-note.ts';
import { scriptedActs } from '../support/scripted-acts.ts';
import { CHROMIUM } from './play/chromium.ts';
import { DESKTOP } from './play/desktop.ts';
import { DRAWING } from './play/drawing.ts';
import type { Demonstration } from './play/kinds.ts';
import { makeMaterial } from './play/material.ts';
import { MORE } from './play/more.ts';
import { OFFICE } from './play/office.ts';
import { recordOnly } from './play/stage.ts';

/** The size of a task's stage: the server says places as shares of it. */
type Size = { width: number; height: number };
type Model = 'knows' | 'garbage';
type Result = { task: string; agent: AgentName; protocol: ProtocolName; model: Model; passed: boolean; how: string };

const agents = AGENTS.filter((one) => (flag('agent') ?? AGENTS.join(',')).split(',').includes(one));
const protocols = PROTOCOLS.filter((one) => (flag('protocol') ?? PROTOCOLS.join(',')).split(',').includes(one));
const named = (flag('demo') ?? 'lines,replace').split(',');
const demonstrations = [...DESKTOP, ...CHROMIUM, ...OFFICE, ...DRAWING, ...MORE].filter(({ name }) =>
  named.includes(name),
);
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'agents-bench-'));
const workspace = flag('workspace') ?? path.join(root, 'workspace');
const where = ['--workspace', workspace];
try {
  if (flag('workspace') === null) await makeProven();
  const { json } = await studioMust(['dataset', 'rows', '--proof', 'proven', '--json', ...where]);
  const { rows } = json as { rows: { recording: string; task: string }[] };
  if (rows.length === 0) throw new Error(`${workspace} has no proven demonstration: \`verify\` proves one`);
  const results: Result[] = [];
  for (const { recording, task } of rows) {
    const steps = await scriptedActs(recording, workspace);
    const { width, height } = openFolder(path.join(workspace, 'recordings', recording)).resolution;
    const size = { width, height };
    for (const agent of agents) {
      for (const protocol of protocols) {
        const about = { task, agent, protocol };
        results.push({
          ...about,
          model: 'knows',
          ...(await ran({ ...about, size, rounds: 200 }, truthful({ steps }))),
        });
        results.push({
          ...about,
          model: 'garbage',
          ...(await ran({ ...about, size, rounds: 30 }, () => ({ kind: 'answer', text: '%% x {{ [[' }))),
        });
      }
    }
  }
  const about = await machine();
  report(
    { bench: 'agents', machine: about, demonstrations: rows.length, results },
    [
      `Success of scripted models over ${rows.length} proven demonstrations: ${machineLine(about)}`,
      ...tableOf(results),
      '  Scripts in a model’s place: it shows that requests, answers and stages are right, and nothing of a real model.',
    ].join('\n'),
  );
  const isAsMeant = results.every(({ model, passed }) => passed === (model === 'knows'));
  if (!isAsMeant) process.exitCode = 1;
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}

async function makeProven(): Promise<void> {
  progress('a demonstration, and its proof');
  await makeNoteTask(workspace, ['recipe', 'checks']);
  const stage = await newNoteStage(workspace);
  const recording = await demonstrateNote(workspace, stage);
  await studioMust(['stage', 'end', stage.stage]);
  await studioMust(['verify', recording, '--times', '2', '--json', ...where]);
  for (const one of demonstrations) await makeProvenOf(one);
}

async function makeProvenOf(demonstration: Demonstration): Promise<void> {
  const { app, name, goal, recipe, checks } = demonstration;
  progress(`${app} ${name}, and its proof`);
  const material = path.join(root, 'material');
  await makeMaterial(material, false);
  await studio(['software', 'add', app, ...where]);
  const { json } = await studioMust(['tasks', 'add', '--app', app, '--goal', goal, '--json', ...where]);
  const { id } = (json as { task: { id: string } }).task; // As it prints it.
  const attach = async (file: string, text: string, role: string): Promise<void> => {
    fs.writeFileSync(path.join(root, file), text);
    await studioMust(['tasks', 'attach', id, path.join(root, file), '--role', role, ...where]);
  };
  await attach('recipe.json', JSON.stringify(recipe), 'recipe');
  await attach('checks.json', JSON.stringify(checks), 'checks');
  for (const file of recipe.files)
    if ('attachment' in file) await studioMust(['tasks', 'attach', id, path.join(material, file.attachment), ...where]);
  const { folder } = await recordOnly(demonstration, material, workspace, id);
  await studioMust(['verify', path.basename(folder), '--times', '2', '--json', ...where]);
}

async function ran(
  { task, agent, protocol, size, rounds }: Pick<Result, 'task' | 'agent' | 'protocol'> & { size: Size; rounds: number },
  answer: (asked: ModelAsked) => ScriptedAnswer,
): Promise<Pick<Result, 'passed' | 'how'>> {
  progress(`${task}: ${agent} by ${protocol}`);
  const server = await startModelServer(answer, size);
  try {
    const line = ['run', '--task', task, '--agent', agent, '--protocol', protocol, '--rounds', String(rounds)];
    const done = await studio([...line, '--endpoint', server.url, '--model', 'scripted', '--yes', '--json', ...where]);
    const { passed, how, why } = agentReportSchema.parse(done.json);
    return { passed, how: why === '' ? how : `${how}: ${why}` };
  } finally {
    await server.close();
  }
}

function tableOf(results: readonly Result[]): string[] {
  const share = (wanted: Partial<Result>): string => {
    const found = results.filter((one) =>
      Object.entries(wanted).every(([key, value]) => one[key as keyof Result] === value),
    );
    return `${found.filter(({ passed }) => passed).length}/${found.length}`;
  };
  const cells = (name: string, values: readonly string[]): string =>
    `  ${name.padEnd(14)} ${values.map((value) => value.padStart(10)).join(' ')}`;
  const odd = results.filter(({ model, passed }) => passed !== (model === 'knows'));
  return [
    cells('', [...protocols, 'garbage']),
    ...agents.map((agent) =>
      cells(agent, [
        ...protocols.map((protocol) => share({ agent, protocol, model: 'knows' })),
        share({ agent, model: 'garbage' }),
      ]),
    ),
    ...odd.map(
      ({ task, agent, protocol, model, how }) => `    not as meant: ${task}, ${agent}, ${protocol}, ${model}: ${how}`,
    ),
  ];
}
