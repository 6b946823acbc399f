import { startSessionClock } from '../../native/clock/session-clock.ts';
import { openHost } from '../../native/index.ts';
import { keepCompiledCode } from '../../native/process/keep-compiled.ts';
import { tellParent } from '../../native/process/serve.ts';
import { errorBody } from '../../schemas/errors.ts';
import { keepPrivate } from '../files/private.ts';
import { captureSession } from './capture-session.ts';
import type { FromCapture, ToCapture } from './protocol.ts';
import { unmarkLive } from './recover.ts';

/**
 * The capture process: ffmpeg, input hook and desktop watch. It writes the recording folder itself and closes it whatever
 * becomes of the studio process (D2). Composition root: it only wires.
 */
// The studio may be gone; the recording goes on to its end all the same.
const tell = (message: FromCapture): Promise<void> => tellParent(message);

// Ctrl+C in a terminal reaches the studio process, which asks for the stop.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGPIPE'] as const) process.on(signal, () => undefined);

const clock = startSessionClock();

process.once('message', async (message: ToCapture) => {
  if (message.type !== 'begin') process.exit(70);
  let leave: (status: number) => void = process.exit;
  let begun = () => false;
  try {
    keepPrivate(message.order.folder);
    const host = await openHost(clock, { shared: message.order.outside !== undefined });
    leave = host.exit;
    const session = await captureSession(host, clock, message.order, tell);
    begun = () => session.begun();
    process.on('message', (command: ToCapture) => session.obey(command));
    const gone = (): void => session.obey({ type: 'stop', why: 'studio-gone' });
    process.on('disconnect', gone);
    process.on('SIGTERM', () => session.obey({ type: 'stop', why: 'signal' }));
    // It may have gone while this opened, when nobody listened.
    if (!process.connected) gone();
    const recording = await session.closed;
    unmarkLive(message.order.folder);
    await tell({ type: 'closed', recording });
    keepCompiledCode();
    leave(0);
  } catch (error) {
    // A recording that has begun is not refused: whoever started this recovers it, as after a crash.
    if (begun()) process.stderr.write(`${errorBody(error).message}\n`);
    else await tell({ type: 'refused', error: errorBody(error) });
    keepCompiledCode();
    leave(1);
  }
});
