import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { draftAnswer } from '../../core/agents/draft/draft-for-tests.ts';
import { judgeAnswer } from '../../core/agents/judge/judge-for-tests.ts';
import { truthful } from '../../studio/agents/truthful-model-for-tests.ts';
import { addRecording } from '../../studio/datasets/workspace-for-tests.ts';
import {
  type ModelAsked,
  type ModelServer,
  type ScriptedAct,
  type ScriptedAnswer,
  startModelServer,
} from '../../studio/models/model-server-for-tests.ts';
import { CLI, newWorkspace, studio, studioMust } from '../support/cli.ts';
import { demonstrateNote, makeNoteTask, NOTE_TASK, newNoteStage } from '../support/played-note.ts';
import { start } from '../support/process.ts';
import { scriptedActs } from '../support/scripted-acts.ts';
import { until } from '../support/until.ts';

/** docs/agents.md followed from its first command to its last, each as it stands there, with a scripted model at the endpoint. */

const PAGE = path.join(import.meta.dirname, '..', '..', 'docs', 'agents.md');
const LINE = /^ {4}npm run studio -- (.+)$/gm;
const commands = [...fs.readFileSync(PAGE, 'utf8').matchAll(LINE)].map(([, words = '']) => words);

const workspace = newWorkspace();
let server: ModelServer;
let steps: ScriptedAct[][] = [];
let demonstration = '';
/** The newest run. */
let run = '';

/** As many attempts as the page has would take too long here. */
const FEWER: Readonly<Record<string, string>> = { '4': '2', '16': '3' };

/** Clicks on what is red, in pixels. */
async function redSquare({ pictures }: ModelAsked): Promise<ScriptedAnswer> {
  const image = sharp(Buffer.from(pictures.at(-1) ?? '', 'base64'))
    .removeAlpha()
    .raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  const first = data.findIndex((value, at) => at % 3 === 0 && value > 180 && (data[at + 1] ?? 255) < 80) / 3;
  return { kind: 'answer', acts: [{ do: 'click', x: first % info.width, y: Math.floor(first / info.width) }] };
}

/** One that knows the way; of the runs of the agent `direct` every second one claims success at once. */
let runs = 0;
let truth = truthful({ steps: [] });
async function answer(asked: ModelAsked): Promise<ScriptedAnswer> {
  const { texts, body } = asked;
  const [system = ''] = texts;
  const said = (text: string): ScriptedAnswer => ({ kind: 'answer', text });
  if (/^You (?:write|read) the first version/.test(system))
    return said(draftAnswer(texts, (field, step) => `${field} ${step}`));
  if (texts.join().includes('"code"')) return said(judgeAnswer(texts, 'succeeded'));
  if (texts.join().includes('red square')) return redSquare(asked);
  // Its talk that begins is another run.
  const isDirect = system.startsWith('You use a computer to reach a goal.');
  if (isDirect && Array.isArray(body.messages) && body.messages.length === 2)
    truth = truthful({ steps: runs++ % 2 === 0 ? steps : [] });
  return truth(asked);
}

beforeAll(async () => {
  await makeNoteTask(workspace.path, ['recipe', 'checks']);
  const stage = await newNoteStage(workspace.path);
  demonstration = await demonstrateNote(workspace.path, stage);
  await studioMust(['stage', 'end', stage.stage]);
  // What judges are measured by.
  await studioMust(['verify', demonstration, '--times', '1', '--json', '--workspace', workspace.path]);
  steps = await scriptedActs(demonstration, workspace.path);
  // Demonstrations of other tasks, to be shown before one.
  for (const task of ['GIMP_2', 'GIMP_3'])
    await addRecording({ recordingsDir: path.join(workspace.path, 'recordings') }, { id: `shown-${task}`, task });
  server = await startModelServer(answer);
}, 300_000);
afterAll(async () => {
  await server.close();
  workspace.remove();
});

/** The words of a command of the page, with what a reader puts in the place of its examples. */
const wordsOf = (line: string): string[] =>
  line.split(/\s+/).map((word, at, all) => {
    if (word === 'W') return workspace.path;
    if (word === 'GIMP_1') return NOTE_TASK;
    if (word === 'ID') return demonstration;
    if (word === 'RUN') return run;
    if (word.startsWith('http://127.0.0.1:8000')) return server.url;
    if (all[at - 1] === '--out') return path.join(workspace.path, '..', `out-${word}`);
    return all[at - 1] === '--attempts' ? (FEWER[word] ?? word) : word;
  });

/** A person's own run: when its stage stands they stop the command. */
async function stopped(words: readonly string[]): Promise<void> {
  const command = await start(process.execPath, [CLI, ...words, '--yes']);
  try {
    await until('the address of its page', () => /http:\/\/\S+\/runs\/\S+/.test(command.stdout() + command.stderr()), {
      timeoutMs: 120_000,
    });
    process.kill(command.pid, 'SIGINT');
    expect(await command.exited).toMatchObject({ status: 130 });
  } finally {
    await command.stop();
  }
}

/** A run that its limit ended after three answers. Gives its recording. */
async function brokenOff(): Promise<string> {
  const asked = ['--task', NOTE_TASK, '--endpoint', server.url, '--model', 'my-model', '--rounds', '3'];
  const { json } = await studio(['run', ...asked, '--yes', '--json', '--workspace', workspace.path]);
  return (json as { recording: string }).recording;
}

/** Commands that end otherwise than well in this workspace, as the page says: not every attempt succeeds, nobody helped a run. */
const ENDS: readonly (readonly [part: string, status: number])[] = [
  ['--attempts', 1],
  ['--runs helped', 9],
];

it.each(commands)('%s', { timeout: 300_000 }, async (line) => {
  // Of a command's runs the first is one that knows the way, whatever was run before.
  runs = 0;
  if (line.includes('--resume')) {
    run = await brokenOff();
    // What is asked again begins in the middle.
    truth = truthful({ steps: steps.slice(3) });
  } else truth = truthful({ steps });
  const words = wordsOf(line);
  if (line.includes('--agent human')) return stopped(words);
  const { status, stdout, stderr } = await studio([
    ...words,
    ...(/^(?:run|judge|draft|sample) /.test(line) ? ['--yes'] : []),
  ]);
  const { json } = await studioMust(['runs', '--json', '--workspace', workspace.path]);
  run = (json as { runs: { recording: string }[] }).runs[0]?.recording ?? '';
  expect(status, stdout + stderr).toBe(ENDS.find(([part]) => line.includes(part))?.[1] ?? 0);
});

it('has all of them, and the files that they write are there', async () => {
  expect(commands.length).toBeGreaterThanOrEqual(20);
  const rows = fs
    .readFileSync(path.join(workspace.path, '..', 'out-rft', 'candidates.jsonl'), 'utf8')
    .trim()
    .split('\n');
  expect(rows.length).toBeGreaterThanOrEqual(4);
  const judged = path.join(workspace.path, '..', 'out-judged');
  expect(fs.existsSync(path.join(judged, 'trajectories', 'train-00000-of-00001.parquet'))).toBe(true);
  // The panel that the page asked, and that nothing can be said of it here.
  expect(fs.readFileSync(path.join(judged, 'README.md'), 'utf8')).toMatch(
    /- Panel of one, two, .*: nothing can be said/,
  );
});
