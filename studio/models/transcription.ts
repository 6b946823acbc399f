import { z } from 'zod';
import { isTooDeep } from '../../core/json-depth.ts';
import { readBeginning } from './chat-reply.ts';
import { addressWith, createEndpoint, hiddenInAnswer, type SendOptions } from './endpoint.ts';

/** Sound as text, by OpenAI's /audio/transcriptions, which others offer, too (whisper.cpp, vLLM, speaches). */

export type TranscriptionOptions = SendOptions & {
  endpoint: string;
  model: string;
  /** ISO 639-1, such as "de"; null: the model finds out. */
  language: string | null;
  /** Ask for the times of what is said within the sound. Some models give none, and refuse to be asked. */
  timed: boolean;
};

/** What is said from one second of the sound to another; without times `parts` is null. */
export type Transcription = { text: string; parts: { start: number; end: number; text: string }[] | null };

/** More than is said in ten minutes, with the words' times. */
const MOST_CHARACTERS = 8_000_000;

const replySchema = z.looseObject({
  text: z.string(),
  segments: z
    .array(z.looseObject({ start: z.number().min(0), end: z.number().min(0), text: z.string() }))
    .max(100_000)
    .nullish(),
});

/** The address that sound goes to. Throws USAGE. */
export const transcriptionUrl = (endpoint: string): string => addressWith(endpoint, '/audio/transcriptions');

/** `write` takes a WAV file, and throws ENDPOINT_FAILED, and the reason of the signal. Throws USAGE. */
export function openTranscription(options: TranscriptionOptions): { write(wav: Uint8Array): Promise<Transcription> } {
  const { key, model, language, timed } = options;
  const url = transcriptionUrl(options.endpoint);
  const endpoint = createEndpoint(options);
  return {
    write(wav) {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'voice.wav');
      body.append('model', model);
      body.append('response_format', timed ? 'verbose_json' : 'json');
      if (timed) body.append('timestamp_granularities[]', 'segment');
      if (language !== null) body.append('language', language);
      return endpoint.send<Transcription>({
        url,
        headers: key === null ? {} : { authorization: `Bearer ${key.trim()}` },
        body,
        async read(response) {
          const { text, whole } = await readBeginning(response, MOST_CHARACTERS);
          if (!whole) return { problem: 'an answer without end' };
          if (isTooDeep(text)) return { problem: 'an answer whose values lie too deep in each other' };
          const { success, data } = replySchema.safeParse(json(hiddenInAnswer(text, key)));
          if (!success) return { problem: 'an answer that is no transcript in JSON' };
          const parts = data.segments?.filter((one) => one.end >= one.start && one.text.trim() !== '') ?? null;
          return { answer: { text: data.text, parts } };
        },
      });
    },
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
