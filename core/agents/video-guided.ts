import type { AgentHead, AgentNote, AgentVideo } from '../../schemas/agents.ts';
import type { ModelPart, ModelReply, ModelRequest } from '../../schemas/model-requests.ts';
import { answerPart } from '../evaluate/reading/answer-part.ts';
import { type AgentCommand, type Came, MOST_LOST, type Next, type Seen, type Strategy } from './machine.ts';
import { decisionSystem, deepReflectionSystem, videoSystem } from './prompts.ts';
import { type SaidEnd, type Wanted, wantedOf } from './reading.ts';
import { newTalk, talkRequest, told, windowLine } from './talk.ts';

/**
 * Mobile-Agent-V (mobile-agent-v.txt 3, algorithm 1): a decision agent does what a window of a demonstration's keyframes shows, a
 * deep-reflection agent compares its act with the film before it is done, and a video agent says afterwards at which keyframe the
 * screen is now, where the next window begins. Lines below are those of algorithm 1.
 */

type Acts = Extract<AgentCommand, { do: 'act' }>;
type VideoState = {
  head: AgentHead;
  video: AgentVideo;
  at: 'decide' | 'reflect' | 'act' | 'move';
  /** S: the keyframe at which the window begins, from 1. */
  start: number;
  /** O of the explorations before, in words. */
  history: readonly string[];
  /** O of this one, and the answer that it is from. */
  decided: { act: Acts; answer: string } | null;
  ending: SaidEnd | null;
  held: readonly string[];
  /** D: the screen before the act, and the newest one. */
  before: Seen | null;
  now: Seen | null;
  saying: string;
  lost: number;
};

export const videoGuided: Strategy<VideoState> = {
  begin(head) {
    if (!head.video) throw new RangeError('a video-guided agent needs the keyframes of a demonstration');
    // Lines 1 to 3.
    return {
      head,
      video: head.video,
      at: 'decide',
      start: 1,
      history: [],
      decided: null,
      ending: null,
      held: [],
      before: null,
      now: null,
      saying: '',
      lost: 0,
    };
  },
  next(state, came) {
    if (came.came === 'screen') return asking({ ...state, now: came.seen }, came.seen);
    if (came.came === 'acted') return acted(state, came.problem);
    if (state.at === 'move') return moved(state, answerPart(came.reply.text));
    return state.at === 'decide' ? decided(state, came) : reflected(state, came);
  },
};

/** Line 5, equation 4: the numbers of the window's keyframes, from 1. The last windows are shorter. */
export function windowOf(start: number, { frames, window }: Pick<AgentVideo, 'frames' | 'window'>): number[] {
  const last = Math.min(frames, start + window - 1);
  return Array.from({ length: Math.max(0, last - start + 1) }, (_, n) => start + n);
}

function asking(state: VideoState, seen: Seen): Next<VideoState> {
  // Line 12: the video agent sees the screen before and after; the others the one that is there.
  if (state.at === 'move') return ask(state, 'video', videoSystem(), [seenPart('The screen after it', seen)]);
  const before = { ...state, before: seen };
  return state.at === 'reflect'
    ? ask(before, 'reflection', deepReflectionSystem(state.head), [
        { text: `The other agent decided: ${state.decided?.answer ?? ''}` },
      ])
    : ask(before, 'decision', decisionSystem(state.head), []);
}

type Part = ModelPart | readonly ModelPart[];
const seenPart = (what: string, seen: Seen): readonly ModelPart[] => [
  { text: `${what}. ${windowLine(seen)}` },
  { picture: seen.picture },
];

function ask(state: VideoState, role: string, system: string, more: readonly Part[]): Next<VideoState> {
  const { head, video, start, history, before, saying } = state;
  const shown = windowOf(start, video);
  const picture = video.windows[start - 1];
  if (!picture || !before) throw new RangeError(`there is no window at keyframe ${start}`);
  const isEnd = shown.at(-1) === video.frames;
  const parts: Part[] = [
    {
      text: [
        `The user's task: ${head.goal}`,
        `The task of the film: ${video.task}`,
        `Done so far: ${history.length === 0 ? 'nothing' : history.map((one, n) => `${n + 1}. ${one}`).join('; ')}`,
        saying,
        `The film's keyframes ${shown.join(', ')} of ${video.frames}, side by side${isEnd ? '; the last one is the end of the film' : ''}:`,
      ]
        .filter((text) => text !== '')
        .join('\n'),
    },
    { picture },
    seenPart(role === 'video' ? 'The screen before the act' : 'The screen now', before),
    ...more,
  ];
  const talk = newTalk(role, system);
  const turns = [{ by: 'user' as const, parts: parts.flat() }];
  const request: ModelRequest = talkRequest({ ...talk, turns }, head, role !== 'video');
  return { state, command: { do: 'ask', request }, note: null };
}

