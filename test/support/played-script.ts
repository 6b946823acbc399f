import type { PlayPart } from '../../core/play/part.ts';
import { type PlayedStep, USUAL_PATIENCE_S } from '../../schemas/play.ts';
import { runPlayer } from '../../studio/play/run-player.ts';
import type { Script } from '../../studio/play/script.ts';
import type { VirtualStage } from '../../studio/play/stage/stage.ts';

/** Plays a demonstration with these parts, as patiently as the studio does, up to where it stops, on a stage that is ended afterwards. */
export async function playedOn(
  stage: VirtualStage,
  { restless }: Script,
  parts: readonly PlayPart[],
): Promise<PlayedStep[]> {
  try {
    const startNs = String(process.hrtime.bigint());
    const { steps } = await runPlayer(
      { parts: [...parts], restless, pace: 'ready', patienceMs: 1000 * USUAL_PATIENCE_S, startNs, clock: [] },
      stage.env,
      { onBegan: () => undefined, onStep: () => undefined },
      AbortSignal.timeout(100_000),
    );
    return steps;
  } finally {
    await stage.end();
  }
}
