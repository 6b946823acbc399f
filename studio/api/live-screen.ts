import { numberOfFrame } from '../../core/play/live-frames.ts';
import type { LiveRun } from '../agents/live-runs.ts';

/**
 * The stage of a run as an endless body, frame by frame. The next frame is asked for when this one was taken, so that a slow
 * reader is sent fewer frames and never old ones. It ends with the run, or when the reader is gone.
 */
export function liveScreen(run: LiveRun, signal: AbortSignal): Response {
  let since = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const frame = await run.next(since);
          if (signal.aborted) return controller.close();
          since = numberOfFrame(frame);
          controller.enqueue(frame);
        } catch {
          // The stage is gone; what became of the run is told by its changes.
          controller.close();
        }
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' } });
}
