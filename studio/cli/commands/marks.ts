import type { Command } from 'commander';
import { marksContract } from '../../../schemas/api/marks.ts';
import { recordingsContract } from '../../../schemas/api/recordings.ts';
import type { RecordingMark } from '../../../schemas/marks.ts';
import { type CliContext, examples } from '../context.ts';
import { mirror } from '../mirror.ts';
import { clockText, textTable } from '../table.ts';

const handlers = async () => ({
  ...(await import('../../api/routes/recordings.ts')).recordingRoutes,
  ...(await import('../../api/routes/marks.ts')).markRoutes,
});

/** `marks`: what a person marked while a recording was made. */
export function register(program: Command, context: CliContext): void {
  const marks = program
    .command('marks')
    .description('the moments and ends of subtasks that were marked while recording');
  examples(marks, [['marks list 2026 --workspace W', 'those of one recording']]);
  const add = mirror({ contract: { recordings: recordingsContract, ...marksContract }, handlers }, context);
  const shown = {
    json: (answer: { marks: RecordingMark[] }, { recording }: { recording: string }) => ({ recording, ...answer }),
    text: (answer: { marks: RecordingMark[] }) => tableOf(answer.marks),
  };
  for (const name of ['list', 'name', 'remove'] as const) add(marks, ['marks', name], shown);
}

function tableOf(marks: readonly RecordingMark[]): string {
  if (marks.length === 0) return 'No marks.';
  const rows = marks.map(({ number, t, kind, words }) => [String(number), clockText(t), kind, words]);
  return textTable([['#', 'TIME', 'KIND', 'WORDS'], ...rows], [0, 1]);
}
