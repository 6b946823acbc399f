import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setStage } from '../../studio/play/stage/set-stage.ts';
import { stageWishes } from '../../studio/play/stage/wishes-for-tests.ts';

/**
 * Sets a stage with the recipe of its argument, prints its state, waits until a program wrote `result` into its home, prints that
 * when its input ends, and ends the stage: a process of its own, since it may be another person's.
 */

const stage = await setStage(stageWishes(JSON.parse(process.argv[2] ?? '{}')));
const result = join(stage.home, 'result');
process.stdout.write(`${JSON.stringify(stage)}\n`);
while (!existsSync(result)) await new Promise((done) => setTimeout(done, 100));
process.stdout.write(`${JSON.stringify(readFileSync(result, 'utf8'))}\n`);
for await (const _ of process.stdin);
process.stdout.write(`${JSON.stringify(await stage.end())}\n`);
process.exit(0);
