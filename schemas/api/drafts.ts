import { oc } from '@orpc/contract';
import { z } from 'zod';
import { draftFieldSchema } from '../draft.ts';
import { command, commandField } from './command.ts';

/** Proposals of models for a recording's annotation. */

const draftShownSchema = z.object({
  id: z.string(),
  action: z.string(),
  field: draftFieldSchema,
  text: z.string(),
  /** `model@hash of the prompts`. */
  by: z.string(),
  at: z.string(),
  /** Why the reflector doubts it, and who that is. */
  doubt: z.string().nullable(),
  doubtedBy: z.string().nullable(),
  /** In the document that was asked about. */
  state: z.enum(['open', 'taken', 'edited', 'rejected']),
});
export type DraftShown = z.infer<typeof draftShownSchema>;

const ofDocument = z.object({
  ws: z.string(),
  recording: z.string(),
  document: commandField(
    z.string(),
    "a person's own annotation, as `review show` names it; default: the main one",
    '--document <id>',
  ).optional(),
});

export const draftsContract = {
  drafts: {
    of: command('drafts <id:recording>', 'list what models drafted for a recording, and what became of it', [
      ['drafts ID --workspace W', 'each with its field, its model and whether it was taken'],
      ['drafts ID --workspace W --json', 'for a script'],
    ])
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/drafts',
        summary: 'Drafts of models, and what became of each',
      })
      .input(
        ofDocument.extend({
          person: commandField(z.string().min(1), 'who asks; default: me', '--person <name>').optional(),
        }),
      )
      .output(z.array(draftShownSchema)),
    /** Taking is an ordinary gesture in the annotation. Throws CONFLICT for who may not write there now. */
    reject: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/drafts/reject',
        summary: 'Reject a draft, or take that back',
      })
      .input(ofDocument.extend({ draft: z.string().max(400), rejected: z.boolean(), person: z.string().default('me') }))
      .output(z.object({})),
  },
};
