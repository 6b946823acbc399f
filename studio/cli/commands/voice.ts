import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { transcriptText } from '../../../core/import/transcript.ts';
import { plural } from '../../../core/words.ts';
import { recordingsContract } from '../../../schemas/api/recordings.ts';
import { voiceForms as forms, MOST_TRANSCRIPT, type VoiceState, voiceContract } from '../../../schemas/api/voice.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { type CliContext, examples } from '../context.ts';
import { composer, mirror } from '../mirror.ts';
import { clockText, megabytes, textTable } from '../table.ts';

const handlers = async () => ({
  ...(await import('../../api/routes/recordings.ts')).recordingRoutes,
  ...(await import('../../api/routes/voice.ts')).voiceRoutes,
});

/** `voice`: what the person said while a recording was made (`record --voice`). */
export function register(program: Command, context: CliContext): void {
  const voice = program.command('voice').description('what was said while a recording was made (record --voice)');
  examples(voice, [['voice show 2026 --workspace W', 'of one recording']]);
  const add = mirror({ contract: { recordings: recordingsContract, ...voiceContract }, handlers }, context);
  const shown = {
    json: (answer: VoiceState, { recording }: { recording: string }) => ({ recording, ...answer }),
    text: textOf,
  };
  add(voice, ['voice', 'get'], shown);
  add(voice, ['voice', 'remove'], shown);
  composer(handlers, context)(voice, forms.transcribe, async ({ call, given, input: { file } }) => {
    const { recording } = given;
    const taken = (await call(['voice', 'transcribe'], { recording, text: textIn(file) })) as VoiceState; // The contract says so.
    context.result({ recording, ...taken }, `Took ${plural(taken.lines.length, 'line')} of ${file}.`);
  });
}

/** Throws BAD_FILE for what cannot be read, is too large, or is no text. */
function textIn(file: string): string {
  try {
    if (statSync(file).size <= 4 * MOST_TRANSCRIPT) {
      const text = transcriptText(readFileSync(file));
      if (text !== null) return text;
    }
  } catch (error) {
    throw new StudioError(
      'BAD_FILE',
      `${file} cannot be read: ${whyNot(error)}. Check its path.`,
      { file },
      { cause: error },
    );
  }
  throw new StudioError(
    'BAD_FILE',
    `${file} is no transcript: it is too large, or no text in UTF-8 or UTF-16. Take a .srt or .vtt.`,
    {
      file,
    },
  );
}

function textOf({ sound, lines }: VoiceState): string {
  const has = sound === null ? 'No sound.' : `Sound: ${megabytes(sound.bytes)}.`;
  if (lines.length === 0) return `${has}${sound === null ? '' : ' Nobody wrote down what is said in it.'}`;
  const rows = lines.map(({ start, text }) => [clockText(start), text]);
  return `${has}\n\n${textTable([['TIME', 'SAID'], ...rows], [0])}`;
}
