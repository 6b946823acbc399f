import { compositionSchema } from '../../../schemas/composition.ts';
import { chord, press, type } from '../../support/person.ts';
import { calendar, checksOf, mail, notes, recipeOf, type ShownTask, sheet, shop, withNotifications } from './parts.ts';

/**
 * The day that ships: eleven tasks of Mara's Monday, who runs a laboratory, with Jon, who works there and writes to her. Keys alone,
 * so that it is the same with any theme and font.
 */

const JON = 'Jon <jon@lab.example>';
const HER = 'Mara <mara@lab.example>';
const MAILS = [
  {
    id: '1',
    at: '2026-03-02T08:12',
    from: JON,
    to: HER,
    subject: 'Our meeting',
    text: 'Good morning Mara,\n\ncan we meet at 11:30 today? I have the first results.\n\nJon\n',
  },
];
const BUDGET = [
  ['Item', 'Cost'],
  ['Lunch', 12.5],
  ['Labels', null],
] as const;

const apps = (name: string) => ({ Linux: [name] });
const at = (from: string, to = '18:00') => ({ window: { from, to } });
const text = (id: string, path: string, ...contains: string[]) => checksOf({ id, kind: 'text', path, contains });

export const MARA_TASKS: readonly ShownTask[] = [
  {
    software: 'mutt',
    member: {
      id: 'meeting',
      task: 'DAY_1',
      ...at('08:50'),
      place: 'Kitchen',
      narration: 'Mara reads her mails over coffee.',
      apps: apps('mutt'),
      instructions: {
        base: 'When does Jon want to meet?',
        L0: 'Read the mail of {{given.colleague}} in Mail, and say when he wants to meet.',
        L1: 'Read the mail about the meeting, and say when it is.',
        L2: 'When is that meeting?',
      },
      outputs: [{ name: 'time', value: '11:30' }],
    },
    recipe: recipeOf(withNotifications(mail(MAILS))),
    checks: null,
    answer: '11:30',
    steps: [press('Enter'), type('i')],
  },
  {
    software: 'calcurse',
    member: {
      id: 'appointment',
      task: 'DAY_2',
      ...at('09:00'),
      place: 'Kitchen',
      narration: 'She writes it down before she forgets it.',
      apps: apps('calcurse'),
      instructions: {
        base: 'Put the meeting with Jon at {{meeting.time}} into the calendar of today.',
        L0: 'In Calendar, add an appointment today at {{meeting.time}} with the text "Meeting with {{given.colleague}}".',
        L1: 'Add the meeting with {{given.colleague}} to the calendar of today.',
        L2: 'Do not let me miss the meeting.',
      },
    },
    recipe: recipeOf(calendar()),
    checks: text('noted', 'calendar/apts', '03/02/2026 @ 11:30', '|Meeting with Jon'),
    steps: [
      chord('ctrl', 'a'),
      type('11:30'),
      press('Enter'),
      type('12:00'),
      press('Enter'),
      type('Meeting with Jon'),
      press('Enter'),
      type('s'),
    ],
  },
  {
    software: 'mousepad',
    member: {
      id: 'room',
      task: 'DAY_3',
      ...at('09:15'),
      place: 'Bus',
      narration: 'On the way she thinks of the room.',
      apps: apps('mousepad'),
      instructions: {
        base: 'Write into the list of things to do that {{given.room}} is to be unlocked by {{meeting.time}}.',
        L0: 'In Notes, write this as the last line of todo.txt, and save it: Unlock {{given.room}} by {{meeting.time}}',
        L1: 'Write into todo.txt that {{given.room}} is to be unlocked for the meeting, and save it.',
        L2: 'Remind me of the room for the meeting in my notes.',
      },
    },
    recipe: recipeOf(notes('notes/todo.txt', 'Water the plants\n')),
    checks: text('written', 'notes/todo.txt', 'Water the plants\nUnlock Lab 305 by 11:30'),
    steps: [chord('ctrl', 'End'), type('Unlock Lab 305 by 11:30'), chord('ctrl', 's')],
  },
  {
    software: 'mutt',
    member: {
      id: 'wish',
      task: 'DAY_4',
      ...at('09:45'),
      place: 'Office',
      narration: 'A new mail of Jon has come meanwhile.',
      apps: apps('mutt'),
      instructions: {
        base: 'How many packs of labels does Jon ask for?',
        L0: 'Read the newest mail of {{given.colleague}} in Mail, and say how many packs of labels he asks for.',
        L1: 'Read the newest mail, and say how many packs of labels are needed.',
        L2: 'How many of those does he need?',
      },
      outputs: [{ name: 'packs', value: 2 }],
    },
    recipe: recipeOf(mail(MAILS)),
    checks: null,
    answer: '2',
    // Out of the mail that is open, the newest, and into it.
    steps: [type('$'), press('End'), press('Enter'), type('i')],
  },
  {
    software: 'chromium',
    member: {
      id: 'order',
      task: 'DAY_5',
      ...at('10:00'),
      place: 'Office',
      narration: 'She orders what he asked for.',
      apps: apps('chromium'),
      instructions: {
        base: 'Order {{wish.packs}} packs of labels in the shop.',
        L0: 'In the shop, order {{wish.packs}} of the goods with the number {{given.labels}}.',
        L1: 'In the shop, order the goods with the number {{given.labels}}.',
        L2: 'Order the labels for Jon.',
      },
      outputs: [{ name: 'total', value: 25.8, from: { check: 'total' } }],
    },
    recipe: recipeOf(shop()),
    checks: checksOf({
      id: 'total',
      kind: 'sqlite',
      path: 'shop/shop.db',
      query: "SELECT total FROM orders WHERE goods = 'P2' AND count = 2",
      equals: '25.80',
    }),
    steps: [type('P2'), press('Tab'), type('2'), press('Enter')],
  },
  {
    software: 'gnumeric',
    member: {
      id: 'budget',
      task: 'DAY_6',
      ...at('10:20'),
      place: 'Office',
      narration: 'Money is tight, so she keeps count of it.',
      apps: apps('gnumeric'),
      instructions: {
        base: 'Enter {{order.total}} for the labels in the budget, and save it.',
        L0: 'In Money, enter {{order.total}} in the cell B3 of the budget, and save it.',
        L1: 'Enter the total of the labels in the cell B3 of the budget, and save it.',
        L2: 'Keep the budget up to date.',
      },
    },
    recipe: recipeOf(sheet('budget.gnumeric', BUDGET)),
    checks: checksOf({
      id: 'entered',
      kind: 'text',
      path: 'budget.gnumeric',
      contains: ['>12.5</gnm:Cell>'],
      // It writes numbers to twenty digits.
      matches: ['Row="2" Col="1" ValueType="40">25[.](?:80*|79{5,}[0-9]*)<'],
    }),
    // The last cell that is in use.
    steps: [chord('ctrl', 'End'), type('25.80'), press('Enter'), chord('ctrl', 's')],
  },
  {
    software: 'mutt',
    member: {
      id: 'reply',
      task: 'DAY_7',
      ...at('10:40'),
      place: 'Office',
      narration: 'Jon waits for an answer.',
      apps: apps('mutt'),
      instructions: {
        base: 'Answer Jon that the labels cost {{order.total}}.',
        L0: 'In Mail, answer the newest mail of {{given.colleague}} with the text "The labels cost {{order.total}}", and send it.',
        L1: 'Answer the newest mail of {{given.colleague}} with what the labels cost.',
        L2: 'Let Jon know about the labels.',
      },
    },
    recipe: recipeOf(mail(MAILS)),
    checks: text('sent', 'Mail/jon/new/1.mail', 'The labels cost 25.8', 'Re: Labels'),
    steps: [press('F9'), type('The labels cost 25.80'), chord('ctrl', 'x'), type('y')],
  },
  {
    software: 'chromium',
    member: {
      id: 'stock',
      task: 'DAY_8',
      ...at('10:55'),
      place: 'Office',
      narration: 'There may be no envelopes left.',
      apps: apps('chromium'),
      instructions: {
        base: 'How does the shop say that the envelopes stand: how many are left?',
        L0: 'Look at the list of the shop anew, and say what it says of the stock of the goods with the number {{given.envelopes}}.',
        L1: 'Look at the list of the shop anew, and say what it says of the stock of the envelopes.',
        L2: 'Can we have more envelopes?',
      },
      outputs: [{ name: 'stock', value: 'sold out' }],
    },
    recipe: recipeOf(shop()),
    checks: null,
    answer: 'sold out',
    steps: [chord('ctrl', 'l'), type('127.0.0.1:8100'), press('Enter')],
  },
  {
    software: 'calcurse',
    member: {
      id: 'todo',
      task: 'DAY_9',
      ...at('11:05'),
      place: 'Office',
      narration: 'So another shop is needed.',
      apps: apps('calcurse'),
      instructions: {
        base: 'Put "Envelopes: {{stock.stock}}" on the list of things to do in the calendar.',
        L0: 'In Calendar, add "Envelopes: {{stock.stock}}" to the things to do, with the priority {{given.priority}}.',
        L1: 'In Calendar, add what is the matter with the envelopes to the things to do, with the priority {{given.priority}}.',
        L2: 'Have me think of the envelopes.',
      },
    },
    recipe: recipeOf(calendar()),
    checks: text('added', 'calendar/todo', '[3] Envelopes: sold out'),
    steps: [chord('ctrl', 't'), type('Envelopes: sold out'), press('Enter'), type('3'), press('Enter'), type('s')],
  },
  {
    software: 'mousepad',
    member: {
      id: 'agenda',
      task: 'DAY_10',
      ...at('11:20'),
      place: 'Office',
      narration: 'Jon has put an agenda into her folder.',
      apps: apps('mousepad'),
      instructions: {
        base: 'How many points has the agenda of the meeting?',
        L0: 'Open {{given.agenda}} in Notes, and say how many points it has.',
        L1: 'Open the agenda, and say how many points it has.',
        L2: 'Is it a long meeting?',
      },
      outputs: [{ name: 'points', value: 3 }],
    },
    recipe: recipeOf(notes('Downloads/agenda.txt')),
    checks: null,
    answer: '3',
    steps: [chord('ctrl', 'End')],
  },
  {
    software: 'mousepad',
    member: {
      id: 'evening',
      task: 'DAY_11',
      ...at('17:30'),
      place: 'Office',
      narration: 'Before she goes home she writes her day down.',
      apps: apps('mousepad'),
      instructions: {
        base: 'Write into the diary that {{agenda.points}} points were talked about and {{order.total}} was spent.',
        L0: 'In Notes, write "{{agenda.points}} points, spent {{order.total}}" as the last line of diary.txt, and save it.',
        L1: 'Write into diary.txt how many points the meeting had, and what was spent, and save it.',
        L2: 'Write my diary.',
      },
    },
    recipe: recipeOf(notes('notes/diary.txt', 'Sunday: 0 points\n')),
    checks: text('written', 'notes/diary.txt', 'Sunday: 0 points\n3 points, spent 25.8'),
    steps: [chord('ctrl', 'End'), type('3 points, spent 25.80'), chord('ctrl', 's')],
  },
];

