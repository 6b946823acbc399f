import type { AgentHead, AgentNote } from '../../schemas/agents.ts';
import { answerPart } from '../evaluate/reading/answer-part.ts';
import { type DirectState, directFor, directNext } from './direct.ts';
import { type Came, MOST_LOST, type Next, type Seen, type Strategy } from './machine.ts';
import { listIn, managerSystem, parserSystem, reflectorSystem } from './prompts.ts';
import { newTalk, say, talkRequest, told, windowLine } from './talk.ts';

/**
 * LightManus (naturalgaia.txt 4.1): a task parser breaks the goal into atomic tasks; a workflow hands them out one after the other,
 * here to one stage; a manager words each for its operator with the answers of those before; an operator acts; a reflector looks at
 * the screen after each act and says whether the atomic task goes on, is done, or failed. A task that failed twice ends the run:
 * those behind it stand on it (path collapse).
 */

type HierarchicalState = {
  head: AgentHead;
  at: 'parse' | 'manage' | 'operate' | 'reflect';
  tasks: readonly string[];
  /** The answer of each atomic task that is done; empty: it asked for none. */
  answers: readonly string[];
  operator: DirectState | null;
  /** How often the present one was begun, and the operator's answers since. */
  begun: number;
  tries: number;
  /** Why it failed before, or what was wrong with the last answer. */
  saying: string;
  lost: number;
};

/** An operator that goes on for longer has failed its atomic task. */
const MOST_TRIES = 10;
const MOST_BEGUN = 2;

export const hierarchical: Strategy<HierarchicalState> = {
  begin: (head) => ({
    head,
    at: 'parse',
    tasks: [],
    answers: [],
    operator: null,
    begun: 0,
    tries: 0,
    saying: '',
    lost: 0,
  }),
  next(state, came) {
    if (state.at === 'operate') return operating(state, came);
    if (came.came === 'screen') return asking(state, came.seen);
    if (came.came === 'acted') return look(state);
    const text = answerPart(came.reply.text).trim();
    if (state.at === 'parse') return parsed(state, text);
    return state.at === 'manage' ? managed(state, text) : reflected(state, text);
  },
};

const look = (state: HierarchicalState, note: AgentNote | null = null): Next<HierarchicalState> => ({
  state,
  command: { do: 'look' },
  note,
});

const SYSTEMS = { parse: parserSystem, manage: managerSystem, reflect: reflectorSystem } as const;
const ROLES = { parse: 'parser', manage: 'manager', reflect: 'reflector' } as const;

function asking(state: HierarchicalState, seen: Seen): Next<HierarchicalState> {
  const { head, at, tasks, answers, saying } = state;
  if (at === 'operate') throw new RangeError('an operator asks for itself');
  const before = answers.map((answer, n) => `Done: ${tasks[n]}${answer === '' ? '' : `. Its answer: ${answer}`}`);
  const own = at === 'parse' ? [] : [...before, `The atomic task: ${tasks[answers.length]}`];
  const texts = [`The goal: ${head.goal}`, `The software: ${head.software}`, ...own, windowLine(seen), saying];
  const talk = say(newTalk(ROLES[at], SYSTEMS[at]()), texts.filter((text) => text !== '').join('\n'), seen);
  return { state, command: { do: 'ask', request: talkRequest(talk, head, false) }, note: null };
}

/** Nothing can be made of an answer: it is asked for again, so often in a row. */
function unclear(state: HierarchicalState, why: string): Next<HierarchicalState> {
  const note: AgentNote = { kind: 'unclear', why };
  const lost = state.lost + 1;
  const next = { ...state, lost, saying: told(note) };
  if (lost < MOST_LOST) return look(next, note);
  return { state: next, command: { do: 'end', how: 'lost', why: `${why}, in ${lost} answers in a row` }, note };
}

/** `FAIL: why` of any of its parts. */
const failIn = (text: string): string | null =>
  /^[`*\s]{0,9}FAIL\b[`*\s]{0,9}[:：]?\s{0,9}(.{0,2000})/.exec(text)?.[1] ?? null;

