import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { candidatesContract } from '../../../schemas/api/candidates.ts';
import { type CliContext, examples } from '../context.ts';
import { mirror } from '../mirror.ts';
import { textTable } from '../table.ts';

const candidates = {
  contract: candidatesContract,
  handlers: async () => ({
    ...(await import('../../api/routes/find.ts')).findRoutes,
    ...(await import('../../api/routes/candidates.ts')).candidateRoutes,
  }),
};

/** `samples`: the candidates of a recording's steps, and what people say of them. */
export function register(program: Command, context: CliContext): void {
  const group = program
    .command('samples')
    .description('answers of models to the steps of a recording, and their rewards');
  const add = mirror(candidates, context);
  add(group, ['candidates', 'of'], {
    json: (list) => ({ candidates: list }),
    text: (list) => {
      if (list.length === 0) return 'No candidates were sampled. `sample --help` shows how.';
      const rows = list.map(({ id, number, model, reward, judged, people, text }) => [
        ...[id, String(number), model, figure(reward)],
        judged === null ? '-' : judged.right === null ? 'unsure' : judged.right ? 'right' : 'wrong',
        people === null ? '-' : figure(people),
        text.trim().split('\n').at(-1)?.slice(0, 80) ?? '',
      ]);
      const steps = new Set(list.map(({ action }) => action)).size;
      const right = list.filter(({ reward }) => reward === 1).length;
      const table = textTable(
        [['CANDIDATE', 'STEP', 'MODEL', 'REWARD', 'JUDGE', 'PEOPLE', 'ENDS WITH'], ...rows],
        [1, 3, 5],
      );
      return `${table}\n\n${plural(list.length, 'candidate')} of ${plural(steps, 'step')}; ${right} do what the person did.`;
    },
  });
  add(group, ['candidates', 'say'], { json: () => ({}), text: () => 'Kept.' });
  examples(group, [
    ['samples show ID --workspace W', 'each with its step, its rewards and what it says'],
    ['samples say ID --candidate 0a1b2c3d4e5f --right yes --workspace W', 'it is another right way'],
  ]);
}

const figure = (share: number): string => share.toFixed(2);
