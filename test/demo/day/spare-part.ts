import { compositionSchema } from '../../../schemas/composition.ts';
import { chord, press, type } from '../../support/person.ts';
import { mail, notes, recipeOf, type ShownTask, sheet, shop } from './parts.ts';

/**
 * The pathway that ships: six questions over four programs, each of which needs the answer before it. Nothing in it has a date,
 * so that it looks the same on every day.
 */

const HER = 'Mara <mara@lab.example>';
const MAILS = [
  {
    id: '1',
    at: '2026-03-02T08:12',
    from: 'Jon <jon@lab.example>',
    to: HER,
    subject: 'Something is broken',
    text: 'Mara,\n\nINV-204 does not work any more, it needs its spare part.\n\nJon\n',
  },
  {
    id: '2',
    at: '2026-03-02T08:20',
    from: 'Office <office@lab.example>',
    to: HER,
    subject: 'Rooms today',
    text: 'Where signatures are given:\n\n10:00 Lab 301\n14:30 Lab 305\n16:00 Hall B\n',
  },
];
const BOOK = [
  ['Number', 'Device', 'Spare part'],
  ['INV-203', 'Printer', 'P1'],
  ['INV-204', 'Copier', 'T1'],
  ['INV-205', 'Labeller', 'P2'],
  ['Signs', 'Hour', null],
  ['Mara', '10:00', null],
  ['Dr. Weiss', '14:30', null],
  ['The dean', '16:00', null],
] as const;
const RULES = 'Who signs orders:\nup to 50.00 Mara\nup to 100.00 Dr. Weiss\nall others the dean\n';

const inbox = recipeOf(mail(MAILS));
const book = recipeOf(sheet('book.gnumeric', BOOK));
const apps = (name: string) => ({ Linux: [name] });

export const SPARE_PART_TASKS: readonly ShownTask[] = [
  {
    software: 'mutt',
    member: {
      id: 'device',
      task: 'PART_1',
      apps: apps('mutt'),
      instructions: { base: 'Which number has the device that Jon says is broken?' },
      way: ['Open the mail of Jon in Mail.', 'Read the number of the device.'],
      outputs: [{ name: 'number', value: 'INV-204' }],
    },
    recipe: inbox,
    checks: null,
    answer: 'INV-204',
    steps: [press('Home'), press('Enter'), type('i')],
  },
  {
    software: 'gnumeric',
    member: {
      id: 'part',
      task: 'PART_2',
      apps: apps('gnumeric'),
      instructions: {
        base: 'Which goods are the spare part of the device {{device.number}}, by the book of the laboratory?',
      },
      way: ['Find the row of the device in the book.', 'Read its spare part.'],
      outputs: [{ name: 'goods', value: 'T1' }],
    },
    recipe: book,
    checks: null,
    answer: 'T1',
    steps: [chord('ctrl', 'Home'), press('ArrowDown', 2)],
  },
  {
    software: 'chromium',
    member: {
      id: 'price',
      task: 'PART_3',
      apps: apps('chromium'),
      instructions: { base: 'What does one piece of the goods {{part.goods}} cost in the shop?' },
      way: ['Find the row of the goods in the list of the shop.', 'Read the price.'],
      outputs: [{ name: 'amount', value: 54, tolerance: 0.001 }],
    },
    recipe: recipeOf(shop()),
    checks: null,
    answer: '54.00',
    steps: [press('F5')],
  },
  {
    software: 'mousepad',
    member: {
      id: 'signer',
      task: 'PART_4',
      apps: apps('mousepad'),
      instructions: { base: 'Who signs an order of {{price.amount}}, by the rules of the laboratory?' },
      way: ['Find the first limit in rules.txt that the amount is not over.', 'Read the name.'],
      outputs: [{ name: 'name', value: 'Dr. Weiss' }],
    },
    recipe: recipeOf(notes('notes/rules.txt', RULES)),
    checks: null,
    answer: 'Dr. Weiss',
    steps: [chord('ctrl', 'End')],
  },
  {
    software: 'gnumeric',
    member: {
      id: 'hour',
      task: 'PART_5',
      apps: apps('gnumeric'),
      instructions: { base: 'At which hour does {{signer.name}} sign, by the book of the laboratory?' },
      way: ['Find the name below “Signs” in the book.', 'Read the hour.'],
      outputs: [{ name: 'time', value: '14:30' }],
    },
    recipe: book,
    checks: null,
    answer: '14:30',
    steps: [chord('ctrl', 'End')],
  },
  {
    software: 'mutt',
    member: {
      id: 'room',
      task: 'PART_6',
      apps: apps('mutt'),
      instructions: { base: 'In which room are signatures given at {{hour.time}} today, by the mail of the office?' },
      way: ['Open the mail of the office in Mail.', 'Read the room beside the hour.'],
      outputs: [{ name: 'room', value: 'Lab 305' }],
    },
    recipe: inbox,
    checks: null,
    answer: 'Lab 305',
    steps: [press('End'), press('Enter'), type('i')],
  },
];

const IDS = SPARE_PART_TASKS.map(({ member }) => member.id);
const OUTPUTS = ['number', 'goods', 'amount', 'name', 'time'];

/** The whole of it as one file. */
export const SPARE_PART = compositionSchema.parse({
  schema: 'trajectory-studio/composition',
  version: 1,
  id: 'spare-part',
  kind: 'pathway',
  title: 'A spare part is to be signed for',
  task: 'Jon wrote that a device is broken. In which room can the order of its spare part be signed today?',
  level: 3,
  members: SPARE_PART_TASKS.map(({ member }) => member),
  edges: OUTPUTS.map((output, n) => ({ kind: 'data', from: IDS[n], to: IDS[n + 1], output })),
  tasks: SPARE_PART_TASKS.map(({ member, software, recipe, checks, answer = '' }) => ({
    id: member.task,
    software,
    goal: member.instructions.base.replaceAll(/\{\{[^}]*\}\}/g, '…'),
    answer,
    recipe,
    checks,
  })),
});
