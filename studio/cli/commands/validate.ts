import type { Command } from 'commander';
import { ERROR_EXIT } from '../../../schemas/errors.ts';
import { type CliContext, examples } from '../context.ts';
import { refuseUnknownFormat } from './options.ts';

/** `validate`: reads an export back from its files. Status 10 when something is wrong in it. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('validate <format> <dir>')
    .description('read an export back from its files and report everything that is wrong; formats: videogui')
    .action(async (format: string, dir: string) => {
      refuseUnknownFormat(format);
      const { validateVideogui } = await import('../../export/validate-videogui.ts');
      const validation = await validateVideogui(dir);
      const { ok, problems, counts } = validation;
      const lines = [
        ...problems.map(
          ({ code, file, where, message }) => `${code}  ${[file, where].filter(Boolean).join(' ')}: ${message}`,
        ),
        ...Object.entries(counts).map(([name, count]) => `${name}: ${count} read back`),
        ok ? `${dir} is sound.` : `${problems.length} problems in ${dir}.`,
      ];
      context.result(validation, lines.join('\n'));
      if (!ok) context.setStatus(ERROR_EXIT.INVALID_EXPORT);
    });
  examples(command, [
    ['validate videogui data', 'each problem with its file'],
    ['validate videogui data --json', '{ok, problems, counts}'],
  ]);
}
