import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type StoredTransaction, transactionSchema } from '../../../schemas/annotation.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { OpenWorkspace } from '../../library/open-workspace.ts';
import { beginningOf, firstLines } from '../../review/beginning.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { parseWhole } from '../values.ts';
import { inOpenWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type DocumentOption = WorkspaceOption & { document?: string };
type PersonOption = DocumentOption & { person: string };

/** `annotate`: what the page does with a recording's annotation, as JSON. */
export function register(program: Command, context: CliContext): void {
  const annotate = program.command('annotate').description('read and change the annotation of a recording');

  const get = annotate
    .command('get <id>')
    .description('the document: its version and its records')
    .option('--person <name>', 'who asks', 'me')
    .action((id: string, { workspace: dir, person, document: named }: PersonOption) =>
      within(dir, id, async ({ documents, reviews }, recording) => {
        const { what } = await reviews.mayRead(recording, named, person);
        const document =
          what === 'all' ? await documents.get(recording, person, named) : await beginningOf(documents, recording);
        context.result(document, JSON.stringify(document, null, 2));
      }),
    );
  documentOption(workspaceOption(get));
  examples(get, [['annotate get 2026 --workspace W --json', 'for a script']]);

  const apply = annotate
    .command('apply <id>')
    .description('apply a transaction, all or nothing; sent twice it is applied once')
    .requiredOption('--file <file>', 'JSON: {id (a UUID), label, changes: [{op, …}]}; - reads it from stdin')
    .option('--person <name>', 'who does it', 'me')
    .action((id: string, { workspace: dir, file, person, document }: PersonOption & { file: string }) =>
      within(dir, id, async ({ documents }, recording) => {
        const stored = await documents.apply(recording, readTransaction(file), person, document);
        context.result(stored, told(stored));
      }),
    );
  documentOption(workspaceOption(apply));
  examples(apply, [['annotate apply 2026 --file change.json --workspace W', 'one gesture']]);

  for (const [name, what] of [
    ['undo', 'take back the last thing'],
    ['redo', 'do again what was taken back'],
  ] as const) {
    const command = annotate
      .command(`${name} <id>`)
      .description(what)
      .option('--person <name>', 'whose', 'me')
      .action((id: string, { workspace: dir, person, document }: PersonOption) =>
        within(dir, id, async ({ documents }, recording) => {
          const stored = await documents[name](recording, person, document);
          context.result({ transaction: stored }, stored === null ? `There is nothing to ${name}.` : told(stored));
        }),
      );
    documentOption(workspaceOption(command));
    examples(command, [[`annotate ${name} 2026 --workspace W`, what]]);
  }

  const history = annotate
    .command('history <id>')
    .description('who changed what, the newest first')
    .option('--step <action>', 'only what touched this step')
    .option('--limit <number>', 'how many', '200')
    .option('--person <name>', 'who asks', 'me')
    .action((id: string, options: PersonOption & { step?: string; limit: string }) =>
      within(options.workspace, id, async ({ documents, reviews }, recording) => {
        const limit = parseWhole('--limit', options.limit, 1, 1000);
        const { document, person, step: action } = options;
        const { what } = await reviews.mayRead(recording, document, person);
        const transactions =
          what === 'all'
            ? await documents.history(recording, { action, limit, document })
            : await firstLines(documents, recording, 0);
        const rows = transactions.map(({ version, at, person, label }) => [String(version), at, person, label]);
        const text = rows.length > 0 ? textTable([['VERSION', 'AT', 'PERSON', 'WHAT'], ...rows], [0]) : 'Nothing yet.';
        context.result({ transactions }, text);
      }),
    );
  documentOption(workspaceOption(history));
  examples(history, [['annotate history 2026 --workspace W', 'everything that was done']]);

  const proposals = annotate
    .command('proposals <id> <action>')
    .description('boxes and names for one step, the best first')
    .option('--person <name>', 'who asks', 'me')
    .action((id: string, action: string, { workspace: dir, document, person }: PersonOption) =>
      within(dir, id, async ({ documents, reviews }, recording) => {
        const readable = await reviews.mayRead(recording, document, person);
        const found = await documents.proposals(recording, action, readable.what === 'all' ? document : readable.own);
        context.result({ proposals: found }, JSON.stringify(found, null, 2));
      }),
    );
  documentOption(workspaceOption(proposals));
  examples(proposals, [['annotate proposals 2026 ACTION --workspace W', 'for the step of this id']]);
}

const documentOption = (command: Command): Command =>
  command.option('--document <id>', "a person's own annotation, as `review show` names it; default: the main one");

const within = <T>(dir: string, id: string, work: (open: OpenWorkspace, recording: string) => Promise<T>): Promise<T> =>
  inOpenWorkspace(dir, async (open) => work(open, (await open.workspace.resolveRecording(id)).id));

function readTransaction(file: string) {
  const bad = (why: string): StudioError =>
    new StudioError('BAD_FILE', `${file === '-' ? 'The input' : file} is no transaction: ${why}.`, { file });
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (error) {
    throw bad(error instanceof Error ? error.message : String(error));
  }
  const result = transactionSchema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw bad(`field \`${issue?.path.join('.')}\`: ${issue?.message}`);
}

const told = ({ version, label }: StoredTransaction): string => `Version ${version}: ${label}`;
