import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { FORMATS, type FormatInfo } from '../../../core/export/formats.ts';
import { type CliContext, examples } from '../context.ts';

/** `formats`: what an export can be written in, and what can be chosen of each. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('formats [format]')
    .description('list the formats of `export`: purpose, parts and options')
    .option('--schemas <dir>', 'write the JSON Schemas of the files that exports hold')
    .action(async (name: string | undefined, options: { schemas?: string }) => {
      const { formatOf } = await import('../../datasets/export/formats.ts');
      const shown: readonly FormatInfo[] = name === undefined ? FORMATS : [formatOf(name)];
      const schemas = options.schemas === undefined ? [] : await writeSchemas(options.schemas, name);
      const written = schemas.map((file) => `Wrote ${file}.`);
      const lines = options.schemas === undefined ? shown.map(textOf) : written;
      context.result({ formats: shown, ...(options.schemas !== undefined && { schemas }) }, lines.join('\n'));
    });
  examples(command, [
    ['formats', 'every format'],
    ['formats ms-swift', 'its parts and options'],
    ['formats --schemas docs/formats', 'a JSON Schema for each kind of file'],
  ]);
}

async function writeSchemas(dir: string, name: string | undefined): Promise<string[]> {
  const { EXPORT_FILES, jsonSchemaText } = await import('../../../schemas/export-files.ts');
  mkdirSync(dir, { recursive: true });
  return EXPORT_FILES.filter(({ format }) => name === undefined || format === name).map((file) => {
    const path = join(dir, `${file.name}.schema.json`);
    writeFileSync(path, jsonSchemaText(file));
    return path;
  });
}

function textOf({ name, title, purpose, parts, defaultParts, options }: FormatInfo): string {
  return [
    `${name}  ${title}`,
    `    ${purpose}`,
    ...parts.map(
      (part) => `    --parts ${part.name}${defaultParts.includes(part.name) ? ' (default)' : ''}: ${part.what}`,
    ),
    ...options.flatMap((option) =>
      option.values.map(
        ({ name: value, what }) =>
          `    --set ${option.name}=${value}${value === option.default ? ' (default)' : ''}: ${what}`,
      ),
    ),
  ].join('\n');
}
