import type { PerformStep } from '../../core/play/perform.ts';
import type { PerformedStep } from '../../schemas/perform.ts';
import { type FailedOnDisplay, runOnDisplay } from './display-process.ts';

/** The order of the process that performs, and its messages. */
export type ScriptOrder = { steps: PerformStep[]; screen: { width: number; height: number }; patienceMs: number };
export type FromScript =
  | { type: 'performed'; step: PerformedStep }
  | { type: 'ended'; stopped: number | null; temporary: string[] }
  | FailedOnDisplay;

/** The longest that one thing of a step takes by itself, a wait left out, ms. */
const ACT_MS = 1000;

/** Performs a script in a process of its own; gives where it was stopped, and the characters that a temporary key made. Throws CAPTURE_FAILED when it could not go on. */
export async function runScript(
  order: ScriptOrder,
  env: NodeJS.ProcessEnv,
  onStep: (step: PerformedStep) => void,
  signal: AbortSignal,
): Promise<{ stopped: number | null; temporary: string[] }> {
  const { stopped, temporary } = await runOnDisplay<FromScript>({
    entry: new URL('./script-main.ts', import.meta.url),
    order,
    env,
    signal,
    mostSilentMs: longest(order) + order.patienceMs + 30_000,
    failure: (why) => `The script could not be performed: ${why}.`,
    onMessage: (message) => {
      if (message.type === 'performed') onStep(message.step);
    },
  });
  return { stopped, temporary };
}

const longest = ({ steps }: ScriptOrder): number =>
  steps.reduce((most, { acts }) => {
    const took = acts.reduce((sum, one) => sum + (one.do === 'wait' ? one.ms : ACT_MS), 0);
    return Math.max(most, took);
  }, 0);
