import { z } from 'zod';
import { command, commandField } from './command.ts';

/** Answers of models to the steps of a recording, with what they are worth. */

const candidateSchema = z.object({
  id: z.string(),
  /** The step's action, and its number from 1, as the page counts all steps. */
  action: z.string(),
  number: z.int(),
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
    /** Throws USAGE for a candidate that is none of the recording's; NOT_ALLOWED where the annotation is kept from them. */
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
