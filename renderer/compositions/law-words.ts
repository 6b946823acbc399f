import type { LawShown } from '../../schemas/api/compositions.ts';
import { english, tr } from '../language/tr.ts';

/** The sentence of a law (core/compositions/law-sentences.ts) in the language shown; one that no translation is of, in English. */
export const lawWords = ({ sentence: { text, values }, why }: Pick<LawShown, 'sentence' | 'why'>): string =>
  SENTENCES.has(text) ? tr(text, values) : why;

/** The event that a law is about; null: it is about no event. */
export const eventOfLaw = (law: Pick<LawShown, 'sentence'>): string | null => named(law, 'event');

/** The given value, or the stage, at which a law stands. */
export const givenOfLaw = (law: Pick<LawShown, 'sentence'>): string | null => named(law, 'given');
/** A law at a task or an event that names a stage stands there. */
export const stageOfLaw = (law: Pick<LawShown, 'sentence' | 'member'>): string | null =>
  law.member === null && eventOfLaw(law) === null ? named(law, 'stage') : null;

function named({ sentence }: Pick<LawShown, 'sentence'>, what: string): string | null {
  const name = sentence.values[what];
  return typeof name === 'string' ? name : null;
}

const SENTENCES: ReadonlySet<string> = new Set([
  english('An edge names “{end}”, which is no member.'),
  english('An edge to “{to}” takes “{output}” of “{from}”, which has no such output.'),
  english('There is no order: {way}.'),
  english('“{odd}” is no slot; write {slot}.'),
  english('Nothing gives {slot}.'),
  english('{slot} may not be known yet: no edge puts “{source}” before it.'),
  english('Nobody uses its output “{output}”.'),
  english(
    'Its output “{output}” would have two answers: “{other}” is another one than the true one. Write one way to say it.',
  ),
  english('Its output “{output}” is met by nothing as well: its tolerance {tolerance} reaches from {value} to 0.'),
  english('Its output “{output}” names one thing twice in its list.'),
  english('Its output “{output}” may change with time, and no file says what it was, and when.'),
  english('It is of no level, with {members} members and {apps} applications. The levels have {rules}.'),
  english('It is called level {called}, and is of level {level}, with {members} members and {apps} applications.'),
  english('Its window ends ({to}) before it begins ({from}).'),
  english('The times of {members} cannot all be met in the order of their edges.'),
  english('{level} says {words}, where L0 says {instead}.'),
  english('{level} says {words}, and L0 says no time like it.'),
  english('{level} says {words}, and L0 says no duration like it.'),
  english('{level} says {words}, and L0 says no amount like it.'),
  english('{level} says {words}, and L0 says no words like it.'),
  english('{level} says {words}, and L0 says no name like it.'),
  english('L1 and L2 leave out what L0 says, and there is no L0.'),
  english('{level} says {slot}, which L0 does not.'),
  english('{level} leaves out nothing that L0 says, so there is nothing to ask.'),
  english('A member of a pathway has one answer; the number of outputs of this one is {count}.'),
  english('In a pathway only answers join members; “{from}” and “{to}” have an edge of the kind {kind}.'),
  english('The event “{event}” comes after “{after}”, which is no member.'),
  english('The event “{event}” comes at a time, and no day is said on which the scenario begins.'),
  english('The time of the event “{event}” ends ({to}) before it begins ({from}).'),
  english('The event “{event}” comes when the last task has begun, so that it never happens.'),
  english(
    'The event “{event}” makes the change “{change}” of the service “{service}”, which no recipe of its tasks names.',
  ),
  english('It is to be done on the stage “{stage}”, which the composition does not declare.'),
  english('The event “{event}” is to happen on the stage “{stage}”, which the composition does not declare.'),
  english('No member is done on the stage “{stage}”.'),
  english('It takes “{file}” of “{from}”, which is no member.'),
  english('“{file}” may not be there yet: no edge puts “{from}” before it.'),
  english('More than one is to come to “{file}”.'),
  english('“{file}” is to come into “{other}”, where another one comes.'),
  english('It takes “{file}” of “{from}”, which is done on the same stage: it is there already.'),
  english('Two given values have the name “{given}”, of which texts can mean one alone.'),
  english('It has two outputs of the name “{output}”, of which texts can mean one alone.'),
  english('It is no task of the library yet.'),
  english('The task {task} is not in this workspace.'),
  english('Its output “{output}” is read by the check “{check}”, which {task} does not have.'),
  english('Nothing uses the value “{given}”, which varies.'),
  english('The value “{given}” stands at “{place}”, which is no place of a text or a number.'),
  english('The value “{given}” is to stand at “{place}”; {value} is not there.'),
  english('What comes to stand at “{place}” does not fit there.'),
  english('The value “{given}” varies, and there is no other value for it.'),
  english('The value “{given}” has one value twice in its list.'),
  english('The value “{given}” goes along with “{of}”, which is no list.'),
  english('The value “{given}” goes along with “{of}”, and has not as many values.'),
  english('The value “{given}” is counted from “{of}”, which is no number, time or date, or leads back to it.'),
  english('The value “{given}” depends on “{of}”: it would be {wanted}, and is {value}.'),
  english('With {values} an instance breaks {law}.'),
]);
