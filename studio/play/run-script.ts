import { setTimeout as sleep } from 'node:timers/promises';
import { SETTLED } from '../../core/play/at-rest.ts';
import { lacking, type PerformStep } from '../../core/play/perform.ts';
import { isOnKeyboard } from '../../native/input/keys.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import type { PerformedStep } from '../../schemas/perform.ts';
import type { AnyStage } from './stage/stage.ts';

export type ScriptOrder = { steps: PerformStep[]; screen: { width: number; height: number }; patienceMs: number };

/**
 * Performs a script on a stage, and reports each step; gives where it was stopped, and the characters that a
 * temporary key made. Throws CAPTURE_FAILED when it could not go on, before anything is done where the layout lacks a key.
 */
export async function runScript(
  { steps, screen, patienceMs }: ScriptOrder,
  stage: Pick<AnyStage, 'openDisplay'>,
  onStep: (step: PerformedStep) => Promise<void> | void,
  signal: AbortSignal,
): Promise<{ stopped: number | null; temporary: string[] }> {
  const display = stage.openDisplay();
  const temporary = new Set<string>();
  try {
    const layout = await display.layout();
    const missing = lacking(steps, layout, isOnKeyboard).names;
    if (missing.length > 0) {
      const names = missing.slice(0, 10).map((one) => `“${one}”`);
      throw new Error(
        `the layout ${layout.id} of the stage has no key for ${names.join(', ')}. Name another layout in the recipe`,
      );
    }
    for (const [n, { what, acts }] of steps.entries()) {
      await display.answered(patienceMs);
      for (const act of acts) {
        if (signal.aborted) return { stopped: n + 1, temporary: [...temporary] };
        if (act.do === 'wait') await sleep(act.ms, null, { signal }).catch(() => undefined);
        else {
          const made = await display.do(act);
          if (made !== null) temporary.add(made);
        }
      }
      const times = { ...SETTLED, atMostMs: patienceMs };
      // Nothing is done until what it asks for was done: a check sees the stage as the step left it.
      await onStep({ step: n + 1, what, waited: await display.rest({ x: 0, y: 0, ...screen }, times) });
    }
    return { stopped: null, temporary: [...temporary] };
  } catch (error) {
    throw new StudioError('CAPTURE_FAILED', `The script could not be performed: ${whyNot(error)}.`, {});
  } finally {
    await display.close();
  }
}
