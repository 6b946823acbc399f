import { z } from 'zod';
import { actFields, rejectReasonSchema, reviewPolicySchema, stepErrorSchema } from '../review.ts';
import { ASSIGNED_WORK } from '../task-terms.ts';
import { commandField, commandForm, commandList } from './command.ts';
import { askedRecording } from './review.ts';
import { assignmentWishesSchema } from './review-models.ts';

/**
 * `review` on the command line where it is not one call as it is: each act that `review.send` takes is a command, and the
 * rules of the data set are changed one by one.
 */

const { recording, person } = askedRecording.shape;
const event = commandField(z.uuid(), 'an id for this act: an act sent twice is done once', '--event <uuid>').optional();
const reason = commandField(rejectReasonSchema, 'why it is rejected', '--reason <reason>').optional();
const why = commandField(actFields('decide').comment, 'why', '--comment <text>').default('');

const wishes = assignmentWishesSchema.shape;
const whichWork = {
  person,
  recordings: commandList(wishes.recordings, 'these recordings, by the start of their ids', '--recordings <ids>'),
  tasks: commandList(wishes.tasks, 'all recordings of these tasks', '--task <ids>'),
  work: commandField(z.enum(ASSIGNED_WORK), 'to annotate it, or to review (or adjudicate) it', '--work <work>'),
};
export const reviewAssign = commandForm(
  'review assign',
  'assign recordings to somebody, to be annotated or reviewed',
  [
    [
      'review assign --recordings 2026 --work annotate --to Ben --due 2026-12-05 --person Ada --workspace W',
      'it is the first in what `queue` gives Ben',
    ],
    ['review assign --task PPT_15,PPT_16 --work review --to Cleo --person Ada --workspace W', 'all of two tasks'],
  ],
  {
    ...whichWork,
    to: commandList(wishes.to.min(1), 'who is to do it, by name or id', '--to <people>'),
    due: commandField(
      wishes.due.unwrap().unwrap(),
      'the day by which it is to be done',
      '--due <YYYY-MM-DD>',
    ).optional(),
  },
);
export const reviewUnassign = commandForm(
  'review unassign',
  'leave recordings to everybody again',
  [['review unassign --recordings 2026 --work annotate --person Ada --workspace W', 'anybody is given it']],
  whichWork,
);

/** `example`: the options of the act in the example. */
const act = <T extends string, F extends z.ZodRawShape>(name: T, what: string, example: string, fields: F) =>
  commandForm(
    `review ${name} <id:recording>`,
    what,
    [[`review ${name} 2026 ${example}--person Ada --workspace W`, what]],
    {
      recording,
      person,
      ...fields,
      event,
    },
  );

const { verdict } = actFields('decide');
const { replicas } = actFields('plan');
const { text, thread } = actFields('comment');
const judge = actFields('judge');
const { kind, execution } = stepErrorSchema.shape;

