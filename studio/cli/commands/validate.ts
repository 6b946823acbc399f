import type { Command } from 'commander';
import { FORMATS } from '../../../core/export/formats.ts';
import { ERROR_EXIT } from '../../../schemas/errors.ts';
import { type CliContext, examples } from '../context.ts';
import { untilStopped } from '../stop.ts';
import { validateSkill } from './skill.ts';

/** Problems that a person reads; one wrong column may be told of every row. */
const SHOWN = 100;

/** `validate`: reads an export back from its files. Status 10 when something is wrong in it. */
export function register(program: Command, context: CliContext): void {
  const names = FORMATS.map(({ name }) => name).join(', ');
  const command = program
    .command('validate <format> <dir>')
    .description(`read an export back from its files and report every fault; formats: ${names}, skill`)
    .action(async (format: string, dir: string) => {
      if (format === 'skill') return await validateSkill(dir, context);
      const { formatOf } = await import('../../datasets/export/formats.ts');
      const { name } = formatOf(format);
      const { validateApart } = await import('../../datasets/export/validate/apart.ts');
      const validation = await untilStopped((signal) => validateApart(name, dir, { signal }));
      const { ok, problems, counts } = validation;
      const lines = [
        ...problems
          .slice(0, SHOWN)
          .map(({ code, file, where, message }) => `${code}  ${[file, where].filter(Boolean).join(' ')}: ${message}`),
        ...(problems.length > SHOWN ? [`… and ${problems.length - SHOWN} more; --json gives all`] : []),
        ...Object.entries(counts).map(([part, count]) => `${part}: ${count} read back`),
        ok ? `${dir} is sound.` : `${problems.length} problem${problems.length === 1 ? '' : 's'} in ${dir}.`,
      ];
      context.result(validation, lines.join('\n'));
      if (!ok) context.setStatus(ERROR_EXIT.INVALID_EXPORT);
    });
  examples(command, [
    ['validate videogui data', 'each problem with its file'],
    ['validate coco data/coco --json', '{ok, problems, counts}'],
    ['validate skill skills', 'a skill, or a folder of them'],
  ]);
}
