import type { Command } from 'commander';
import { StudioError } from '../../../schemas/errors.ts';
import type { CliContext } from '../context.ts';

export function register(program: Command, _context: CliContext): void {
  program.command('validate').action(() => {
    throw new StudioError('INTERNAL', 'validate is not wired yet.');
  });
}
