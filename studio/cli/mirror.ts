import type { ContractProcedure, ErrorMap } from '@orpc/contract';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import type { CommandForm, CommandText } from '../../schemas/api/command.ts';
import { StudioError } from '../../schemas/errors.ts';
import { type Call, findRecording, type Handlers, idOfPerson, withCalls } from './calls.ts';
import { type WorkspaceOption, workspaceOption } from './commands/options.ts';
import { type CliContext, examples } from './context.ts';
import { isYes, parseList, parseNumber, parseRange, parseWhole } from './values.ts';

/**
 * Commands that are made of the API's contract: words, help and examples of what it says of the call (schemas/api/command.ts),
 * arguments and options of its fields. A field with a help text is an option; a field that the command's line names is an
 * argument; others are not asked for.
 */

/** The options as they were given. */
type Values = WorkspaceOption & Readonly<Record<string, unknown>>;

type Meta = { command?: CommandText };
type Procedure = ContractProcedure<z.ZodObject, z.ZodType, ErrorMap, Meta>;
type Contracts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type AnswerOf<P> =
  P extends ContractProcedure<z.ZodObject, infer O extends z.ZodType, ErrorMap, Meta> ? z.output<O> : never;
type InputOf<P> =
  P extends ContractProcedure<infer I extends z.ZodObject, z.ZodType, ErrorMap, Meta> ? z.input<I> : never;

/** Options beside the fields', and the fields that they give. */
type More = {
  offer?(command: Command): unknown;
  fields?(values: Values): object;
  /** Run when only the group is named. */
  isDefault?: boolean;
  /** Done by this process even where a studio runs. */
  own?: boolean;
};

/** How an answer is shown. */
export type Shown<P> = More & {
  /** The one line of --json. */
  json(answer: AnswerOf<P>, input: InputOf<P>): unknown;
  text(answer: AnswerOf<P>, input: InputOf<P>, more: { values: Values; call: Call }): string | Promise<string>;
  /** The exit status that says more than that it worked; null: 0. */
  status?(answer: AnswerOf<P>): number | null;
};

/** Gives the function that adds the command of a call to its group. */
export function mirror<C extends Contracts>(
  { contract, handlers }: { contract: C; handlers: Handlers },
  context: CliContext,
) {
  const compose = composer(handlers, context);
  return <A extends keyof C & string, B extends keyof C[A] & string>(
    group: Command,
    path: readonly [A, B],
    { json, text, status, ...more }: Shown<C[A][B]>,
  ): Command => {
    const procedure = contract[path[0]]![path[1]] as Procedure; // Every entry of a contract is one.
    const { meta, inputSchema } = procedure['~orpc'];
    if (!meta.command || !inputSchema) throw new Error(`${path.join('.')} has no command in the contract.`);
    return compose(
      group,
      { ...meta.command, fields: inputSchema },
      async ({ call, given, values }) => {
        const answer = await call(path, given);
        // Both were checked by the call's own schemas.
        const [out, asked] = [answer as AnswerOf<C[A][B]>, given as InputOf<C[A][B]>];
        context.result(json(out, asked), await text(out, asked, { values, call }));
        const said = status?.(out) ?? null;
        if (said !== null) context.setStatus(said);
      },
      more,
    );
  };
}

/** Given to a command: its calls, the arguments as typed, and the same as the fields' schema reads them. */
type At<F extends z.ZodObject> = {
  call: Call;
  given: Record<string, unknown>;
  input: z.output<F>;
  values: Values;
};

/** Gives the function that adds a command with fields to its group. People and recordings come to `run` by their whole ids. */
export function composer(handlers: Handlers, context: CliContext) {
  return <F extends z.ZodObject>(
    group: Command,
    form: CommandForm<F>,
    run: (at: At<F>) => Promise<void>,
    { offer, fields: more, isDefault = false, own = false }: More = {},
  ): Command => {
    const { words, names, fields } = lineOf(form.line);
    const command = group
      .command([words.at(-1), ...names.map((one) => `<${one}>`)].join(' '), { isDefault })
      .description(form.what);
    const options = optionsOf(form.fields, fields);
    for (const { option } of options) command.addOption(option);
    offer?.(command);
    workspaceOption(command);
    command.action(async (...args: unknown[]) => {
      const values = args[names.length] as Values; // Commander gives them last.
      const given: Record<string, unknown> = {
        ...Object.fromEntries(fields.map((field, at) => [field, args[at]])),
        ...valuesOf(options, values),
        ...more?.(values),
      };
      checkInput(form.fields, given, options);
      await withCalls({ dir: values.workspace, handlers, context, own }, async (call) => {
        // The beginning of an id is enough for people.
        if (fields.includes('recording')) given.recording = await findRecording(call, given.recording);
        if (isRequired(form.fields, 'person')) given.person = await idOfPerson(call, given.person);
        await run({ call, given, input: form.fields.parse({ ...given, ws: '' }) as z.output<F>, values });
      });
    });
    return examples(command, form.examples);
  };
}

