import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { StudioError } from '../../../schemas/errors.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { refuseUnknownFormat, type WorkspaceOption, workspaceOption } from './options.ts';

const PARTS = ['parquet', 'jsonl', 'raw'] as const;
type Part = (typeof PARTS)[number];
const SIGNS = ['up-positive', 'down-positive'] as const;

type Options = WorkspaceOption & { out: string; all?: boolean; parts: Part[]; scrollSign: (typeof SIGNS)[number] };

/** `export`: writes the approved recordings as a data set. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('export <format>')
    .description('write the approved recordings as a data set; formats: videogui')
    .requiredOption('--out <dir>', 'the folder to write; it must be missing or empty')
    .option('--all', 'recordings of every state, not only approved ones')
    .option('--parts <list>', `of ${PARTS.join(', ')}, separated by commas`, parseParts, ['parquet'])
    .addOption(new Option('--scroll-sign <sign>', 'the sign of scroll_value').choices(SIGNS).default('up-positive'))
    .action(async (format: string, options: Options) => {
      refuseUnknownFormat(format);
      const workspace = openWorkspace(options.workspace, { create: false });
      try {
        const { collectExport } = await import('../../export/collect.ts');
        const { currentKeyframes } = await import('../../export/stills.ts');
        const { exportVideogui } = await import('../../export/videogui.ts');
        const all = options.all === true;
        const { tasks, leftOut } = await collectExport(workspace, {
          all,
          keyframes: currentKeyframes,
          onProgress: context.progress,
        });
        const filters = all ? { all } : { states: ['approved' as const] };
        const result = await exportVideogui(tasks, options.out, {
          formats: options.parts,
          toolVersion: context.version,
          filters,
          leftOut,
          scrollSign: options.scrollSign,
        });
        const { counts, bytes } = result;
        await workspace.noteExport({ format, folder: resolve(options.out), filters, counts });
        context.result(
          { format, out: result.out, counts, files: result.files.length, bytes, leftOut: result.leftOut },
          [
            `Wrote ${result.out}: ${result.files.length} files, ${(bytes / 1e6).toFixed(1)} MB.`,
            ...Object.entries(counts).map(([name, count]) => `  ${name}: ${count}`),
            ...result.leftOut.map(({ item, from, reason }) => `  left out: ${item} (${from}): ${reason}`),
            `Check it: npm run studio -- validate videogui ${options.out}`,
          ].join('\n'),
        );
      } finally {
        workspace.close();
      }
    });
  workspaceOption(command);
  examples(command, [
    ['export videogui --workspace W --out data', 'the three VideoGUI data sets of everything approved'],
    ['export videogui --workspace W --out data --all --parts parquet,jsonl', 'everything, also as JSON Lines'],
  ]);
}

function parseParts(text: string): Part[] {
  return text.split(',').map((word) => {
    const part = PARTS.find((one) => one === word.trim());
    if (part) return part;
    throw new StudioError('USAGE', `--parts "${text}": "${word}" is none of ${PARTS.join(', ')}.`, { parts: text });
  });
}
