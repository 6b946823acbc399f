import { type Composition, compositionSchema } from '../../schemas/composition.ts';

/** NaturalGAIA's table 3 and ScenDroid's scenario A (B.1, B.2), as they are printed. */

const base = { schema: 'trajectory-studio/composition', version: 1 };

export const TABLE_3: Composition = compositionSchema.parse({
  ...base,
  id: 'dicaprio-2023',
  kind: 'pathway',
  title: 'Leonardo DiCaprio in 2023',
  task: 'Search for Leonardo Dicaprio on Douban and tell me what movie the actor is starring in in 2023? Use IMDB to look up the movie’s profile and tell me what era the story takes place in?',
  level: 1,
  members: [
    {
      id: 'movie',
      instructions: {
        base: 'Search for Leonardo Dicaprio on Douban and tell me what movie the actor is starring in in 2023?',
      },
      apps: { Android: ['Douban app'], Windows: ['https://www.douban.com/'] },
      way: [
        'Open the Douban app.',
        'Type “Leonardo Dicaprio” in the search box and click Search.',
        'In the search results, click on Leonardo Dicaprio’s actor entry to enter his personal homepage.',
        'View his film and television works list and find the works released in “2023”.',
        'Record the movie name of the 2023 work. (Ground Truth 1: Killers of the Flower Moon)',
      ],
      outputs: [{ name: 'title', value: 'Killers of the Flower Moon' }],
    },
    {
      id: 'era',
      instructions: {
        base: 'Use IMDB to look up the profile of {{movie.title}} and tell me what era the story takes place in?',
      },
      apps: { Android: ['IMDB APP'], Windows: ['https://www.imdb.com/'] },
      way: [
        'Open the IMDB app.',
        'Type the movie name recorded from the Douban app (Killers of the Flower Moon) in the search box and click Search.',
        'Click the corresponding movie entry in the search results to enter the movie details page.',
        'Scroll down to the movie profile section.',
        'Read, find and record the era information mentioned in the profile (Ground Truth 2: 1920s).',
      ],
      outputs: [{ name: 'era', value: '1920s' }],
    },
  ],
  edges: [{ kind: 'data', from: 'movie', to: 'era', output: 'title' }],
});

const member = (
  id: string,
  from: string,
  place: string,
  narration: string,
  [first, L0, L1, L2]: readonly [string, string, string, string],
) => ({ id, window: { from }, place, narration, instructions: { base: first, L0, L1, L2 } });

