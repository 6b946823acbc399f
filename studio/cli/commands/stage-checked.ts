import type { CheckReport } from '../../../schemas/checks.ts';
import { errorBody } from '../../../schemas/errors.ts';
import { checksOfTask, wantsAnswer } from '../../play/checks/checks-file.ts';
import { evaluateChecks } from '../../play/checks/evaluate.ts';
import { askedOf } from '../../play/consent.ts';
import { pathsOfTask } from '../../play/recipe.ts';
import type { VirtualStage } from '../../play/stage/stage.ts';
import type { Workspace } from '../../store/workspace.ts';
import { ownAsker } from './on-stage.ts';

/**
 * Evaluates the task's checks on a stage where a demonstration was just recorded: one that does not do what the checks want would be
 * performed to its end in every run, and fail there. Null without checks; `why`: they could not be looked at, in words. It never
 * throws: the recording is there either way.
 */
export async function checkedOnStage(
  workspace: Workspace,
  task: string,
  { home, env }: Pick<VirtualStage, 'home' | 'env'>,
): Promise<{ report: CheckReport } | { why: string } | null> {
  try {
    const checks = await checksOfTask(workspace, task);
    if (!checks) return null;
    if ((await askedOf(workspace, task, ownAsker(), ['checks'])).length > 0)
      return { why: `somebody else made them and you did not agree to them yet: \`tasks trust ${task}\`` };
    if (await wantsAnswer(workspace, task))
      return { why: `they look at an answer: \`check ${task} --answer TEXT\` while the stage is there` };
    const files = await pathsOfTask(workspace.store, workspace.dir, task);
    return { report: await evaluateChecks(checks, { home, still: null, titles: null, files, answer: null }, env) };
  } catch (error) {
    return { why: errorBody(error).message };
  }
}

/** The same in lines, as `record` ends with them. */
export function checkedLines(checked: Awaited<ReturnType<typeof checkedOnStage>>, task: string): string[] {
  if (!checked) return [];
  if ('why' in checked) return [`  the checks of ${task} were not looked at: ${checked.why}`];
  const { passed, checks } = checked.report;
  if (passed) return [`  done, as the checks of ${task} see it`];
  return [
    `  NOT done, as the checks of ${task} see it, and no play of it will be:`,
    ...checks.filter(({ score }) => score < 1).map(({ id, why }) => `    ${id}: ${why}`),
  ];
}