const isRequired = (schema: z.ZodObject, field: string): boolean => {
  const one: unknown = schema.shape[field];
  return one instanceof z.ZodType && !one.safeParse(undefined).success;
};

/** `tasks show <id:task>`: the words, the arguments' names as they are shown, and the fields that they give. */
function lineOf(line: string): { words: string[]; names: string[]; fields: string[] } {
  const parts = line.split(' ');
  const pairs = parts.flatMap((part) => {
    const [, name, field = name] = /^<(\w+)(?::(\w+))?>$/.exec(part) ?? [];
    return name === undefined || field === undefined ? [] : [{ name, field }];
  });
  return {
    words: parts.filter((part) => !part.startsWith('<')),
    names: pairs.map(({ name }) => name),
    fields: pairs.map(({ field }) => field),
  };
}

/** Said of an option whose field is to be null: commander makes an empty text of null itself. */
const NOTHING = Symbol('null');

type Offered = { field: string; option: Option };

function optionsOf(input: z.ZodObject, args: readonly string[]): Offered[] {
  return Object.entries(input.shape).flatMap(([field, given]) => {
    const schema = given as z.ZodType; // The contract's schemas are zod's.
    const parts = partsOf(schema);
    const { help, flag, inner, fallback } = parts;
    if (help === undefined || args.includes(field)) return [];
    const flags = flag ?? (inner instanceof z.ZodBoolean ? `--${kebab(field)}` : `--${kebab(field)} <text>`);
    const option = new Option(flags, help);
    if (inner instanceof z.ZodEnum) option.choices(inner.options.map(String));
    const parse = parserOf(parts, option.long ?? flags);
    if (parse && (option.required || !(inner instanceof z.ZodBoolean))) option.argParser(parse);
    if (![undefined, null, '', false].some((nothing) => nothing === fallback)) option.default(fallback);
    option.makeOptionMandatory(!schema.safeParse(undefined).success);
    return [{ field, option }];
  });
}

/** Reads the text of an option for its schema; null: it is the text itself. A list may be given in several options. */
function parserOf(
  { inner, nullable, commas }: Parts,
  option: string,
): ((text: string, before: unknown) => unknown) | null {
  if (inner instanceof z.ZodArray) {
    const noneIsNull = inner.element instanceof z.ZodNullable;
    return (text, before) => {
      const words: (string | null)[] = commas ? parseList(text) : [text];
      const some = noneIsNull ? words.map((word) => (word === 'none' ? null : word)) : words;
      return [...((before as unknown[] | undefined) ?? []), ...some]; // This function made it.
    };
  }
  if (inner instanceof z.ZodNumber) {
    const [least, most] = [inner.minValue ?? 0, inner.maxValue ?? Number.MAX_SAFE_INTEGER];
    const parse = inner.isInt ? parseWhole : parseNumber;
    return (text) => (nullable && text === 'no' ? NOTHING : parse(option, text, least, most));
  }
  if (inner instanceof z.ZodBoolean) return (text) => isYes(option, text);
  // The only object that an option can say.
  if (inner instanceof z.ZodObject && 'min' in inner.shape) return (text) => parseRange(option, text);
  return null;
}

type Parts = ReturnType<typeof partsOf>;

/** A field's schema without its wrappings, and what was said of it at any of them. */
function partsOf(schema: z.ZodType) {
  let inner: unknown = schema;
  let fallback: unknown;
  let help: string | undefined;
  let flag: string | undefined;
  let commas = false;
  let nullable = false;
  for (;;) {
    const meta = inner instanceof z.ZodType ? inner.meta() : undefined;
    help ??= meta?.description;
    flag ??= typeof meta?.flag === 'string' ? meta.flag : undefined;
    commas ||= meta?.commas === true;
    nullable ||= inner instanceof z.ZodNullable;
    if (inner instanceof z.ZodDefault) fallback = inner.def.defaultValue;
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
      inner = inner.unwrap();
    } else {
      return { help, flag, commas, nullable, inner, fallback };
    }
  }
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`);

const valuesOf = (options: readonly Offered[], values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    options.flatMap(({ field, option }) => {
      const value = values[option.attributeName()];
      return value === undefined ? [] : [[field, value === NOTHING ? null : value]];
    }),
  );

/** Before anything is opened. Throws USAGE naming the option or argument. */
function checkInput(schema: z.ZodObject, input: object, options: readonly Offered[]): void {
  const issue = schema.safeParse({ ...input, ws: '' }).error?.issues[0];
  if (!issue) return;
  const field = String(issue.path[0] ?? '');
  const name = options.find((one) => one.field === field)?.option.long ?? field;
  throw new StudioError('USAGE', `${name} cannot be taken: ${issue.message}.`, { option: name });
}
