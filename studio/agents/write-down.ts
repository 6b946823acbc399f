import { MOST_TRANSCRIPT, type VoiceSending, type VoiceState } from '../../schemas/api/voice.ts';
import { StudioError } from '../../schemas/errors.ts';
import { openTranscription, type TranscriptionOptions } from '../models/transcription.ts';
import { bytesOfRecording } from '../recordings/bytes.ts';
import { putTranscript, soundBytes } from '../recordings/voice.ts';
import { loudnessOf, voiceBetween } from '../recordings/voice-sound.ts';
import { apart, packed, type SoundStretch, speechIn, WINDOW_US } from '../recordings/voice-stretches.ts';

/** What was said while recording, written down by a model at an endpoint. */

/** OpenAI takes 25 MB, which 16,000 samples a second reach after 13 minutes, µs. */
const MOST_PIECE_US = 600_000_000;
/** Where a model gives no times, a line is as long as its piece; nobody says more in one breath, µs. */
const MOST_BREATH_US = 30_000_000;

/** The pieces that go out, each from one pause to another; what is silent does not. Throws USAGE where nothing is to be heard. */
async function piecesOf(folder: string, timed: boolean): Promise<SoundStretch[]> {
  const bytes = bytesOfRecording(folder);
  if ((await soundBytes(bytes)) === 0)
    throw new StudioError('USAGE', 'This recording has no sound, so there is nothing to write down of it.', {});
  const stretches = speechIn(await loudnessOf(bytes, WINDOW_US));
  if (stretches.length === 0)
    throw new StudioError(
      'USAGE',
      'The sound of this recording is silent, so there is nothing to write down of it.',
      {},
    );
  return timed ? packed(stretches, MOST_PIECE_US) : apart(stretches, MOST_BREATH_US);
}

/** What would be sent, before anything is. Throws USAGE where there is nothing to send. */
export async function voiceToSend(folder: string, timed: boolean): Promise<VoiceSending> {
  const pieces = await piecesOf(folder, timed);
  return { pieces: pieces.length, us: pieces.reduce((sum, { from, to }) => sum + to - from, 0) };
}

type Wishes = TranscriptionOptions & {
  /** Before each piece, by its place from 1. */
  onPiece?: (at: number, of: number) => void;
};

/**
 * Sends the sound and puts what came back in place of the transcript, once all of it is there. Throws USAGE, ENDPOINT_FAILED
 * (`voice.vtt` is as it was), the reason of the signal.
 */
export async function writeDownVoice(folder: string, wishes: Wishes): Promise<VoiceState> {
  const { timed, onPiece, signal } = wishes;
  const pieces = await piecesOf(folder, timed);
  const bytes = bytesOfRecording(folder);
  const endpoint = openTranscription(wishes);
  const lines: VoiceState['lines'] = [];
  for (const [at, piece] of pieces.entries()) {
    signal?.throwIfAborted();
    onPiece?.(at + 1, pieces.length);
    const { text, parts } = await endpoint.write(await voiceBetween(bytes, piece));
    if (timed && parts === null && text.trim() !== '') throw noTimes();
    const within = (s: number): number => Math.min(piece.to, piece.from + Math.round(s * 1e6));
    const said = timed
      ? (parts ?? []).map((one) => ({ start: within(one.start), end: within(one.end), text: one.text }))
      : [{ start: piece.from, end: piece.to, text }];
    // A recording's transcript has one line a line.
    for (const one of said) {
      const plain = one.text.replace(/\s+/g, ' ').trim();
      if (plain !== '') lines.push({ ...one, text: plain });
    }
  }
  if (lines.length === 0)
    throw new StudioError('ENDPOINT_FAILED', 'The model heard nothing that is said. The transcript is as it was.', {});
  const length = lines.reduce((sum, { text }) => sum + text.length, 0);
  if (length > MOST_TRANSCRIPT / 2)
    throw new StudioError(
      'ENDPOINT_FAILED',
      'The model wrote more than anybody says. The transcript is as it was.',
      {},
    );
  return putTranscript(folder, lines);
}

const noTimes = (): StudioError =>
  new StudioError(
    'ENDPOINT_FAILED',
    'The endpoint said what is spoken, but not when. Take a model that gives times, or have each breath sent by itself (untimed).',
    {},
  );
