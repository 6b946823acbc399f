import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { reviewActSchema, reviewEventSchema, reviewPolicySchema } from '../review.ts';
import { command, commandField } from './command.ts';
import {
  assignmentWishesSchema,
  assignOutcomeSchema,
  comparisonSchema,
  dashboardSchema,
  reviewStateSchema,
  sentSchema,
  workItemSchema,
} from './review-models.ts';

/** Cross-validation on the wire. `person` is who asks: what is kept from them while they annotate blind follows from it. */
const ws = z.object({ ws: z.string() });
const asked = ws.extend({
  person: commandField(z.string().min(1), 'the person: a name or an id of `people list`', '-p, --person <name>'),
});
/** A recording, and who asks about it. */
export const askedRecording = asked.extend({ recording: z.string() });
/**
 * The tag of the state that the asker has; '' for none. The answer is then only what changed since, with a tag of its own, or
 * the whole where the studio does not know that state any more. Left out: the whole.
 */
const since = z.string().max(100).optional();
/** The person who looks at everybody's figures: a hidden check of theirs is counted so that it does not give itself away. */
const asker = z.string().min(1).optional();

export const reviewContract = {
  review: {
    policy: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/review/policy', summary: 'The rules of the data set' })
      .input(ws)
      .output(reviewPolicySchema),
    setPolicy: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/review/policy', summary: 'Change the rules of the data set' })
      .input(ws.extend({ person: asker, policy: reviewPolicySchema }))
      .output(reviewPolicySchema),
    /** One act in the log of each; what may not be assigned is told and keeps no other. */
    assign: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/review/assignments',
        summary: 'Say who is to annotate or review recordings, or all recordings of tasks',
      })
      .input(asked.extend(assignmentWishesSchema.shape))
      .output(assignOutcomeSchema),
    /** In the order in which it should be done; the first is what `next` would be. */
    queue: command('queue', "a person's work: what to annotate, repair, review or adjudicate, next first", [
      ['queue --person Ada --workspace W', 'a table'],
      ['queue --person Ada --workspace W --json', 'for a script; the first is the next'],
    ])
      .route({ method: 'GET', path: '/workspaces/{ws}/review/queue', summary: "A person's work, the next first" })
      .input(asked)
      .output(z.array(workItemSchema)),
    get: command('review show <id:recording>', 'documents, decisions, comments, and what the person may do', [
      ['review show 2026 --person Ada --workspace W', 'in words; --json for a script'],
    ])
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/review',
        summary: 'Documents, decisions, comments, and what the person may do',
      })
      .input(askedRecording.extend({ since }))
      .output(reviewStateSchema),
    /** Throws CONFLICT when it may not be done (now, or by this person), with the reason in words. */
    send: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/review',
        summary: 'Begin, submit, claim, decide, comment, settle, approve, reject, judge',
      })
      .input(askedRecording.extend({ id: z.uuid(), act: reviewActSchema, since }))
      .output(sentSchema),
    /** Oldest first. */
    history: command('review history <id:recording>', 'everything that happened to it, oldest first', [
      ['review history 2026 --person Ada --workspace W', 'the whole log'],
    ])
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/review/history',
        summary: 'Everything that happened to it',
      })
      .input(askedRecording)
      .output(z.array(reviewEventSchema)),
    /** The state now, then after each event of anybody. */
    watch: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/review/changes',
        summary: 'The review as it goes',
      })
      .input(askedRecording.extend({ since }))
      .output(eventIterator(reviewStateSchema)),
    /** Default: all replicas that were submitted, or the two of `documents`. */
    compare: command('review compare <id:recording>', 'the differences between the replicas', [
      ['review compare 2026 --person Ada --workspace W', 'differences only'],
    ])
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/review/comparison',
        summary: 'What replicas say differently, and how well they agree',
      })
      .input(askedRecording.extend({ documents: z.array(z.string()).min(2).max(6).optional() }))
      .output(comparisonSchema),
    /** `software`: its id or a name of it. */
    dashboard: command('agreement', 'states, people and how well annotators agree, with intervals', [
      ['agreement --workspace W', 'in words'],
      ['agreement --workspace W --json', 'everything, for a script'],
      ['agreement --workspace W --csv recordings > agreement.csv', 'for a spreadsheet'],
    ])
      .route({ method: 'GET', path: '/workspaces/{ws}/review/dashboard', summary: 'States, people, time, agreement' })
      .input(
        ws.extend({
          person: asker,
          software: commandField(z.string(), 'only this software', '--software <name>').optional(),
        }),
      )
      .output(dashboardSchema),
    /** The dashboard's tables as one CSV. */
    dashboardCsv: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/review/dashboard.csv', summary: 'The dashboard as CSV' })
      .input(
        ws.extend({
          person: asker,
          software: z.string().optional(),
          table: z.enum(['recordings', 'people', 'pairs', 'software']),
        }),
      )
      .output(z.string()),
  },
};
