import { oc } from '@orpc/contract';
import { z } from 'zod';
import { HOTTEST, MOST_CANDIDATES } from '../limits.ts';
import { PROTOCOLS } from '../protocols.ts';
import { SCALES } from '../scales.ts';
import { command, commandField } from './command.ts';
import { givenKeySchema } from './given-key.ts';
import { jobSchema } from './models.ts';

/** Answers of models to the steps of a recording, with what they are worth. */

const candidateSchema = z.object({
  id: z.string(),
  /** The step's action, and its number from 1, as the page counts all steps. */
  action: z.string(),
  number: z.int(),
  /** The person's own step, in words, and the frame that shows the screen before it; null: no picture of it is there. */
  did: z.string(),
  frame: z.int().nullable(),
  /** Which of the model's answers to it, from 1. */
  n: z.int(),
  model: z.string(),
  at: z.string(),
  text: z.string(),
  /** How far it is what the person did, 0 to 1, and why. */
  reward: z.number(),
  why: z.string(),
  judged: z.object({ by: z.string(), right: z.boolean().nullable(), why: z.string() }).nullable(),
  /** The share of people who say that it is right; null: nobody said. */
  people: z.number().nullable(),
});
export type CandidateShown = z.infer<typeof candidateSchema>;

const askedSchema = z.object({
  protocol: z.enum(PROTOCOLS),
  endpoint: z.string().min(1).max(2000),
  model: z.string().trim().min(1).max(200),
  /** Null: no judge is asked. */
  judge: z.string().trim().min(1).max(200).nullable(),
  /** Candidates of each step. */
  each: z.int().min(1).max(MOST_CANDIDATES),
  temperature: z.number().min(0).max(HOTTEST),
  coordinates: z.enum(SCALES).nullable(),
  key: givenKeySchema,
  budget: z.number().positive().nullable(),
  /** The prices of a million tokens; null: not known, and then there is no budget. */
  prices: z.object({ input: z.number().min(0), output: z.number().min(0) }).nullable(),
});

const ofRecording = z.object({ ws: z.string(), recording: z.string() });
const person = (help: string) => commandField(z.string().min(1), help, '--person <name>');

export const candidatesContract = {
  candidates: {
    of: command('samples show <id:recording>', 'list the candidates of a recording’s steps with their rewards', [
      ['samples show ID --workspace W', 'each with its step, its rewards and what it says'],
      ['samples show ID --workspace W --json', 'for a script'],
    ])
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/candidates',
        summary: 'Answers of models to the steps of a recording, with their rewards',
      })
      .input(ofRecording.extend({ person: person('who asks; default: me').optional() }))
      .output(z.array(candidateSchema)),
    /** Throws USAGE for an address that cannot be taken, no key, a budget without prices, and where no step can be asked about. */
    ask: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/candidates',
        summary: 'Ask a model several times for each step of a recording, as a job',
      })
      .input(ofRecording.extend({ person: z.string().min(1).max(100).optional(), with: askedSchema }))
      .output(jobSchema),
    /** Throws USAGE for a candidate that is none of the recording's, and where the annotation is kept from them. */
    say: command('samples say <id:recording>', 'say of a candidate whether it is right', [
      ['samples say ID --candidate 0a1b2c3d4e5f --right yes --workspace W', 'it is another right way'],
      ['samples say ID --candidate 0a1b2c3d4e5f --workspace W', 'take that back'],
    ])
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/candidates/say',
        summary: 'Say of a candidate whether it is right, or take that back',
      })
      .input(
        ofRecording.extend({
          candidate: commandField(
            z.string().min(1).max(100),
            'its id, as `samples show` prints it',
            '--candidate <id>',
          ),
          right: commandField(
            z.boolean(),
            'yes or no; take back what was said when left out',
            '--right <yes|no>',
          ).optional(),
          person: person('whose word it is').default('me'),
        }),
      )
      .output(z.object({})),
  },
};