const read = ({ head, held }: VideoState, reply: ModelReply): Wanted =>
  wantedOf(reply, { screen: head.screen, coordinates: head.coordinates, held });

type Answered = Extract<Came, { came: 'answer' }>;

/** Lines 6 to 9. */
function decided(state: VideoState, { reply }: Answered): Next<VideoState> {
  const wanted = read(state, reply);
  if (wanted.kind === 'end') return { state, command: { do: 'end', ...wanted.ending }, note: null };
  if (wanted.kind !== 'acts') return lostBy(state, wanted);
  const act = actOf(state, wanted, reply);
  const answer = `${answerPart(reply.text).trim().slice(0, 2000)} (${act.steps.map(({ what }) => what).join('; ')})`;
  const next = { ...state, decided: { act, answer }, ending: wanted.ending, held: wanted.held, saying: '' };
  if (!state.video.reflects) return doing(next, act, null);
  // The same screen, to another agent: nothing is done in between.
  return asking({ ...next, held: state.held, at: 'reflect' }, state.now ?? state.before!); // Asked on a screen.
}

/** Line 10: the act as it was, or as the reflection has it. */
function reflected(state: VideoState, { reply }: Answered): Next<VideoState> {
  const { decided: before } = state;
  if (before && /^[`*\s]{0,9}SAME\b/.test(answerPart(reply.text))) return doing(state, before.act, null);
  const wanted = read(state, reply);
  if (wanted.kind === 'end') return { state, command: { do: 'end', ...wanted.ending }, note: null };
  if (wanted.kind !== 'acts') return lostBy(state, wanted);
  const refined = { ...state, ending: wanted.ending, held: wanted.held };
  return doing(refined, actOf(state, wanted, reply), null);
}

const actOf = (
  { start, video }: VideoState,
  { steps }: Extract<Wanted, { kind: 'acts' }>,
  reply: ModelReply,
): Acts => ({
  do: 'act',
  steps,
  thought: reply.text.trim(),
  plan: `keyframes ${start} to ${windowOf(start, video).at(-1)}`,
});

/** Line 11. */
const doing = (state: VideoState, act: Acts, note: AgentNote | null): Next<VideoState> => ({
  state: { ...state, at: 'act', decided: { act, answer: state.decided?.answer ?? '' }, lost: 0 },
  command: act,
  note,
});

function acted(state: VideoState, problem: string | null): Next<VideoState> {
  const what = state.decided?.act.steps.map((step) => step.what).join('; ') ?? '';
  const history = [...state.history, problem === null ? what : `${what} (not done: ${problem})`];
  const { ending } = state;
  if (problem === null && ending)
    return { state: { ...state, history }, command: { do: 'end', ...ending }, note: null };
  // Nothing was done: there is no screen after it, and the window stays.
  const next: VideoState = { ...state, history, at: problem === null ? 'move' : 'decide', decided: null, ending: null };
  return { state: next, command: { do: 'look' }, note: null };
}

/** Line 13: S is a keyframe that was shown; anything else is no answer, and the window stays. */
function moved(state: VideoState, text: string): Next<VideoState> {
  const number = Number(/\d{1,6}/.exec(text)?.[0] ?? Number.NaN);
  const isShown = windowOf(state.start, state.video).includes(number);
  const note: AgentNote | null = isShown
    ? null
    : { kind: 'unclear', why: 'the video agent named none of the keyframes that it was shown' };
  // The screen after the act is the next exploration's.
  const next: VideoState = { ...state, at: 'decide', start: isShown ? number : state.start };
  const asked = asking(next, state.now ?? state.before!); // Asked on a screen.
  return { ...asked, note };
}

function lostBy(state: VideoState, note: AgentNote): Next<VideoState> {
  const lost = state.lost + 1;
  const next: VideoState = { ...state, at: 'decide', lost, decided: null, saying: told(note) };
  const why = `nothing could be done of ${lost} answers in a row: ${note.why}`;
  return { state: next, command: lost >= MOST_LOST ? { do: 'end', how: 'lost', why } : { do: 'look' }, note };
}
