import { isCorrect } from '../../review/judged.ts';
import type { ExportAction } from '../model.ts';

/**
 * The judges' answers about a step, as the JSON forms of VideoGUI hold it: nothing of one that nobody judged. The first two are
 * called as in AgentNet.
 */
export function judgementFields({ judged }: ExportAction): object {
  if (!judged) return {};
  return {
    last_step_correct: isCorrect(judged),
    last_step_redundant: judged.redundant,
    grounded: judged.grounded,
    errors: judged.wrong === true ? [{ kind: judged.error, recoverable: judged.recoverable }] : [],
    judges: judged.judges,
  };
}
