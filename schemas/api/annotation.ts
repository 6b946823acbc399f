import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import {
  documentSchema,
  missingSchema,
  proposalSchema,
  storedTransactionSchema,
  transactionSchema,
} from '../annotation.ts';
import { command, commandField, commandForm } from './command.ts';

/** The annotation of a recording. */
const ws = z.object({ ws: z.string() });
const ofRecording = ws.extend({ recording: z.string() });
/** Whose annotation: left out = the recording's main document; `<recording>~<person id>` = a blind replica. */
const ofDocument = ofRecording.extend({
  document: commandField(
    z.string(),
    "a person's own annotation, as `review show` names it; default: the main one",
    '--document <id>',
  ).optional(),
});
/** The person who asks: what is kept from them while they annotate blind is left out. */
const asker = commandField(z.string().min(1), 'who asks; default: me', '--person <name>').optional();
const writer = (help: string) => commandField(z.string(), help, '--person <name>').default('me');

export const annotationContract = {
  annotation: {
    get: command('annotate get <id:recording>', 'show the document: its version and its records', [
      ['annotate get 2026 --workspace W --json', 'for a script'],
      [
        'annotate get 2026 --person Ada --document 2026-ID~ADA --workspace W',
        "Ada's own annotation, as `review show` names it",
      ],
    ])
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/annotation',
        summary: 'The annotation document',
      })
      .input(ofDocument.extend({ person: asker }))
      .output(documentSchema),
    missing: command('annotate missing <id:recording>', 'list what is missing, by step; status 10 when something is', [
      ['annotate missing 2026 --workspace W', 'boxes, drag ends, titles, narrations'],
      ['annotate missing 2026 --workspace W --json', 'for a script'],
    ])
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/annotation/missing',
        summary: 'What is missing, by step',
      })
      .input(ofDocument.extend({ person: asker }))
      .output(z.array(missingSchema)),
    /** All or nothing; the same id again is answered, not applied twice. Throws CONFLICT when a `before` no longer stands. */
    apply: command(
      'annotate apply <id:recording>',
      'apply a transaction, all or nothing; sent twice it is applied once',
      [['annotate apply 2026 --file change.json --workspace W', 'one gesture']],
    )
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/annotation',
        summary: 'Apply a transaction',
      })
      .input(ofDocument.extend({ transaction: transactionSchema, person: writer('who does it') }))
      .output(storedTransactionSchema),
    undo: command('annotate undo <id:recording>', 'undo the last change', [
      ['annotate undo 2026 --workspace W', 'undo the last change'],
    ])
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/annotation/undo',
        summary: 'Undo; null when there is nothing',
      })
      .input(ofDocument.extend({ person: writer('whose') }))
      .output(storedTransactionSchema.nullable()),
    redo: command('annotate redo <id:recording>', 'redo the last undone change', [
      ['annotate redo 2026 --workspace W', 'redo the last undone change'],
    ])
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/annotation/redo',
        summary: 'Redo; null when there is nothing',
      })
      .input(ofDocument.extend({ person: writer('whose') }))
      .output(storedTransactionSchema.nullable()),
    /** Newest first; of one action when named. */
    history: command('annotate history <id:recording>', 'all changes with their authors, newest first', [
      ['annotate history 2026 --workspace W', 'everything that was done'],
      ['annotate history 2026 --limit 20 --json --workspace W', 'the last twenty changes, for a script'],
    ])
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/annotation/history',
        summary: 'Who changed what, when',
      })
      .input(
        ofDocument.extend({
          person: asker,
          action: commandField(z.string(), 'only changes of this step', '--step <action>').optional(),
          limit: commandField(z.coerce.number().int().min(1).max(1000), 'how many', '--limit <number>').default(200),
        }),
      )
      .output(z.array(storedTransactionSchema)),
    /** Every transaction after `since`, then each as it happens. */
    watch: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/annotation/changes',
        summary: 'Transactions as they happen',
      })
      .input(ofDocument.extend({ person: asker, since: z.coerce.number().int().min(0) }))
      .output(eventIterator(storedTransactionSchema)),
    proposals: command('annotate proposals <id:recording> <action>', 'boxes and names for one step, the best first', [
      ['annotate proposals 2026 ACTION --workspace W', 'for the step of this id'],
    ])
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/steps/{action}/proposals',
        summary: 'Boxes and names for one step, best first',
      })
      .input(ofDocument.extend({ person: asker, action: z.string() }))
      .output(z.array(proposalSchema)),
    /** The box that a click at (x, y) of the step's `before` picture grows to (pattern 3). */
    grow: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/steps/{action}/grow',
        summary: 'Grow a box from a point',
      })
      .input(
        ofDocument.extend({
          person: asker,
          action: z.string(),
          x: z.coerce.number().int(),
          y: z.coerce.number().int(),
        }),
      )
      .output(proposalSchema.nullable()),
    /** Element names used in this software, most used first. */
    vocabulary: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/software/{software}/vocabulary',
        summary: 'Element names of a software',
      })
      .input(ws.extend({ software: z.string(), person: asker }))
      .output(z.array(z.object({ name: z.string(), count: z.int() }))),
  },
};

/** `propose` on the command line: `annotate proposals` of every step. */
export const proposeForm = commandForm(
  'propose <id:recording>',
  'propose names and boxes for every step of a recording, the best first',
  [
    ['propose 2026 --workspace W', 'the best one for each step, with its source and chance'],
    ['propose 2026 --workspace W --json', 'all of them'],
  ],
  { recording: z.string(), document: ofDocument.shape.document, person: asker },
);
