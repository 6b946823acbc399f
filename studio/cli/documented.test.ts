import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { beforeAll, expect, test } from 'vitest';
import { FORMATS, type FormatInfo } from '../../core/export/formats.ts';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import { programOfAll } from './run-for-tests.ts';

/**
 * Every command line that a page of the documentation, a help text or a message shows is one that the command line takes:
 * it is parsed by the commands' own tables of options, without running anything.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const PAGES = globSync(['README.md', '{docs,core}/**/*.md'], { cwd: ROOT }).sort();
const SOURCES = globSync('{core,schemas,native,studio,renderer,electron,scripts}/**/*.{ts,tsx,mjs}', { cwd: ROOT })
  .filter((file) => !/\.test\.tsx?$|-for-tests\./.test(file))
  .sort();
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

let program: Command;
beforeAll(async () => {
  program = await fresh();
});

async function fresh(): Promise<Command> {
  const made = await programOfAll();
  doNothing(made);
  return made;
}

function doNothing(command: Command): void {
  if (command.commands.length === 0) command.action(() => undefined);
  for (const each of command.commands) doNothing(each);
}

/** The words of a line as a shell has them, without its comment and what it is piped into. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (const [at, sign] of [...line].entries()) {
    if (quote) {
      if (sign === quote) quote = '';
      else word += sign;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= '';
    } else if (/\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (word === null && '#|>'.includes(sign)) {
      break;
    } else {
      word = (word ?? '') + sign;
    }
    if (at === line.length - 1 && word !== null) words.push(word);
  }
  return words;
}

const LEFT_OUT = /^(?:…|\[.*\])$/;
/** Faults that a shortened line may have: the required part stands where its `…` does. */
const LACKS = ['commander.missingMandatoryOptionValue', 'commander.missingArgument', 'commander.optionMissingArgument'];

