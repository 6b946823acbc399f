import { plural } from '../../../core/words.ts';
import type { AgentHead, AgentReport } from '../../../schemas/agents.ts';
import type { CliContext } from '../context.ts';
import { agreeToSend } from './endpoint-options.ts';

/** The words of `run`: before anything is sent, and after a run. */

/** Agreeing to a price is not agreeing to a disclosure: what goes to whom is said before the first request. */
export async function sayWhatGoes(
  head: AgentHead,
  {
    yes,
    attempts,
    texts,
    size,
    squares = false,
  }: { yes?: true; attempts: number; texts?: string; size?: string; squares?: boolean },
  context: CliContext,
): Promise<void> {
  const { limits, prices, screen, endpoint, model, plan, video, shots = [] } = head;
  const most = limits.rounds * attempts;
  const film = video
    ? `, keyframes of the demonstration ${video.recording} (${video.frames} pictures of its screen)`
    : '';
  const shown = shots.map(({ recording, steps }) => `${recording} (${plural(steps.length, 'step')})`);
  const before =
    shown.length === 0
      ? ''
      : `, with each request the demonstrations ${shown.join(', ')}: their goals, steps in words and what was typed, and pictures of the screen before each step`;
  const given = plan.high === null ? '' : ", the demonstration's plan";
  const said = texts ?? `the task's goal, the software's name${given}`;
  // The stage of several tasks gets its size from their recipes.
  const px = size ?? ` (${screen.width} x ${screen.height} px)`;
  context.progress(
    `To ${new URL(endpoint).origin} (${model}) go: pictures of the stage's whole screen${px}${film}${before}, ${said}, titles of windows, and what it answered before, in at most ${plural(most, 'request')}.${squares ? ' Before that: pictures of a red square, in six requests, unless it was measured before.' : ''}`,
  );
  await agreeToSend({ budget: limits.budget, prices, yes }, context);
}

/** A run that is over, in words. */
export function reportWords(report: AgentReport): string {
  const { recording, how, why, passed, score, rounds, steps, unclear, refused, tokens, cost, checks, weak } = report;
  const wrong = how === 'done' && !passed ? ' (it says done, the checks say otherwise)' : '';
  const lines = [
    `${recording}: ${passed ? 'succeeded' : 'failed'}${wrong}, score ${score.toFixed(2)}; ended: ${how}${why === '' ? '' : `, ${why}`}`,
    `  ${plural(rounds, 'request')}, ${plural(steps, 'step')}, ${unclear} unclear, ${refused} refused`,
    `  tokens: ${tokens.input} asked, ${tokens.output} answered${tokens.uncounted > 0 ? `, ${plural(tokens.uncounted, 'answer')} not counted by the endpoint` : ''}; cost: ${cost === null ? 'not known' : cost.toFixed(4)}`,
    ...checks.map(({ id, score: one, why: because }) => `    ${one.toFixed(2)}  ${id}: ${because}`),
  ];
  if (weak !== null) lines.push(`  weak: ${weak}`);
  return lines.join('\n');
}
