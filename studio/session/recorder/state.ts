import type { RecorderState } from '../../../schemas/api/models.ts';
import type { ErrorBody } from '../../../schemas/errors.ts';
import type { Recording } from '../../../schemas/recording.ts';
import type { FromCapture } from '../../capture/protocol.ts';

/** The recorder's state as pages see it, and how it changes. */
export const NEW_RECORDING: RecorderState = {
  recording: '',
  task: '',
  phase: 'starting',
  countdown: null,
  paused: null,
  t: 0,
  frames: 0,
  dropped: 0,
  events: 0,
  freeBytes: null,
  marks: 0,
  view: null,
  notices: [],
  error: null,
};

const MOST_NOTICES = 50;
const OVER: readonly RecorderState['phase'][] = ['done', 'failed'];

export const isOver = ({ phase }: RecorderState): boolean => OVER.includes(phase);

/** The check of the clock is no secret; every other pause is one. */
export const isShowable = ({ paused }: RecorderState): boolean => paused === null || paused === 'sync';

/** The changes that a message of the capture process makes to the state. */
export function changesBy(message: FromCapture, state: RecorderState): Partial<RecorderState> {
  switch (message.type) {
    case 'view':
      return { view: message.view };
    case 'countdown':
      return { phase: 'countdown', countdown: message.seconds };
    case 'started':
      return { phase: 'recording', countdown: null, paused: null, view: message.view };
    case 'stats': {
      const { t, frames, dropped, events, freeBytes, paused } = message.stats;
      return { t, frames, dropped, events, freeBytes, paused };
    }
    case 'paused':
      return { paused: message.reason };
    case 'mark':
      return { marks: state.marks + 1 };
    case 'voice':
      return { voice: message.heard ? 'heard' : 'lost' };
    case 'forgotten': {
      const { message: words, frames, events, marks, t } = message;
      const times = (state.forgotten?.times ?? 0) + 1;
      return { frames, events, marks, t, forgotten: { times, message: words } };
    }
    case 'notice':
      return { notices: [...state.notices, { code: message.code, message: message.message }].slice(-MOST_NOTICES) };
    case 'closing':
      return { phase: 'closing', countdown: null };
    default:
      return {}; // `closed` and `refused` come through `result`.
  }
}

/** The person works elsewhere while it records: they must not find a recording that ended early without a word. */
export function diskFull({ verdict, span }: Recording, folder: string): Pick<ErrorBody, 'code' | 'message'> {
  const early = verdict?.endedBy === 'disk-full';
  const end = span ? ` at ${((span.end - span.start) / 1e6).toFixed(1)} s` : '';
  const what = early
    ? `so the recording was stopped${end}. Everything until then is kept`
    : 'The recording is kept whole';
  return {
    code: 'DISK_FULL',
    message: `The disk that holds ${folder} is full${early ? ', ' : '. '}${what}. Free some space: what is missing of its pictures is made then by itself.`,
  };
}
