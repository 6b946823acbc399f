import type { LawSentence } from '../../schemas/composition.ts';

/**
 * The sentences of the laws of compositions (RULES.md), with their values in braces, as the pages' texts have them: a page says them
 * in its own language (renderer/compositions/law-words.ts), the command line and the API in English.
 */
export const LAW_SENTENCES = {
  edgeToNobody: 'An edge names “{end}”, which is no member.',
  edgeOfNothing: 'An edge to “{to}” takes “{output}” of “{from}”, which has no such output.',
  noOrder: 'There is no order: {way}.',
  noSlot: '“{odd}” is no slot; write {slot}.',
  slotOfNothing: 'Nothing gives {slot}.',
  slotTooEarly: '{slot} may not be known yet: no edge puts “{source}” before it.',
  unusedOutput: 'Nobody uses its output “{output}”.',
  twoAnswers:
    'Its output “{output}” would have two answers: “{other}” is another one than the true one. Write one way to say it.',
  metByNothing: 'Its output “{output}” is met by nothing as well: its tolerance {tolerance} reaches from {value} to 0.',
  twiceInList: 'Its output “{output}” names one thing twice in its list.',
  unkept: 'Its output “{output}” may change with time, and no file says what it was, and when.',
  ofNoLevel: 'It is of no level, with {members} members and {apps} applications. The levels have {rules}.',
  otherLevel: 'It is called level {called}, and is of level {level}, with {members} members and {apps} applications.',
  windowBackwards: 'Its window ends ({to}) before it begins ({from}).',
  windowsInTheWay: 'The times of {members} cannot all be met in the order of their edges.',
  otherValue: '{level} says {words}, where L0 says {instead}.',
  noSuchTime: '{level} says {words}, and L0 says no time like it.',
  noSuchDuration: '{level} says {words}, and L0 says no duration like it.',
  noSuchAmount: '{level} says {words}, and L0 says no amount like it.',
  noSuchWords: '{level} says {words}, and L0 says no words like it.',
  noSuchName: '{level} says {words}, and L0 says no name like it.',
  noExactLevel: 'L1 and L2 leave out what L0 says, and there is no L0.',
  notInExactLevel: '{level} says {slot}, which L0 does not.',
  nothingToAsk: '{level} leaves out nothing that L0 says, so there is nothing to ask.',
  notOneAnswer: 'A member of a pathway has one answer; the number of outputs of this one is {count}.',
  onlyAnswersJoin: 'In a pathway only answers join members; “{from}” and “{to}” have an edge of the kind {kind}.',
  eventAfterNobody: 'The event “{event}” comes after “{after}”, which is no member.',
  eventWithoutDay: 'The event “{event}” comes at a time, and no day is said on which the scenario begins.',
  eventBackwards: 'The time of the event “{event}” ends ({to}) before it begins ({from}).',
  eventTooLate: 'The event “{event}” comes when the last task has begun, so that it never happens.',
  noTaskYet: 'It is no task of the library yet.',
  taskNotHere: 'The task {task} is not in this workspace.',
  noSuchCheck: 'Its output “{output}” is read by the check “{check}”, which {task} does not have.',
} as const;

/** A sentence in English. */
export const lawText = ({ text, values }: LawSentence): string =>
  text.replace(/\{(\w+)\}/g, (name: string, key: string) => `${values[key] ?? name}`);
