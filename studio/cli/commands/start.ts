import type { Command } from 'commander';
import { examine, type Report, reportText } from '../../doctor/doctor.ts';
import { thisMachine } from '../../doctor/machine.ts';
import { type CliContext, examples } from '../context.ts';

const NEXT = {
  record: 'npm run studio -- record --workspace ~/studio --app gimp --goal "Crop the picture" --duration 20s',
  recordings: 'npm run studio -- recordings --workspace ~/studio',
  demo: 'npm run demo',
  help: 'npm run studio -- --help',
};

/** `start` (npm start): the report of doctor and what to do next. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('start')
    .description('check this machine and say what to do next')
    .action(async () => {
      const report = await examine(thisMachine(), '.');
      context.result({ ...report, next: NEXT }, `${reportText(report)}\n\n${nextText(report)}`);
    });
  examples(command, [['start', 'what `npm start` runs']]);
}

function nextText({ status }: Report): string {
  const first =
    status === 'fail'
      ? ['First do what stands at the arrows (->) above. Then, or to see it at work on a display of its own:']
      : [
          'Record a first demonstration:',
          `  ${NEXT.record}`,
          'See it:',
          `  ${NEXT.recordings}`,
          'Or watch a demonstration on a display of its own:',
        ];
  return [...first, `  ${NEXT.demo}`, 'Everything else:', `  ${NEXT.help}`].join('\n');
}