export const reviewActs = {
  plan: act('plan', 'set how many people annotate it blind', '--replicas 2 ', {
    replicas: commandField(replicas, '1: one annotates, another reviews', '--replicas <number>'),
  }),
  begin: act('begin', 'begin to annotate or repair it', '', {}),
  submit: act('submit', 'submit the annotation', '', {}),
  withdraw: act('withdraw', 'withdraw what was submitted', '', {}),
  claim: act('claim', 'start its review, or its adjudication', '', {}),
  release: act('release', 'end its review without a verdict', '', {}),
  decide: act('decide', 'decide on one item of it', '--item step:ACTION --verdict accept ', {
    item: commandField(
      z.string(),
      'step, element, box, narration, text or removal:ACTION; edge or title:FIRST; goal',
      '--item <kind:id>',
    ),
    verdict: commandField(z.enum([...verdict.unwrap().options, 'none']), 'none takes it back', '--verdict <verdict>'),
    reason,
    comment: why,
  }),
  settle: commandForm(
    'review settle <id:recording>',
    'settle a difference between replicas by taking one side',
    [['review settle 2026 --difference element:a --side Ben --person Ada --workspace W', "Ben's name"]],
    {
      recording,
      person,
      difference: commandField(z.string(), 'the id that `review compare` prints', '--difference <id>'),
      side: commandField(z.string(), 'whose side', '--side <person>'),
      event,
    },
  ),
  approve: act('approve', 'approve it as a whole', '', {}),
  reject: act('reject', 'send it back', '--reason unclear --comment "Which dialog?" ', { reason, comment: why }),
  reopen: act('reopen', 'open an approved recording for changes again', '--comment "The menu was renamed" ', {
    comment: commandField(actFields('reopen').comment, 'why', '--comment <text>'),
  }),
  comment: act('comment', 'write a comment, or answer one', '--text "Which one?" ', {
    text: commandField(text, 'what', '--text <text>'),
    step: commandField(z.string(), 'the step it is about', '--step <action>').optional(),
    thread: commandField(thread.unwrap(), 'the comment that it answers', '--thread <id>').optional(),
  }),
  resolve: act('resolve', 'close a comment', '--thread ID ', {
    thread: commandField(actFields('resolve').thread, 'the comment', '--thread <id>'),
  }),
  unresolve: act('unresolve', 'open a comment again', '--thread ID ', {
    thread: commandField(actFields('unresolve').thread, 'the comment', '--thread <id>'),
  }),
  judge: act('judge', 'judge a step of the trajectory', '--step ACTION --grounded no ', {
    step: commandField(judge.action, 'the step', '--step <action>'),
    grounded: commandField(
      judge.grounded.unwrap(),
      'whether it was grounded in what the screen showed',
      '--grounded <yes|no>',
    ).optional(),
    error: commandField(kind, 'the kind of error', '--error <kind>').optional(),
    execution: commandField(execution.unwrap(), 'the kind of execution error', '--execution <which>').optional(),
    recoverable: commandField(stepErrorSchema.shape.recoverable, 'a later step repaired it').default(false),
    redundant: commandField(z.boolean(), 'whether it could have been left out', '--redundant <yes|no>').optional(),
    comment: why,
  }),
};

const rules = reviewPolicySchema.shape;
export const reviewPolicy = commandForm(
  'review policy',
  'show the rules of the data set; options change them',
  [
    ['review policy --workspace W', 'as they are'],
    [
      'review policy --replicas 2 --replica-share 0.3 --check-share 0.1 --workspace W',
      'two blind for a third of the recordings, every tenth piece of work a hidden check',
    ],
  ],
  {
    replicas: commandField(
      rules.replicas.unwrap(),
      'people who annotate the same recording blind (1: one annotates, another reviews)',
      '--replicas <number>',
    ).optional(),
    replicaShare: commandField(
      rules.replicaShare.unwrap(),
      'share of the recordings that are annotated by several people, 0 to 1',
      '--replica-share <share>',
    ).optional(),
    checkShare: commandField(
      rules.checkShare.unwrap(),
      'share of the work that is a hidden check, 0 to 0.15',
      '--check-share <share>',
    ).optional(),
    seed: commandField(rules.seed.unwrap(), 'decides which recordings are chosen', '--seed <number>').optional(),
    reviewAdjudicated: commandField(
      rules.reviewAdjudicated.unwrap(),
      'an adjudicated recording is reviewed before it is approved',
      '--review-adjudicated <yes|no>',
    ).optional(),
    managers: commandList(
      rules.managers.unwrap(),
      'who plans and assigns work and changes these rules; none: everybody',
      '--managers <people>',
    ).optional(),
    assignedOnly: commandField(
      rules.assignedOnly.unwrap(),
      'what is assigned is begun by those it is assigned to alone',
      '--assigned-only <yes|no>',
    ).optional(),
    person: commandField(
      z.string().min(1),
      'who changes them, where managers are set',
      '-p, --person <name>',
    ).optional(),
    demonstratorMayReview: commandField(
      rules.demonstratorMayReview.unwrap(),
      'the person who recorded it may review its annotation',
      '--demonstrator-may-review <yes|no>',
    ).optional(),
  },
);
