import { plural } from '../../core/words.ts';
import { lengthInWords } from '../capture/forget-live.ts';
import type { CaptureOrder, FromCapture } from '../capture/protocol.ts';
import { DEFAULT_SHORTCUTS } from '../capture/shortcuts.ts';

type Order = Pick<CaptureOrder, 'id' | 'shortcuts' | 'durationMs' | 'forgetMs'>;

/** Tells a terminal what a recording does. What it counts counts from its beginning on, after countdown and check. */
export function recordingProgress(order: Order, say: (text: string) => void): (message: FromCapture) => void {
  let begun = false;
  return (message) => {
    if (message.type === 'countdown') say(`${message.seconds} …`);
    if (message.type === 'started') {
      begun = true;
      const { stop, forget } = { ...DEFAULT_SHORTCUTS, ...order.shortcuts };
      const end = order.durationMs === null ? `stop with ${stop} or Ctrl+C` : `${order.durationMs / 1000} s`;
      say(`recording ${order.id}: ${end}; ${forget} forgets the last ${lengthInWords(order.forgetMs)}`);
    }
    if (message.type === 'paused') say(pauseWords(message.reason));
    if (message.type === 'mark') say(message.kind === 'moment' ? 'moment marked' : 'subtask marked');
    if (message.type === 'voice' && message.heard) say('your voice is recorded');
    if (message.type === 'forgotten') say(message.message);
    if (message.type === 'notice') say(`notice ${message.code}: ${message.message}`);
    if (message.type === 'closing') say(`stopping (${message.why}) …`);
    if (message.type !== 'stats' || !begun) return;
    const { t, frames, dropped, events, freeBytes } = message.stats;
    const free = freeBytes === null ? '' : `, ${Math.round(freeBytes / 2 ** 20)} MB free`;
    say(`${(t / 1e6).toFixed(0)} s: ${plural(frames, 'frame')}, ${dropped} dropped, ${plural(events, 'event')}${free}`);
  };
}

function pauseWords(reason: Extract<FromCapture, { type: 'paused' }>['reason']): string {
  if (reason === null) return 'recording';
  return reason === 'sync' ? 'checking that pictures and events fit …' : `paused (${reason})`;
}
