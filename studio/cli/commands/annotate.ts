import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { type StoredTransaction, transactionSchema } from '../../../schemas/annotation.ts';
import { annotationContract } from '../../../schemas/api/annotation.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { type CliContext, examples } from '../context.ts';
import { mirror } from '../mirror.ts';
import { textTable } from '../table.ts';

const annotation = {
  contract: annotationContract,
  handlers: async () => ({
    ...(await import('../../api/routes/find.ts')).findRoutes,
    ...(await import('../../api/routes/annotation.ts')).annotationRoutes,
  }),
};

/** `annotate`: what the page does with a recording's annotation, as JSON. */
export function register(program: Command, context: CliContext): void {
  const annotate = program.command('annotate').description('read and change the annotation of a recording');
  examples(annotate, [
    ['annotate get 2026 --workspace W --json', 'everything that is said of a recording'],
    ['annotate missing 2026 --workspace W', 'what is missing, step by step'],
    ['annotate undo 2026 --workspace W', 'undo the last change'],
  ]);
  const add = mirror(annotation, context);
  add(annotate, ['annotation', 'get'], {
    json: (document) => document,
    text: (document) => JSON.stringify(document, null, 2),
  });
  add(annotate, ['annotation', 'apply'], {
    json: (stored) => stored,
    text: told,
    offer: (command) =>
      command.requiredOption('--file <file>', 'JSON: {id (a UUID), label, changes: [{op, …}]}; - reads it from stdin'),
    fields: ({ file }) => ({ transaction: readTransaction(String(file)) }),
  });
  for (const name of ['undo', 'redo'] as const) {
    add(annotate, ['annotation', name], {
      json: (transaction) => ({ transaction }),
      text: (stored) => (stored === null ? `There is nothing to ${name}.` : told(stored)),
    });
  }
  add(annotate, ['annotation', 'history'], {
    json: (transactions) => ({ transactions }),
    text: (transactions) => {
      const rows = transactions.map(({ version, at, person, label }) => [String(version), at, person, label]);
      return rows.length > 0 ? textTable([['VERSION', 'AT', 'PERSON', 'WHAT'], ...rows], [0]) : 'Nothing yet.';
    },
  });
  add(annotate, ['annotation', 'missing'], {
    json: (missing) => ({ missing }),
    status: (missing) => (missing.length > 0 ? 10 : null),
    text: (missing) => {
      if (missing.length === 0) return 'Nothing is missing.';
      const rows = missing.map(({ step, subtask, message, kind, action }) => [
        step === null ? '' : String(step),
        subtask === null ? '' : String(subtask),
        message,
        kind,
        action ?? '',
      ]);
      const table = textTable([['STEP', 'SUBTASK', 'WHAT', 'KIND', 'ID'], ...rows], [0, 1]);
      return `${table}\n${plural(missing.length, 'thing is', 'things are')} missing.`;
    },
  });
  add(annotate, ['annotation', 'proposals'], {
    json: (proposals) => ({ proposals }),
    text: (proposals) => JSON.stringify(proposals, null, 2),
  });
}

function readTransaction(file: string) {
  const bad = (why: string): StudioError =>
    new StudioError(
      'BAD_FILE',
      `${file === '-' ? 'The input' : file} is no transaction: ${why}. Check its path and what is in it.`,
      { file },
    );
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (error) {
    throw bad(whyNot(error));
  }
  const result = transactionSchema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw bad(`field \`${issue?.path.join('.')}\`: ${issue?.message}`);
}

const told = ({ version, label }: StoredTransaction): string => `Version ${version}: ${label}`;
