import type { Command } from 'commander';
import { spokenName } from '../../../core/annotate/proposals/element.ts';
import type { ElementLine } from '../../../schemas/elements.ts';
import { USUAL_LANGUAGES } from '../../recordings/texts/settings.ts';
import { type CliContext, examples } from '../context.ts';
import { untilStopped } from '../stop.ts';
import { boxText, clockText, textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { folderThere, type WorkspaceOption, workspaceOption } from './options.ts';

/** `elements`: what programs said of the element at each step. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('elements <id>')
    .description('the element that each step of a recording acted on, as its program named it')
    .option('--read-texts', 'read the text in the picture where no program named the element of a press (OCR)')
    .option('--languages <list>', 'languages to read in, such as eng+deu', USUAL_LANGUAGES)
    .option('--text-data <folder>', 'a folder with more languages (LANGUAGE.traineddata.gz)')
    .action(async (id: string, options: Options) => {
      const textData = options.textData === undefined ? null : folderThere('--text-data', options.textData);
      await inWorkspace(options.workspace, async (workspace) => {
        const entry = await workspace.resolveRecording(id);
        // Here, so that other commands start without it.
        const { openFolder } = await import('../../recordings/closed.ts');
        const { medianMs, readTexts, readTextsFile, textsCost } = await import('../../recordings/texts/read-texts.ts');
        const wish = { languages: options.languages, folder: textData };
        const texts = options.readTexts
          ? await untilStopped((signal) => readTexts(entry.folder, wish, { signal, anew: true }))
          : readTextsFile(entry.folder);
        const recording = openFolder(entry.folder);
        const rows = recording.steps.map((step) => {
          const text = texts?.lines.get(step.id) ?? null;
          const element = recording.elementOf(step);
          // One beside the press names it only where both are in an element.
          const named = text?.text && (text.at || element?.bounds) ? text : null;
          return { step, element, text, named };
        });
        const actions = rows.map(({ step: { id: action, kind, start }, element, text }) => ({
          action,
          kind,
          t: start[2],
          element: element && { ...element, spoken: spokenName(element), tookMs: tookMs(element) },
          text: text && { source: 'ocr', ...text },
        }));
        const lines = rows.map(({ step, element, named: read }, at) => [
          String(at + 1),
          clockText(step.start[2]),
          step.kind,
          (element && nameOf(element)) || read?.text?.text || '',
          element?.role ?? '',
          element?.bounds ? boxText(element.bounds) : '',
          [element ? sourceText(element) : '', read?.text ? textSource(read.text.confidence, read.ms) : '']
            .filter((part) => part !== '')
            .join('; '),
        ]);
        const known = rows.filter(({ element }) => element !== null).length;
        const table = textTable([['#', 'TIME', 'KIND', 'ELEMENT', 'ROLE', 'BOX', 'SOURCE'], ...lines], [0, 1]);
        const cost = texts && { languages: texts.languages, startMs: texts.startMs, medianMs: medianMs(texts.lines) };
        context.result(
          { recording: entry.id, actions, texts: cost },
          rows.length === 0
            ? 'No actions.'
            : [
                `${table}\n\n${known} of ${rows.length} steps have their element.`,
                ...(texts ? [textsCost(texts)] : []),
              ].join('\n'),
        );
      });
    });
  workspaceOption(command);
  examples(command, [
    ['elements 2026 --workspace W', 'a table'],
    [
      'elements 2026 --read-texts --workspace W',
      'also reads the texts of presses that no program named; says what it cost',
    ],
    ['elements 2026 --workspace W --json', 'each action with its element: role, name, box, path, source, tookMs'],
  ]);
}

type Options = WorkspaceOption & { readTexts?: true; languages: string; textData?: string };
const tookMs = ({ took }: ElementLine): number | null => (took === undefined ? null : took / 1000);

const nameOf = (element: ElementLine): string | null => spokenName(element) ?? (element.withheld ? '(password)' : null);
const textSource = (confidence: number, ms: number): string => `ocr, ${Math.round(100 * confidence)} % sure, ${ms} ms`;

function sourceText(element: ElementLine): string {
  const took = tookMs(element);
  if (element.source === undefined) return 'import';
  return [
    element.source,
    element.when === 'press' ? 'at the press' : 'before the press',
    took === null ? '' : `${took.toFixed(1)} ms`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