/** The fault of these words as a command line; null when they are one. `…` and `[filters]` are left to the reader. */
async function wrongWith(words: readonly string[]): Promise<string | null> {
  if (words.includes('--help')) {
    return words[0] === '--help' || commandOf(words) ? null : `no command ${words.join(' ')}`;
  }
  const choice = wrongChoice(words);
  if (choice !== null) return choice;
  const options = commandOf(words)?.options ?? [];
  const wantsValue = (word: string | undefined) => options.some(({ long, required }) => required && long === word);
  const given = words.filter((word, at) => !LEFT_OUT.test(word) || wantsValue(words[at - 1]));
  try {
    // A command remembers what it was given, so each line gets commands of its own.
    await (await fresh()).parseAsync(given, { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) return String(error);
    return words.some((word) => LEFT_OUT.test(word)) && LACKS.includes(error.code) ? null : error.message;
  }
}

/** Values that are looked at when a command runs: the formats' options and the choices of scoring. */
function wrongChoice(words: readonly string[]): string | null {
  for (const [at, word] of words.entries()) {
    const [name = '', value] = (words[at + 1] ?? '').split('=');
    if (word === '--set' && !FORMATS.some(({ options }) => options.some((one) => fits(one, name, value)))) {
      return `no format has ${name}=${value}`;
    }
    if (word === '--options' && !Object.hasOwn(DEFAULT_OPTIONS, name)) return `no choice of scoring is called ${name}`;
  }
  return null;
}

const fits = (option: FormatInfo['options'][number], name: string, value: string | undefined) =>
  option.name === name && (value === 'VALUE' || option.values.some((one) => one.name === value));

/** The command that these words begin with, the deepest one; null where the first is none. */
function commandOf(words: readonly string[]): Command | null {
  let command: Command | undefined;
  for (const word of words) {
    const next: Command | undefined = (command ?? program).commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command ?? null;
}

/** The words after `npm run studio --` in a line, or after the command's name in the npm package. */
const COMMAND_LINE = /(?:npm run studio --|npx trajectory-studio) +(.*)/;

/** The fault of a whole line of a code block; null for lines that are no command. */
async function wrongWithLine(line: string): Promise<string | null> {
  const studio = COMMAND_LINE.exec(line);
  if (studio) return wrongWith(wordsOf(studio[1] ?? ''));
  for (const part of line.split('&&')) {
    const [first, second, ...rest] = wordsOf(part);
    if (first !== 'npm') continue;
    const name = second === 'run' ? rest.shift() : second;
    if (name === undefined || name === 'install' || name === 'ci') continue;
    const script = scripts[name];
    if (script === undefined) return `package.json has no script "${name}"`;
    const missing = optionsOf(rest).find((option) => !takes(script, option));
    if (missing) return `npm run ${name} takes no ${missing}`;
  }
  return null;
}

const optionsOf = (words: readonly string[]) => words.filter((word) => /^--[a-z]/.test(word));

/** Scripts have no tables: the last of their files says which words it looks for. `start` hands on to the command of its name. */
function takes(script: string, option: string): boolean {
  const file = script.match(/(?:scripts|test)\/[\w/-]+\.(?:mjs|ts)/g)?.at(-1);
  const own = file !== undefined && read(file).includes(option);
  const handedOn = script.includes('desktop-start') && /--(?:help|port|host|workspace)\b/.test(option);
  return own || handedOn;
}

/** The lines of a page's code blocks (fenced ones and indented ones), each with its number from 1. */
function blockLines(text: string): [line: string, number: number][] {
  let fenced = false;
  return text.split('\n').flatMap((line, at): [string, number][] => {
    if (line.startsWith('```')) fenced = !fenced;
    else if (fenced || line.startsWith('    ')) return [[line, at + 1]];
    return [];
  });
}

/** Code within sentences, each with its line. */
function spans(text: string): [code: string, number: number][] {
  let fenced = false;
  return text.split('\n').flatMap((line, at): [string, number][] => {
    if (line.startsWith('```')) fenced = !fenced;
    if (fenced || line.startsWith('    ')) return [];
    return [...line.matchAll(/`([^`]+)`/g)].map(([, code]): [string, number] => [code ?? '', at + 1]);
  });
}

test('every command line in a code block of the documentation is one', async () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const page of PAGES) {
    for (const [line, number] of blockLines(read(page))) {
      if (/\bnp[mx] /.test(line)) seen++;
      const why = await wrongWithLine(line);
      if (why !== null) wrong.push(`${page}:${number}: ${line.trim()}: ${why}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(50);
});

test('every command and option that a sentence of the documentation names is there', async () => {
  const wrong: string[] = [];
  const known = new Set(['--help', ...allOptions(program)]);
  for (const page of PAGES) {
    for (const [code, number] of spans(read(page))) {
      const words = wordsOf(code);
      const npm = /^np[mx] /.test(code);
      const ours = words.length > 1 && commandOf(words) !== null;
      const why = npm ? await wrongWithLine(`${code} …`) : ours ? await named(words) : wrongChoice(words);
      // A span of options alone goes on with the command that the sentence speaks of.
      const stranger = words[0]?.startsWith('--') && optionsOf(words).find((option) => !known.has(option));
      if (why !== null) wrong.push(`${page}:${number}: \`${code}\`: ${why}`);
      else if (stranger) wrong.push(`${page}:${number}: \`${code}\`: no command takes ${stranger}`);
    }
  }
  expect(wrong).toEqual([]);
});

function allOptions(command: Command): string[] {
  return [...command.options.flatMap(({ long }) => long ?? []), ...command.commands.flatMap(allOptions)];
}

/** A sentence says of a command what matters there, and leaves the rest out. */
const named = (words: readonly string[]) => wrongWith([...words, '…']);

test('every command line that the program itself tells of is one', async () => {
  const wrong: string[] = [];
  for (const file of SOURCES) {
    for (const [number, line] of read(file).split('\n').entries()) {
      for (const [, told = ''] of line.matchAll(/npm run studio -- +((?:[^`'\\]|\$\{[^}]*\})*)/g)) {
        // Which command that is, is known when the line is printed; help texts have a test of their own.
        if (/^(?:COMMAND|\$\{)/.test(told)) continue;
        const why = await named(wordsOf(told.replaceAll(/\$\{[^}]*\}/g, 'X')));
        if (why !== null) wrong.push(`${file}:${number + 1}: ${told}: ${why}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('every help text has examples, each a command line that would run', async () => {
  const wrong: string[] = [];
  let seen = 0;
  const look = async (command: Command): Promise<void> => {
    const help = helpOf(command);
    if (!help.includes('\nExamples:\n')) wrong.push(`${command.name()} --help has no examples`);
    for (const line of help.split('\n')) {
      const shown = COMMAND_LINE.exec(line)?.[1];
      if (shown === undefined) continue;
      seen++;
      const why = shown.startsWith('COMMAND ') ? null : await wrongWith(wordsOf(shown));
      if (why !== null) wrong.push(`${command.name()} --help: ${shown}: ${why}`);
    }
    for (const each of command.commands) await look(each);
  };
  await look(program);
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(50);
});

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

test.each([
  ['recrod --workspace W', 'unknown command'],
  ['record --workspace W --app gimp', "required option '--goal <text>'"],
  ['recordings --workspace W --colour red', "unknown option '--colour'"],
  ['validate videogui', "missing required argument 'dir'"],
  ['validate videogui data more', 'too many arguments'],
  ['archive export --workspace W --out a.tar --state done', 'is invalid'],
])('%s is told', async (line, message) => {
  expect(await wrongWith(wordsOf(line))).toContain(message);
});