function parsed(state: HierarchicalState, text: string): Next<HierarchicalState> {
  const why = failIn(text);
  if (why !== null) return { state, command: { do: 'end', how: 'gave-up', why }, note: null };
  const tasks = listIn(text);
  if (tasks.length === 0) return unclear(state, 'the list of atomic tasks is empty');
  return look({ ...state, at: 'manage', tasks, saying: '', lost: 0 });
}

function managed(state: HierarchicalState, text: string): Next<HierarchicalState> {
  const why = failIn(text);
  if (why !== null) return failed(state, why);
  if (text === '') return unclear(state, 'the manager said nothing');
  const { head } = state;
  const goal = text.slice(0, 2000);
  const first = `The goal, of which this is a part: ${head.goal}\nDo this, and then say DONE: ${goal}`;
  const operator = directFor(head, first, 'operator', goal);
  return look({ ...state, at: 'operate', operator, begun: state.begun + 1, tries: 0, saying: '', lost: 0 });
}

function operating(state: HierarchicalState, came: Came): Next<HierarchicalState> {
  const { operator } = state;
  if (!operator) throw new RangeError('there is no operator');
  const { state: after, command, note } = directNext(operator, came);
  const tries = state.tries + (came.came === 'answer' ? 1 : 0);
  const next = { ...state, operator: after, tries };
  if (command.do === 'end' && command.how === 'lost') return { state: next, command, note };
  if (command.do === 'end' && command.how === 'gave-up')
    return failed(next, command.why || 'the operator gave up', note);
  // Each act, and the word that it is done, is looked at by the reflector.
  const isDone = came.came === 'acted' && came.problem === null;
  if (isDone || command.do === 'end') return look({ ...next, at: 'reflect' }, note);
  return { state: next, command, note };
}

function reflected(state: HierarchicalState, text: string): Next<HierarchicalState> {
  const why = failIn(text);
  if (why !== null) return failed(state, why);
  const [, word, said = ''] =
    /^[`*\s]{0,9}(DONE|CONTINUE|WRONG)\b[`*\s.]{0,9}[:：]?\s{0,9}(.{0,2000})/.exec(text) ?? [];
  if (word === undefined) return unclear(state, 'the reflector said none of DONE, CONTINUE, WRONG and FAIL');
  if (word === 'DONE') return done({ ...state, lost: 0 }, said.trim());
  if (state.tries >= MOST_TRIES) return failed(state, 'the operator has done much and did not reach it');
  const operator = state.operator && {
    ...state.operator,
    ending: null,
    saying:
      word === 'WRONG'
        ? `The last act was wrong: ${said || 'nothing of it is seen'}. Mend it.`
        : state.operator.saying || 'Go on.',
  };
  return look({ ...state, at: 'operate', operator, saying: '', lost: 0 });
}

/** The next atomic task begins, with the answers so far. */
function done(state: HierarchicalState, answer: string): Next<HierarchicalState> {
  const answers = [...state.answers, answer];
  const next = { ...state, at: 'manage' as const, answers, operator: null, begun: 0, saying: '' };
  if (answers.length < state.tasks.length) return look(next);
  const why = answers.filter((one) => one !== '').join('; ');
  return { state: next, command: { do: 'end', how: 'done', why }, note: null };
}

function failed(state: HierarchicalState, why: string, note: AgentNote | null = null): Next<HierarchicalState> {
  const next = { ...state, at: 'manage' as const, operator: null, saying: `It was tried, and failed: ${why}.` };
  if (state.begun < MOST_BEGUN && state.at !== 'manage') return look(next, note);
  const task = state.tasks[state.answers.length] ?? '';
  const ending = `the atomic task “${task.slice(0, 200)}” could not be done: ${why}`;
  return { state: next, command: { do: 'end', how: 'gave-up', why: ending }, note };
}
