import type { Command } from 'commander';
import { reviewContract } from '../../../schemas/api/review.ts';
import type { CliContext } from '../context.ts';
import { mirror } from '../mirror.ts';
import { textTable } from '../table.ts';

/** The calls of schemas/api/review.ts. */
export const review = {
  contract: reviewContract,
  handlers: async () => ({
    ...(await import('../../api/routes/find.ts')).findRoutes,
    ...(await import('../../api/routes/review.ts')).reviewRoutes,
  }),
};

/** `queue`: what somebody is to do next. */
export function register(program: Command, context: CliContext): void {
  mirror(review, context)(program, ['review', 'queue'], {
    json: (queue) => ({ queue }),
    text: (queue) => {
      const rows = queue.map((one) => [
        one.kind,
        one.recording,
        one.task,
        one.state,
        one.steps === null ? '-' : `${one.done}/${one.steps}`,
        one.mine ? 'yes' : '',
        one.assigned ? (one.assigned.due ?? 'yes') : one.others ? 'others' : '',
        one.goal,
      ]);
      const head = ['WORK', 'RECORDING', 'TASK', 'STATE', 'STEPS', 'IN HAND', 'ASSIGNED', 'GOAL'];
      return rows.length > 0 ? textTable([head, ...rows]) : 'Nothing to do now.';
    },
  });
}
