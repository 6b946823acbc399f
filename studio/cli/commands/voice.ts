import { readFileSync, statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { transcriptText } from '../../../core/import/transcript.ts';
import { plural } from '../../../core/words.ts';
import { recordingsContract } from '../../../schemas/api/recordings.ts';
import { voiceForms as forms, MOST_TRANSCRIPT, type VoiceState, voiceContract } from '../../../schemas/api/voice.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { type CliContext, examples } from '../context.ts';
import { composer, mirror } from '../mirror.ts';
import { clockText, megabytes, textTable } from '../table.ts';
import { parseDuration, parseWhole } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { agreeToSend, keyOf } from './endpoint-options.ts';
import { untilEnded } from './on-stage.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

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
  writeDown(voice, context);
  composer(handlers, context)(voice, forms.transcribe, async ({ call, given, input: { file } }) => {
    const { recording } = given;
    const taken = (await call(['voice', 'transcribe'], { recording, text: textIn(file) })) as VoiceState; // The contract says so.
    context.result({ recording, ...taken }, `Took ${plural(taken.lines.length, 'line')} of ${file}.`);
  });
}

type WriteDown = WorkspaceOption & {
  endpoint?: string;
  model?: string;
  language?: string;
  untimed?: true;
  keyEnv?: string;
  timeout: number;
  tries: number;
  yes?: true;
};

/** `voice write-down`: a model at an endpoint writes the sound down; it is said what goes out, and asked each time. */
function writeDown(voice: Command, context: CliContext): void {
  const command = voice
    .command('write-down')
    .description('have a model write the sound down: it is sent to an endpoint that speaks /audio/transcriptions')
    .argument('<recording>', 'its id, or the beginning of it')
    .option('--endpoint <url>', 'where the model is asked, such as http://127.0.0.1:8000/v1')
    .option('--model <name>', 'the model, as the endpoint calls it')
    .option('--language <code>', 'of what is said, such as en or de; else the model finds out')
    .option('--untimed', 'send each breath by itself, for a model that gives no times')
    .option('--key-env <name>', 'the environment variable that holds the key; it is never written anywhere')
    .addOption(
      new Option('--timeout <time>', 'the longest wait for an answer')
        .argParser((text) => parseDuration('--timeout', text))
        .default(900_000, '15m'),
    )
    .option('--tries <n>', 'tries of one request', (text) => parseWhole('--tries', text, 1, 20), 3)
    .option('--yes', 'send what the command says that it sends, without being asked')
    .action((recording: string, options: WriteDown) => runWriteDown(recording, options, context));
  workspaceOption(command);
  examples(command, [
    [
      'voice write-down 2026 --endpoint http://127.0.0.1:8000/v1 --model whisper-1 --workspace W',
      'its lines are offered as narrations of the steps',
    ],
  ]);
}

async function runWriteDown(recording: string, options: WriteDown, context: CliContext): Promise<void> {
  const { endpoint, model, language = null, untimed = false, timeout, tries } = options;
  if (endpoint === undefined || model === undefined || model.trim() === '') {
    const option = endpoint === undefined ? '--endpoint' : '--model';
    throw new StudioError('USAGE', `${option} is missing. \`voice write-down --help\` shows an example.`, { option });
  }
  if (language !== null && !/^[a-z]{2,3}$/.test(language))
    throw new StudioError('USAGE', `--language "${language}" is no code of a language, such as en or de.`, {});
  const { transcriptionUrl } = await import('../../models/transcription.ts');
  const { voiceToSend, writeDownVoice } = await import('../../agents/write-down.ts');
  const url = new URL(transcriptionUrl(endpoint));
  await untilEnded((signal) =>
    inWorkspace(options.workspace, async (workspace) => {
      const { id, folder } = await workspace.resolveRecording(recording);
      const key = keyOf(options.keyEnv, endpoint, context.progress);
      const { pieces, us } = await voiceToSend(folder, !untimed);
      context.progress(
        `To ${url.origin} (${model}) go: ${Math.ceil(us / 1e6)} s of the voice of ${id}, in ${plural(pieces, 'request')}. No picture, no name and no step goes with it.`,
      );
      await agreeToSend({ budget: null, prices: null, yes: options.yes }, context);
      const asking = { key, rate: null, timeoutMs: timeout, tries, backoffMs: 1000, signal };
      const onRetry = (why: string, waitMs: number): void =>
        context.progress(`Again in ${(waitMs / 1000).toFixed(1)} s: ${why}`);
      const onPiece = (at: number, of: number): void => context.progress(`${at} of ${of} …`);
      const wishes = { ...asking, endpoint, model, language, timed: !untimed, onRetry, onPiece };
      const written = await writeDownVoice(folder, wishes);
      context.result({ recording: id, ...written }, `Wrote down ${plural(written.lines.length, 'line')}.`);
    }),
  );
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