export const SCENARIO_A: Composition = compositionSchema.parse({
  ...base,
  id: 'alex-monday',
  kind: 'scenario',
  title: 'Alex’s Busy Monday',
  members: [
    member(
      'alarm',
      '10:40',
      'Home',
      'Alex almost missed work this morning and decides to set the weekday alarm 20 minutes earlier.',
      [
        'Morning, Agent, I’m Alex. Move my work alarm 20 minutes earlier, only change the weekday one.',
        'Open Clock app and change my weekday alarm from 9:00 to 8:50.',
        'Move my work alarm 15 minutes earlier, only change the weekday one.',
        'I’ve been waking up too late recently, help me adjust my weekday alarm.',
      ],
    ),
    member('schedule', '11:10', 'Office', 'Arrived at office, Alex wants to confirm the morning schedule.', [
      'Check my Simple Calendar Pro and tell me what meetings I have this morning before noon.',
      'Check my Simple Calendar Pro and tell me what meetings I have this morning before noon.',
      'Check my calendar and tell me what meetings I have this morning before noon.',
      'What’s on my schedule for this morning?',
    ]),
    member('attendees', '11:18', 'Office', 'Alex doesn’t want to manually check the calendar for the attendee list.', [
      'Read the attendee list from that meeting you have checked and list them for me.',
      'Read the attendee list from the Company Weekly Meeting in Simple Calendar Pro and list them for me.',
      'Read the attendee list from the Client Sync and list them for me.',
      'I need to know who’s coming to the meeting.',
    ]),
    member('remind', '11:20', 'Office', 'Alex wants to remind everyone about the in-person meeting location.', [
      'Use Simple SMS Messenger to remind them to attend the meeting (include time and location).',
      'First, open Simple Calendar Pro to check the attendee list of ‘Company Weekly Meeting’. Then, use Simple SMS Messenger to send messages to all attendees reminding them to attend the meeting (include the time and location in the message).',
      'Send them SMS to remind about the meeting (include time and location).',
      'Let everyone know about the meeting.',
    ]),
    member(
      'outline',
      '11:25',
      'Office',
      'Alex wants to prepare a meeting notes template to fill in during the meeting.',
      [
        'Open Markor, create a ‘Weekly Meeting Notes Outline’ in a new file ‘WorkLog.md’ with structured sections: Title (fill in content), Time (fill in content), Location (fill in content), Attendees (fill in content), Discussion Notes (header only).',
        'Open Markor, create a ‘Weekly Meeting Notes Outline’ in a new file ‘WorkLog.md’ with structured sections: Title (fill in content), Time (fill in content), Location (fill in content), Attendees (fill in content), Discussion Notes (header only).',
        'Create a meeting notes outline in WorkLog.md with sections: Title, Time, Location, Attendees, Discussion Notes.',
        'Help me to prepare a meeting template.',
      ],
    ),
    member('absent', '11:50', 'Office', 'Tom is traveling, won’t need to invite them in-person for next two weeks.', [
      'Add a note to the meeting we just discussed in calendar: ‘Tom, out of office’.',
      "Open Simple Calendar Pro, find 'Company Weekly Meeting', and add a note 'Chris, out of office' in the third line.",
      "Add 'Anna, out of office' to that meeting's notes.",
      "Someone won't be here, update the meeting note accordingly.",
    ]),
    member('shop', '12:40', 'Restaurant', 'Alex sees the reminder to buy Outdoor Patio Folding Side Table green.', [
      "On the current webpage, clear my cart, add the 'Outdoor Patio Folding Side Table green' to my cart and place an order.",
      "On the current webpage, clear my cart first, then add the 'Apple iPhone 11 Pro, US Version, 256GB, Silver' to my cart and place an order.",
      "On the current webpage, place an order for the 'Dentemp Ora-GUARD Bruxism Night Guard (Two Pack)'.",
      'On the current webpage, buy one Outdoor Patio Folding Side Table green.',
    ]),
    member('expense', '13:30', 'Restaurant', 'Alex wants to track the shopping expense from the order just placed.', [
      "Record this shopping purchase in Pro Expense app, note it as 'Shopping', use the order total I just placed as amount.",
      "Open Pro Expense app, record a new expense: name 'Shopping', amount $539.99 (from the order I just placed).",
      'Record the shopping I just placed in Pro Expense.',
      'Log what I just spent on the order.',
    ]),
    member(
      'exercise',
      '18:00',
      'Office',
      'Alex wants to exercise and needs to verify calendar is clear. No meetings scheduled.',
      [
        "Do I have any meetings in the next 30 minutes? If I'm free, start recording exercise in OpenTracks.",
        'Open Simple Calendar Pro and check if there are any events between 18:00–18:30. If free, open OpenTracks and start recording.',
        'Check if I have any meetings in the next 30 minutes. If yes, tell me which one. If not, record my exercise.',
        "Check if I'm free for exercise in the next 30 minutes, and track it if possible.",
      ],
    ),
    member('summary', '21:05', 'Home', "Alex wants to wrap up the day's key events.", [
      "Open Markor and add a daily summary to WorkLog.md mentioning today's key events (meeting, expense).",
      "Open Markor and add a daily summary to WorkLog.md. Include: meeting 'Company Weekly Meeting' and expense $539.99.",
      "Add a daily summary to WorkLog.md about today's key events and details (meeting, expense).",
      "Write a short summary of today's meeting and shopping in WorkLog.md.",
    ]),
    member(
      'again',
      '21:55',
      'Home',
      'Before sleep, Alex is still worried about waking up late tomorrow and decides to set the alarm even earlier.',
      [
        "I'm worried about waking up late. Move my morning alarm 10 minutes earlier again.",
        'Open Clock app and change my work alarm from 8:50 to 8:45.',
        'Move my morning alarm 3 minutes earlier again.',
        "I'm still worried about oversleeping tomorrow, adjust my alarm a bit earlier again.",
      ],
    ),
  ],
  edges: [
    { kind: 'hard', from: 'schedule', to: 'attendees' },
    { kind: 'hard', from: 'attendees', to: 'remind' },
    { kind: 'hard', from: 'schedule', to: 'absent' },
    { kind: 'hard', from: 'shop', to: 'expense' },
    { kind: 'hard', from: 'outline', to: 'summary' },
    { kind: 'hard', from: 'expense', to: 'summary' },
    { kind: 'hard', from: 'alarm', to: 'again' },
  ],
});
