import { itemKey } from '../../../core/review/items.ts';
import { isEmptyJudgement } from '../../../core/review/judged.ts';
import type { Decision, Judgement, ReviewState, Thread } from '../../../schemas/api/review-models.ts';
import type { ReviewAct, ReviewActOf } from '../../../schemas/review.ts';

/** Something that a person did and that the studio may not know yet. `at`: ISO 8601, the page's own clock. */
type WaitingAct = { id: string; act: ReviewAct; at: string };

/**
 * The state as the studio sent it, with the waiting acts on top, so that a decision shows when its key is pressed. Only what
 * people say of things; states, claims and verdicts are the studio's to grant and show when it has. An act that the state
 * holds already (the stream brought it before its own answer) changes nothing.
 */
export function withWaiting(state: ReviewState, waiting: readonly WaitingAct[], person: string): ReviewState {
  return waiting.reduce((now, one) => apply(now, one, person), state);
}

function apply(state: ReviewState, { id, act, at }: WaitingAct, person: string): ReviewState {
  switch (act.type) {
    case 'decide':
      return decide(state, { id, at, person }, act);
    case 'comment':
      return comment(state, { id, at, person }, act);
    case 'resolve':
      return { ...state, threads: changed(state.threads, act.thread, { open: false, resolvedBy: person }) };
    case 'unresolve':
      return { ...state, threads: changed(state.threads, act.thread, { open: true, resolvedBy: null }) };
    case 'judge':
      return judge(state, { at, person }, act);
    case 'settle':
      return settle(state, person, act);
    default:
      return state;
  }
}

type By = { id: string; at: string; person: string };

function decide(state: ReviewState, { id, at, person }: By, act: ReviewActOf<'decide'>): ReviewState {
  if (state.decisions.some((one) => one.event === id)) return state;
  const others = state.decisions.filter((one) => itemKey(one.item) !== itemKey(act.item));
  if (act.verdict === null) return { ...state, decisions: others };
  const { item, verdict, reason, version } = act;
  const made: Decision = {
    event: id,
    item,
    person,
    at,
    verdict,
    reason,
    version,
    comment: act.comment,
    stale: false,
    round: state.round,
  };
  const threads = verdict === 'reject' ? [...state.threads, rejection(made)] : state.threads;
  return { ...state, decisions: [...others, made], threads };
}

/** A rejection opens a thread with the event's id, at the step that it speaks of. */
function rejection({ event, item, person, at, reason, comment: text }: Decision): Thread {
  const action = 'action' in item ? item.action : null;
  return {
    id: event,
    pin: { action, role: null, place: null, t: null },
    item,
    reason,
    open: true,
    resolvedBy: null,
    entries: [{ event, person, at, text }],
  };
}

function comment(state: ReviewState, { id, at, person }: By, act: ReviewActOf<'comment'>): ReviewState {
  const entry = { event: id, person, at, text: act.text };
  if (state.threads.some((thread) => thread.entries.some((one) => one.event === id))) return state;
  if (act.thread === null) {
    const made = { id, pin: act.pin, item: null, reason: null, open: true, resolvedBy: null, entries: [entry] };
    return { ...state, threads: [...state.threads, made] };
  }
  const threads = state.threads.map((thread) =>
    thread.id === act.thread ? { ...thread, entries: [...thread.entries, entry] } : thread,
  );
  return { ...state, threads };
}

function judge(state: ReviewState, by: Omit<By, 'id'>, act: ReviewActOf<'judge'>): ReviewState {
  const others = state.judgements.filter((one) => one.action !== act.action || one.person !== by.person);
  if (isEmptyJudgement(act)) return { ...state, judgements: others };
  const { type: _type, ...said } = act;
  const made: Judgement = { ...said, ...by };
  return { ...state, judgements: [...others, made] };
}

function settle(state: ReviewState, person: string, act: ReviewActOf<'settle'>): ReviewState {
  const others = state.settled.filter((one) => one.difference !== act.difference);
  if (act.back) return { ...state, settled: others };
  return { ...state, settled: [...others, { difference: act.difference, side: act.side, person }] };
}

function changed(threads: readonly Thread[], id: string, fields: Partial<Thread>): Thread[] {
  return threads.map((thread) => (thread.id === id ? { ...thread, ...fields } : thread));
}
