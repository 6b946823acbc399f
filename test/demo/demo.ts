/**
 * The whole way in one go, without a display: starts a virtual one, opens a real application, performs a demonstration,
 * and does with the command line what a user does: record, actions, keyframes, export, validate.
 *
 *     npm run demo [-- --app gimp|mousepad] [--out demo-output]
 *
 * With --agent: scripted models do a task on a stage, and their runs are listed (agent-demo.ts). With --scenario: a day of eleven
 * tasks is shown, played and done by scripted models, and its tables are printed (scenario-demo.ts). With --pathway: the same of a pathway of six,
 * one run of which collapses (pathway-demo.ts).
 */
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { reduceResultSchema } from '../../schemas/actions.ts';
import { keyframeIndexSchema } from '../../schemas/recording.ts';
import { flag, has } from '../support/bench.ts';
import { startRecorder, studioMust } from '../support/cli.ts';
import { startDisplay } from '../support/display.ts';
import { comparable, expected, handsFor, perform } from '../support/person.ts';
import { run } from '../support/process.ts';
import { readRecording } from '../support/recordings.ts';
import { demoOfAgents } from './agent-demo.ts';
import { demoOfPathway } from './pathway-demo.ts';
import { indent, say } from './say.ts';
import { demoOfScenario } from './scenario-demo.ts';
import { type DemoScript, SCRIPTS } from './scripts.ts';

const MARK = 'made-by-the-demo';

/** The folder for what the demo makes. One that an earlier demo made is replaced; anything else is left alone. */
function emptyFolder(out: string): string {
  if (fs.existsSync(out) && fs.readdirSync(out).length > 0 && !fs.existsSync(path.join(out, MARK))) {
    throw new Error(`${out} has files that the demo did not make. Give another folder with --out.`);
  }
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out, { recursive: true });
  fs.writeFileSync(path.join(out, MARK), '');
  return out;
}

/** The application asked for, or the first that is installed. */
async function choose(): Promise<DemoScript> {
  const wanted = flag('app');
  if (wanted === 'gimp' || wanted === 'mousepad') return SCRIPTS[wanted];
  for (const script of [SCRIPTS.gimp, SCRIPTS.mousepad]) {
    const found = await run('which', [script.app]).catch(() => null);
    if (found?.status === 0) return script;
  }
  throw new Error('The demo needs a real application to work in: install gimp or mousepad.');
}

async function demo(script: DemoScript, out: string): Promise<void> {
  const workspace = path.join(out, 'workspace');
  say(`1. A virtual display, a window manager and ${script.app}.`);
  const display = await startDisplay({ width: 1280, height: 800 });
  try {
    const app = await script.open(display);
    const { x: left, y: top } = await app.bounds();
    const named = script.steps((x, y) => [left + x, top + y]);
    const steps = named.map(([, step]) => step);
    const hands = await handsFor(display, 'human');
    say(`   ${display.name}, 1280x800, “${await app.title()}”`);

    say(`\n2. Recording: ${script.goal}.`);
    const args = ['--app', script.app, '--goal', script.goal];
    const recorder = await startRecorder(display, { workspace, args, syncCheck: true });
    for (const [says, step] of named) {
      await perform(display, hands, [step]);
      say(`   ${says}`);
      // A person looks at what came of it; the screen settles.
      await app.idle();
    }
    const { line } = await recorder.stop();
    const recording = readRecording(line.folder);
    const { counts, verdict, sync, span } = recording;
    const seconds = span ? ((span.end - span.start) / 1e6).toFixed(1) : '?';
    say(
      `   Recording ${line.recording}: ${seconds} s, ${counts.frames} frames, ${counts.dropped} dropped, ${counts.events} events, ${verdict?.kind}.`,
    );

    say('\n3. Actions, reduced from the raw events:');
    const where = ['--workspace', workspace];
    const table = await studioMust(['actions', line.recording, ...where]);
    say(indent(table.stdout));
    const { json } = await studioMust(['actions', line.recording, ...where, '--json']);
    const { actions } = reduceResultSchema.parse(json);
    const wanted = expected(steps);
    const exact = wanted.filter((step, i) => {
      const action = actions[i];
      return action && isDeepStrictEqual(comparable(action, step), step);
    });
    say(
      `   ${exact.length} of ${wanted.length} steps came back exactly as they were done, ${actions.length} actions in all.`,
    );

    say('\n4. Keyframes: the screen before and after each.');
    const frames = path.join(out, 'keyframes');
    await studioMust(['keyframes', line.recording, ...where, '--out', frames]);
    const index = keyframeIndexSchema.parse(JSON.parse(fs.readFileSync(path.join(frames, 'index.json'), 'utf8')));
    say(`   ${index.keyframes.length} pictures, bit-exact, without the pointer, in ${frames}`);

    say('\n5. A VideoGUI data set of it, read back and checked:');
    const data = path.join(out, 'videogui');
    const exported = await studioMust(['export', 'videogui', ...where, '--out', data, '--all']);
    say(indent(exported.stdout));
    const validated = await studioMust(['validate', 'videogui', data]);
    say(indent(validated.stdout));

    say('\n6. Sync: how exactly frames and events fit together, checked by the recording itself:');
    if (sync) {
      const worst = (sync.maxErrorUs / 1000).toFixed(2);
      say(
        `   ${sync.verdict}: ${sync.found} of ${sync.paints} changes found, error 0 for ${(sync.exact * 100).toFixed(0)} %, largest ${worst} ms`,
      );
    } else say('   not checked');

    say(`\nWhere to look: ${out}`);
    say(
      `   workspace/recordings/${line.recording}/   the recording: recording.json, events.jsonl, frames.jsonl, the video`,
    );
    say('   keyframes/                    0001-before.png, 0001-after.png …');
    say('   videogui/                     the data set, with its README.md and manifest.json');
    if (exact.length < wanted.length) process.exitCode = 1;
  } finally {
    await display.stop();
  }
}

if (has('help')) {
  say('npm run demo [-- --app gimp|mousepad | --agent | --scenario | --pathway] [--out DIR]   (default: demo-output)');
} else {
  try {
    const out = emptyFolder(path.resolve(flag('out') ?? 'demo-output'));
    if (has('agent')) await demoOfAgents(out);
    else if (has('scenario')) await demoOfScenario(out);
    else if (has('pathway')) await demoOfPathway(out);
    else await demo(await choose(), out);
  } catch (error) {
    console.error(`\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
