import { z } from 'zod';
import { VERIFICATION_STAGES } from '../composition-terms.ts';
import { recordingIdSchema } from '../names.ts';
import { commandField, commandForm } from './command.ts';

/** `compositions verify` on the command line: each act that `compositions.verify` takes is a command. */

const composition = z.string().max(100);
const person = commandField(
  z.string().min(1).max(300),
  'the person: a name or an id of `people list`',
  '-p, --person <name>',
);
const event = commandField(z.uuid(), 'an id for this act: an act sent twice is done once', '--event <uuid>').optional();
const of = { composition, person, event };

export const verifyClaim = commandForm(
  'compositions verify claim <id:composition>',
  'take a stage of the verification: design, independent or blind',
  [
    [
      'compositions verify claim alex-monday --stage independent --person Ben --workspace W',
      'one of the two who verify it after its design',
    ],
  ],
  { ...of, stage: commandField(z.enum(VERIFICATION_STAGES), 'the stage', '--stage <stage>') },
);

export const verifyRelease = commandForm(
  'compositions verify release <id:composition>',
  'give back the stage that you have in hand',
  [['compositions verify release alex-monday --person Ben --workspace W', 'somebody else can take it']],
  of,
);

export const verifySubmit = commandForm(
  'compositions verify submit <id:composition>',
  'hand in the answers and recordings of all tasks, on one platform',
  [
    [
      'compositions verify submit novels --platform Linux --answer author.name=Kafka --recording author=2026-11-28 --person Ben --workspace W',
      'answers are compared as the composition says',
    ],
  ],
  {
    ...of,
    platform: commandField(z.string(), 'the platform; left out where it names none', '--platform <name>').default(''),
    answers: commandField(z.array(z.string()), 'an answer; once for each', '--answer <task.output=text>').default([]),
    recordings: commandField(
      z.array(z.string()),
      'the recording of a task, by the start of its id; once for each',
      '--recording <task=id>',
    ).default([]),
  },
);

export const verifyAnswer = commandForm(
  'compositions verify answer <id:composition>',
  'hand in what you found blind',
  [
    [
      'compositions verify answer novels --answer 1883 --person Dea --workspace W',
      'in any order; none: it was not found',
    ],
  ],
  {
    ...of,
    answers: commandField(z.array(z.string().min(1)), 'an answer; once for each', '--answer <text>').default([]),
    recording: commandField(
      recordingIdSchema,
      'a recording of all of it, by the start of its id',
      '--recording <id>',
    ).optional(),
  },
);
