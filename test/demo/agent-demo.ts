import path from 'node:path';
import { agentReportSchema } from '../../schemas/agents.ts';
import { truthful } from '../../studio/agents/truthful-model-for-tests.ts';
import { type ModelAsked, type ScriptedAnswer, startModelServer } from '../../studio/models/model-server-for-tests.ts';
import { studio, studioMust } from '../support/cli.ts';
import { demonstrateNote, makeNoteTask, NOTE_TASK, newNoteStage } from '../support/played-note.ts';
import { scriptedActs } from '../support/scripted-acts.ts';
import { indent, say } from './say.ts';

/** One that claims success at once, whatever it is asked. */
const boaster = (): ScriptedAnswer => ({ kind: 'answer', text: 'DONE: all of it' });

/** A demonstration on a stage, and then two scripted models at the same task: no real one is asked. */
export async function demoOfAgents(out: string): Promise<void> {
  const workspace = path.join(out, 'workspace');
  const where = ['--workspace', workspace];
  say('1. A task with a recipe and checks, and a demonstration of it on a stage.');
  await makeNoteTask(workspace, ['recipe', 'checks']);
  const stage = await newNoteStage(workspace);
  const recording = await demonstrateNote(workspace, stage);
  await studioMust(['stage', 'end', stage.stage]);
  const steps = await scriptedActs(recording, workspace);
  say(`   Recording ${recording}: ${steps.length} steps.`);

  async function run(name: string, answer: (asked: ModelAsked) => ScriptedAnswer): Promise<boolean | null> {
    const server = await startModelServer(answer);
    try {
      const words = [
        'run',
        '--task',
        NOTE_TASK,
        '--endpoint',
        server.url,
        '--model',
        name,
        '--yes',
        '--json',
        ...where,
      ];
      // It ends with a status of its own where the checks do not pass.
      const report = agentReportSchema.parse((await studio(words)).json);
      say(`   ${name}: it says “${report.how}”, and the checks ${report.passed ? 'pass' : 'do not pass'}.`);
      say(`   Recording ${report.recording}: rounds ${report.rounds}, steps ${report.steps}.`);
      return report.passed;
    } finally {
      await server.close();
    }
  }
  say('\n2. Two models at the same task, each on a stage of its own. Both are scripts: no real model is asked.');
  const knows = await run('knows-the-way', truthful({ steps }));
  const boasts = await run('claims-success', boaster);

  say('\n3. The runs of the workspace:');
  say(indent((await studioMust(['runs', ...where])).stdout));
  say(`\nWhere to look: ${out}`);
  say(
    '   workspace/recordings/         the demonstration and both runs; a run has agent.jsonl and agent.json beside the rest',
  );
  say('\nWith a model of your own: docs/agents.md.');
  if (!knows || boasts) process.exitCode = 1;
}
