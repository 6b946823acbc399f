import { oc } from '@orpc/contract';
import { z } from 'zod';
import { command, commandForm } from './command.ts';
import { givenKeySchema } from './given-key.ts';

/** The voice beside a recording: what the person said while it was made, and the same written down. */
const ofRecording = z.object({ ws: z.string(), recording: z.string() });

const voiceSchema = z.object({
  /** The sound; null: none was recorded, it did not come along, or it was deleted. */
  sound: z.object({ bytes: z.int(), rate: z.int() }).nullable(),
  /** What is said, session time, µs, by its start; empty while nobody wrote it down. */
  lines: z.array(z.object({ start: z.int(), end: z.int(), text: z.string() })),
});
export type VoiceState = z.infer<typeof voiceSchema>;

/** A transcript of a whole day has less, characters. */
export const MOST_TRANSCRIPT = 5_000_000;

/** How much sound would go out, in how many requests; what is silent does not. */
const sendingSchema = z.object({ pieces: z.int(), us: z.int() });
export type VoiceSending = z.infer<typeof sendingSchema>;

/** Sends each breath by itself, for a model that gives no times. */
const untimed = z.boolean().default(false);

export const voiceContract = {
  voice: {
    get: command('voice show <id:recording>', 'whether a recording has sound, and what is said in it', [
      ['voice show 2026 --workspace W', 'its size, and the lines of its transcript'],
    ])
      .route({ method: 'GET', path: '/workspaces/{ws}/recordings/{recording}/voice', summary: 'Sound and transcript' })
      .input(ofRecording)
      .output(voiceSchema),
    /** The sound and what was written down of it; nothing else. There is no way back. */
    remove: command('voice remove <id:recording>', 'delete the sound of a recording and its transcript, for ever', [
      ['voice remove 2026 --workspace W', 'the steps and pictures stay'],
    ])
      .route({
        method: 'DELETE',
        path: '/workspaces/{ws}/recordings/{recording}/voice',
        summary: 'Delete the sound and its transcript',
      })
      .input(ofRecording)
      .output(voiceSchema),
    /** SubRip or WebVTT of voice.wav. Throws BAD_FILE where nothing in it has a time. */
    transcribe: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/voice/transcript',
        summary: 'Take a transcript of the sound',
      })
      .input(ofRecording.extend({ text: z.string().min(1).max(MOST_TRANSCRIPT) }))
      .output(voiceSchema),
    /** What writing it down by a model would send. Throws USAGE where there is nothing to hear. */
    sending: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/voice/sending',
        summary: 'How much of the sound a model would be sent',
      })
      .input(ofRecording.extend({ untimed: z.stringbool().default(false) }))
      .output(sendingSchema),
    /** Sends the sound to an endpoint (OpenAI's /audio/transcriptions); what comes back takes the transcript's place. */
    writeDown: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/voice/write-down',
        summary: 'Have a model write the sound down',
      })
      .input(
        ofRecording.extend({
          endpoint: z.string().min(1).max(2000),
          model: z.string().min(1).max(200),
          key: givenKeySchema,
          language: z
            .string()
            .regex(/^[a-z]{2,3}$/)
            .nullable()
            .default(null),
          untimed,
        }),
      )
      .output(voiceSchema),
  },
};

const { recording } = ofRecording.shape;

/** `voice` on the command line where it is not one call as it is. */
export const voiceForms = {
  transcribe: commandForm(
    'voice transcript <id:recording> <file>',
    'take a transcript (.srt or .vtt) of the sound; its times are those of voice.wav',
    [['voice transcript 2026 said.vtt --workspace W', 'its lines are offered as narrations of the steps']],
    { recording, file: z.string().min(1) },
  ),
};
