import type { BrokenLaw, LawSentence } from '../../schemas/composition.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';

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
  eventChangesNothing:
    'The event “{event}” makes the change “{change}” of the service “{service}”, which no recipe of its tasks names.',
  stageOfNothing: 'It is to be done on the stage “{stage}”, which the composition does not declare.',
  eventOnNoStage: 'The event “{event}” is to happen on the stage “{stage}”, which the composition does not declare.',
  unusedStage: 'No member is done on the stage “{stage}”.',
  fileOfNobody: 'It takes “{file}” of “{from}”, which is no member.',
  fileTooEarly: '“{file}” may not be there yet: no edge puts “{from}” before it.',
  fileTwice: 'More than one is to come to “{file}”.',
  fileInAnother: '“{file}” is to come into “{other}”, where another one comes.',
  fileIsThere: 'It takes “{file}” of “{from}”, which is done on the same stage: it is there already.',
  givenTwice: 'Two given values have the name “{given}”, of which texts can mean one alone.',
  outputTwice: 'It has two outputs of the name “{output}”, of which texts can mean one alone.',
  noTaskYet: 'It is no task of the library yet.',
  taskNotHere: 'The task {task} is not in this workspace.',
  noSuchCheck: 'Its output “{output}” is read by the check “{check}”, which {task} does not have.',
  unusedParameter: 'Nothing uses the value “{given}”, which varies.',
  noSuchPlace: 'The value “{given}” stands at “{place}”, which is no place of a text or a number.',
  notAtPlace: 'The value “{given}” is to stand at “{place}”; {value} is not there.',
  unfit: 'What comes to stand at “{place}” does not fit there.',
  noValue: 'The value “{given}” varies, and there is no other value for it.',
  valueTwice: 'The value “{given}” has one value twice in its list.',
  alongNoList: 'The value “{given}” goes along with “{of}”, which is no list.',
  alongOtherCount: 'The value “{given}” goes along with “{of}”, and has not as many values.',
  afterNothing: 'The value “{given}” is counted from “{of}”, which is no number, time or date, or leads back to it.',
  otherOwnValue: 'The value “{given}” depends on “{of}”: it would be {wanted}, and is {value}.',
  instanceBreaks: 'With {values} an instance breaks {law}.',
} as const;

/** A sentence in English. */
export const lawText = ({ text, values }: LawSentence): string =>
  text.replace(/\{(\w+)\}/g, (name: string, key: string) => `${values[key] ?? name}`);

export type Said = keyof typeof LAW_SENTENCES;
export type LawPlace = { member?: string; level?: InstructionLevel; kind?: BrokenLaw['kind'] };

/** A law that is broken, or a note, with its sentence in English and for pages. */
export const broken = (
  law: string,
  said: Said,
  values: LawSentence['values'],
  { member, level, kind = 'broken' }: LawPlace = {},
): BrokenLaw => {
  const sentence = { text: LAW_SENTENCES[said], values };
  return { law, kind, member: member ?? null, level: level ?? null, why: lawText(sentence), sentence };
};
