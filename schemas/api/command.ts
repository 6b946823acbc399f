import { oc } from '@orpc/contract';
import { z } from 'zod';

/** How the command line says a call of the API: studio/cli/mirror.ts makes the command, its help and its options of this. */
export type CommandText = {
  /** Its words and arguments: `tasks show <id:task>` shows `<id>` and gives the field `task`. */
  line: string;
  what: string;
  /** Each a command line without the program's name, and what it does. */
  examples: readonly (readonly [line: string, what: string])[];
};

/** A call that the command line has as well. */
export const command = (line: string, what: string, examples: CommandText['examples']) =>
  oc.$meta<{ command?: CommandText }>({ command: { line, what, examples } });

/** A command that asks several calls, or gives one of them a form of its own: its text and the fields that it asks for. */
export type CommandForm<F extends z.ZodObject = z.ZodObject> = CommandText & { fields: F };

export const commandForm = <F extends z.ZodRawShape>(
  line: string,
  what: string,
  examples: CommandText['examples'],
  fields: F,
): CommandForm<z.ZodObject<F, z.core.$strip>> => ({ line, what, examples, fields: z.object(fields) });

/** A list, in one option by commas or in several. */
export const commandList = <T extends z.ZodType>(schema: T, help: string, flag: string): T =>
  schema.meta({ description: help, flag, commas: true });

/** A field with its help; `flag`, such as `--source <url>`, where it is not the field's own name. */
export const commandField = <T extends z.ZodType>(schema: T, help: string, flag?: string): T =>
  schema.meta({ description: help, ...(flag !== undefined && { flag }) });
