import type { JudgedSubject, JudgeOpinion, OutcomeSaid } from '../../../schemas/judge.ts';
import type { ModelPart, ModelReply, ModelRequest } from '../../../schemas/model-requests.ts';
import { append } from '../../lists.ts';
import { quoted } from '../quoted.ts';
import { PICTURES_OF_PART } from './most-requests.ts';
import { againText, partText, rubricText, stanceOf, verdictText } from './prompts.ts';
import { type Criterion, readPart, readRubric, readVerdict, type SeenOf } from './read-answer.ts';

/**
 * One judge as a pure function of what it was answered: it writes its criteria from the goal before it sees anything, looks at all
 * pictures in parts, and judges. An answer that is refused is asked for once more.
 */

type JudgeCommand = { ask: ModelRequest } | { said: JudgeOpinion | null };
type JudgeStep = JudgeCommand & { refused: string | null };

export type JudgeMachine = {
  first(): ModelRequest;
  /** Takes an answer; gives the next request or the opinion, and why the answer was refused. */
  next(reply: Pick<ModelReply, 'text'>): JudgeStep;
};

type Phase = { is: 'rubric' } | { is: 'part'; part: number } | { is: 'verdict' };

/** `code`: by which answers are known for those to these questions. */
export function beginJudge(subject: JudgedSubject, prompt: number, code: string): JudgeMachine {
  const parts = partsOf(subject);
  let phase: Phase = { is: 'rubric' };
  let criteria: Criterion[] = [];
  const notes: SeenOf = [];
  /** Why the last answer was refused; null: it was not. */
  let again: string | null = null;

  const request = (): ModelRequest => {
    const asked =
      phase.is === 'rubric'
        ? [{ text: taskWords(subject) }, { text: rubricText(code) }]
        : phase.is === 'part'
          ? [
              { text: `${taskWords(subject)}\n\n${criteriaWords(criteria)}` },
              ...pictureParts(subject, parts[phase.part] ?? []),
              { text: partText(code, phase.part + 1, parts.length) },
            ]
          : [
              {
                text: `${taskWords(subject)}\n\n${criteriaWords(criteria)}\n\n${storyWords(subject)}${notesWords(notes)}`,
              },
              // Those of the end decide; the others were looked at in their parts.
              ...pictureParts(subject, parts.at(-1) ?? []),
              { text: verdictText(code) },
            ];
    const more: ModelPart[] = again === null ? [] : [{ text: againText(again) }];
    return {
      role: `judge-${phase.is}`,
      system: stanceOf(prompt),
      turns: [{ by: 'user', parts: [...asked, ...more] }],
      computer: null,
    };
  };

  /** Takes an answer in; why it was refused, or the opinion that ends it. */
  const take = (text: string): { refused: string } | { opinion: JudgeOpinion } | null => {
    if (phase.is === 'rubric') {
      const read = readRubric(text, code);
      if ('refused' in read) return read;
      criteria = read.criteria;
      phase = parts.length > 1 ? { is: 'part', part: 0 } : { is: 'verdict' };
      return null;
    }
    if (phase.is === 'part') {
      const read = readPart(text, code, criteria);
      if ('refused' in read) return read;
      append(notes, read.seen);
      phase = phase.part + 1 < parts.length ? { is: 'part', part: phase.part + 1 } : { is: 'verdict' };
      return null;
    }
    return readVerdict(text, code, criteria);
  };

  return {
    first: request,
    next({ text }) {
      const came = take(text);
      if (came === null) {
        again = null;
        return { ask: request(), refused: null };
      }
      if ('opinion' in came) return { said: came.opinion, refused: null };
      const { refused } = came;
      if (again !== null) return { said: null, refused };
      again = refused;
      return { ask: request(), refused };
    },
  };
}

/** The outcome that all judges agree on; “unsure” where they differ or one could not be read. */
export function verdictOfAll(opinions: readonly (JudgeOpinion | null)[]): OutcomeSaid {
  const [first] = opinions;
  return first && opinions.every((one) => one?.outcome === first.outcome) ? first.outcome : 'unsure';
}

/** Places of the pictures of each part. */
function partsOf({ pictures }: JudgedSubject): number[][] {
  const all = [...pictures.keys()];
  return Array.from({ length: Math.ceil(all.length / PICTURES_OF_PART) }, (_, part) =>
    all.slice(part * PICTURES_OF_PART, (part + 1) * PICTURES_OF_PART),
  );
}

const taskWords = ({ goal, software }: JudgedSubject): string =>
  `The task was: ${quoted(goal)}${software === '' ? '' : `, in the software ${quoted(software)}`}.`;

const criteriaWords = (criteria: readonly Criterion[]): string =>
  `Your criteria:\n${criteria.map(({ about, text }, n) => `${n + 1}. (${about}) ${quoted(text)}`).join('\n')}`;

function storyWords({ steps, answer, all, pictures }: JudgedSubject): string {
  const lines = steps.map(({ words, picture }, n) => {
    const shown = picture === null ? '' : ` (before it: picture ${picture + 1})`;
    return `${n + 1}. ${quoted(words)}${shown}`;
  });
  const claim = answer === null ? '' : `\nWhoever did it says at the end: ${quoted(answer)}`;
  const left = all > pictures.length ? `\n${pictures.length} of ${all} pictures are shown.` : '';
  return `What was done, step by step:\n${lines.length === 0 ? '(nothing)' : lines.join('\n')}${claim}${left}`;
}

const notesWords = (notes: SeenOf): string =>
  notes.length === 0
    ? ''
    : `\n\nYour notes from the pictures:\n${notes.map(({ criterion, what }) => `${criterion}: ${quoted(what)}`).join('\n')}`;

const pictureParts = ({ pictures, all }: JudgedSubject, places: readonly number[]): ModelPart[] =>
  places.flatMap((place): ModelPart[] => {
    const picture = pictures[place];
    if (!picture) return [];
    const end = place === pictures.length - 1 ? ', the last' : '';
    return [
      { text: `Picture ${place + 1} of ${pictures.length}${end}${all > pictures.length ? ' shown' : ''}:` },
      { picture },
    ];
  });