const data = (from: string, output: string, to: string) => ({ kind: 'data', from, to, output });

/** The whole of it as one file. */
export const MARA = compositionSchema.parse({
  schema: 'trajectory-studio/composition',
  version: 2,
  id: 'mara-monday',
  kind: 'scenario',
  title: 'Mara’s Monday in the laboratory',
  context: {
    persona:
      'Mara runs a small laboratory. She keeps her calendar, her notes and the money of the laboratory on one computer. Jon, who works there, writes mails to her and likes short answers.',
    preferences: ['Prices are written with a point and two digits.', 'Mails are answered in one sentence.'],
    given: [
      { name: 'colleague', value: 'Jon' },
      { name: 'room', value: 'Lab 305' },
      { name: 'labels', value: 'P2' },
      { name: 'envelopes', value: 'E1' },
      { name: 'priority', value: '3' },
      { name: 'agenda', value: 'agenda.txt' },
    ],
    begins: '2026-03-02',
  },
  members: MARA_TASKS.map(({ member }) => member),
  edges: [
    data('meeting', 'time', 'appointment'),
    data('meeting', 'time', 'room'),
    data('wish', 'packs', 'order'),
    data('order', 'total', 'budget'),
    data('order', 'total', 'reply'),
    data('stock', 'stock', 'todo'),
    data('order', 'total', 'evening'),
    data('agenda', 'points', 'evening'),
    { kind: 'hard', from: 'wish', to: 'order' },
    { kind: 'hard', from: 'order', to: 'budget' },
    { kind: 'hard', from: 'order', to: 'reply' },
    { kind: 'time', from: 'order', to: 'stock', atLeast: 30 },
  ],
  events: [
    {
      id: 'labels',
      at: { from: '09:20', to: '09:40' },
      happens: [
        {
          kind: 'mail',
          folder: 'Mail/mara',
          from: JON,
          to: HER,
          subject: 'Labels',
          text: 'Mara,\n\nwe have no labels left. Please order 2 packs.\n\nJon\n',
        },
      ],
    },
    {
      id: 'envelopes',
      at: { after: 'budget' },
      happens: [{ kind: 'service', service: 'shop', change: 'envelopes-sold-out' }],
    },
    {
      id: 'agenda_comes',
      at: { from: '11:10', to: '11:15' },
      happens: [{ kind: 'file', to: 'Downloads/agenda.txt', text: 'Agenda\n\n1. Results\n2. Labels\n3. Next week\n' }],
    },
    {
      id: 'call',
      at: { from: '11:18' },
      happens: [{ kind: 'notification', title: 'Jon', text: 'I am in the room.' }],
    },
  ],
  tasks: MARA_TASKS.map(({ member, software, recipe, checks, answer = '' }) => ({
    id: member.task,
    software,
    goal: member.instructions.base.replaceAll(/\{\{[^}]*\}\}/g, '…'),
    answer,
    recipe,
    checks,
  })),
});
