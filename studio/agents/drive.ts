import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { beginAgent } from '../../core/agents/agent.ts';
import type { AgentCommand, Came, Seen } from '../../core/agents/machine.ts';
import { answerOfEnd } from '../../core/agents/reading.ts';
import { askedNow, playedAnswer, userRequest } from '../../core/agents/user.ts';
import { SETTLED } from '../../core/play/at-rest.ts';
import { lacking, type PerformStep } from '../../core/play/perform.ts';
import { oneLine } from '../../core/words.ts';
import { isOnKeyboard } from '../../native/input/keys.ts';
import type { AgentHead, AgentLine, RunEnd, UserQuestion } from '../../schemas/agents.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import type { ModelReply, ModelRequest } from '../../schemas/model-requests.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import type { Model } from '../models/model.ts';
import type { StageDisplay } from '../play/stage/display.ts';
import { costOf, fitsBudget } from './counts.ts';
import type { Hand } from './hand.ts';
import type { AgentLog } from './log.ts';
import type { Replay } from './replay.ts';

/** Drives one agent on a stage's display: looks, asks, acts and writes everything down, until it ends or a limit is reached. */

export type Drive = {
  head: AgentHead;
  display: StageDisplay;
  model: Model;
  /** Plays the user whom it may ask; absent: that is a rule, or nobody. */
  userModel?: Model;
  log: AgentLog;
  /** The recording's folder: pictures that the model is shown are kept in it. */
  folder: string;
  /** Now, µs on the recording's clock. */
  now(): number;
  /** Pictures by their hash, which requests name. */
  pictures: Map<string, Buffer>;
  /** An earlier run's answers, which are not asked for again; null: it begins anew. */
  replay: Replay | null;
  /** By which a person may take it over. */
  hand: Hand;
  patienceMs: number;
  /** The person's stop, and the end of its time, which also cut a request. */
  stop: AbortSignal;
  deadline: AbortSignal;
  progress(text: string): void;
};

type Write = (line: AgentLine) => Promise<void>;

export type RunOutcome = { how: RunEnd; why: string };

const PICTURES_FOLDER = 'agent';

/** Never throws for what a model, its endpoint or a display did: that is how the run ended. */
export async function drive(run: Drive): Promise<RunOutcome> {
  const lines: AgentLine[] = [];
  const write: Write = (line) => {
    lines.push(line);
    return run.log.write(line);
  };
  await mkdir(join(run.folder, PICTURES_FOLDER), { recursive: true });
  let ended: RunOutcome;
  try {
    ended = await follow(run, lines, write);
  } catch (error) {
    ended = run.stop.aborted ? STOPPED : run.deadline.aborted ? timeIsUp(run) : endOf(error);
  }
  await restAfterActs(run, lines);
  await write({ type: 'ended', t: run.now(), ...ended, answer: answerOfEnd(ended) });
  return ended;
}

/** Whether it came out is looked at when the last act has had its effect: a program may still be writing its file. */
async function restAfterActs(run: Drive, lines: readonly AgentLine[]): Promise<void> {
  if (lines.findLast(({ type }) => type === 'seen' || type === 'acted')?.type !== 'acted') return;
  // A display that is gone has no more effects to wait for.
  await rest(run).catch(() => undefined);
}

async function rest({ display, head, patienceMs }: Drive): Promise<void> {
  await display.answered(patienceMs);
  await display.rest({ x: 0, y: 0, ...head.screen }, { ...SETTLED, atMostMs: patienceMs });
}

const STOPPED: RunOutcome = { how: 'stopped', why: 'it was stopped' };
const ENDED: RunOutcome = { how: 'stopped', why: 'a person took it over and ended it' };
const timeIsUp = ({ head }: Drive): RunOutcome => ({
  how: 'time',
  why: `the limit of ${(head.limits.timeMs ?? 0) / 1000} s was reached`,
});

function endOf(error: unknown): RunOutcome {
  const isEndpoint = error instanceof StudioError && error.code === 'ENDPOINT_FAILED';
  if (isEndpoint) return { how: 'endpoint', why: error.message };
  return { how: 'failed', why: whyNot(error) };
}

async function follow(run: Drive, lines: AgentLine[], write: Write): Promise<RunOutcome> {
  const { head } = run;
  const agent = beginAgent(head);
  let command: AgentCommand = { do: 'look' };
  let n = 0;
  /** A person acted since the agent saw the screen: what it wants now may be meant for another one. */
  let isStale = false;
  for (;;) {
    if (await handOver(run, write)) isStale = true;
    if (run.hand.hasEnded()) return ENDED;
    if (run.stop.aborted) return STOPPED;
    if (run.deadline.aborted) return timeIsUp(run);
    if (command.do === 'end') return { how: command.how, why: command.why };
    let came: Came;
    if (command.do === 'look') {
      came = { came: 'screen', seen: await look(run, write) };
      isStale = false;
    } else if (command.do === 'act') came = { came: 'acted', problem: await act(run, command, { n, isStale }, write) };
    else {
      const limit = run.replay?.answers() ? null : limitOf(lines, head, n);
      if (limit) return limit;
      n++;
      const { reply, question: earlier, ...line } = await ask(run, command.request, n, write);
      const said = earlier ?? (await userSays(run, lines, reply));
      came = { came: 'answer', reply, ...(said && { said }) };
      // What it makes of the answer is in the same line: neither is ever there without the other.
      const next = agent.next(came);
      const { note, question } = next;
      await write({ type: 'answered', t: run.now(), n, reply, ...line, note, ...(question && { question }) });
      if (question) run.progress(`${n}: asks the user: ${oneLine(question.question)} (${oneLine(question.answer)})`);
      if (next.note) run.progress(`${n}: ${next.note.kind}: ${next.note.why}`);
      command = next.command;
      continue;
    }
    command = agent.next(came).command;
  }
}

/** While a person has the mouse and the keyboard nothing is asked or done. True: they had. */
async function handOver({ hand, stop, deadline }: Drive, write: Write): Promise<boolean> {
  const signal = AbortSignal.any([stop, deadline]);
  const tell = async (): Promise<number> => {
    const news = hand.news();
    for (const one of news) await write({ type: 'person', ...one });
    return news.length;
  };
  let had = await tell();
  await hand.given(signal);
  had += await tell();
  return had > 0;
}

function limitOf(lines: readonly AgentLine[], head: AgentHead, asked: number): RunOutcome | null {
  const { rounds, budget } = head.limits;
  if (asked >= rounds) return { how: 'rounds', why: `the limit of ${rounds} requests was reached` };
  const fits = fitsBudget(lines, head);
  if (fits === null) {
    const why = 'the endpoint does not say how many tokens its answers take, so that the budget cannot be held';
    return { how: 'uncounted', why };
  }
  return fits ? null : { how: 'budget', why: `one more request might go over the budget of ${budget}` };
}

/** The request's hash: the same run asks the same, whoever replays it. */
const hashOf = (request: ModelRequest): string => createHash('sha256').update(JSON.stringify(request)).digest('hex');

/** `question`: what the user answered to it in the run that is gone on with. */
type Answer = {
  reply: ModelReply;
  tookMs: number;
  cost: number | null;
  replayed: boolean;
  question?: UserQuestion | undefined;
};

async function ask(run: Drive, request: ModelRequest, n: number, write: Write): Promise<Answer> {
  const hash = hashOf(request);
  const before = run.replay?.answer(hash) ?? null;
  await write({ type: 'asked', t: run.now(), n, hash, request });
  if (before) return { ...before, replayed: true };
  const began = performance.now();
  const reply = await run.model.ask(request);
  return {
    reply,
    tookMs: Math.round(performance.now() - began),
    cost: costOf(reply, run.head.prices),
    replayed: false,
  };
}

/** What a model says that plays the user, where the reply asks; null: it asks nothing, or no model does. */
async function userSays(
  { head, userModel }: Drive,
  lines: readonly AgentLine[],
  reply: ModelReply,
): Promise<UserQuestion | null> {
  const { user } = head;
  if (!user || !userModel) return null;
  const before = lines.flatMap((line) => (line.type === 'answered' && line.question ? [line.question] : []));
  const question = askedNow(user, before, reply);
  if (question === null) return null;
  return playedAnswer(user, before, { question, reply: await userModel.ask(userRequest(user, before, question)) });
}

async function look(run: Drive, write: Write): Promise<Seen> {
  const { display, head, folder, pictures } = run;
  const rect = { x: 0, y: 0, ...head.screen };
  await rest(run);
  const titles = await display.titles();
  const earlier = run.replay?.answers() ? await run.replay.screen(() => display.look(rect), run.stop) : null;
  const image = earlier ? null : await display.look(rect);
  if (!earlier && !image) throw new Error(`the stage has no screen of ${head.screen.width} x ${head.screen.height} px`);
  const png = earlier?.png ?? (await pngOf(image!.rgb, head.screen));
  const sha256 = createHash('sha256').update(png).digest('hex');
  const file = `${PICTURES_FOLDER}/${sha256.slice(0, 16)}.png`;
  writeFileAtomic(join(folder, file), png);
  pictures.set(sha256, png);
  const seen = { picture: { sha256, ...head.screen }, titles: earlier?.titles ?? titles };
  await write({ type: 'seen', t: run.now(), file, sha256, ...head.screen, titles: [...seen.titles] });
  return seen;
}

/** Does an answer's acts; gives why nothing of them was done, or not all, null when all were. */
async function act(
  run: Drive,
  { steps, thought, plan }: AgentCommand & { do: 'act' },
  { n, isStale }: { n: number; isStale: boolean },
  write: Write,
): Promise<string | null> {
  const { display, now, hand } = run;
  const t = now();
  const what = steps.map((step) => step.what);
  const temporary = new Set<string>();
  const line = async (problem: string | null): Promise<string | null> => {
    await write({ type: 'acted', t, end: now(), n, what, thought, plan, problem, temporary: [...temporary] });
    return problem;
  };
  const layout = await display.layout();
  const { names } = lacking(steps, layout, isOnKeyboard);
  if (names.length > 0) {
    const shown = names.slice(0, 5).map((name) => `“${name}”`);
    return line(`the keyboard has no key called ${shown.join(', ')}`);
  }
  if (isStale || !hand.enter()) return line(PERSON_CAME);
  run.progress(`${n}: ${what.join('; ') || 'looks again'}`);
  try {
    return await line(await actsOf(run, steps, temporary));
  } finally {
    // What it holds down would be held under the person's hands.
    if (hand.state() !== 'agent') await display.release().catch(() => undefined);
    hand.leave();
  }
}

const PERSON_CAME = 'a person took the mouse and the keyboard before, and may have changed the screen';

async function actsOf(
  { display, patienceMs, stop, deadline, hand }: Drive,
  steps: readonly PerformStep[],
  temporary: Set<string>,
): Promise<string | null> {
  const signal = AbortSignal.any([stop, deadline]);
  for (const step of steps) {
    await display.answered(patienceMs);
    for (const one of step.acts) {
      if (signal.aborted) return 'it was stopped in the middle';
      if (hand.state() !== 'agent') return 'a person took the mouse and the keyboard in the middle of it';
      if (one.do === 'wait') await sleep(one.ms, null, { signal }).catch(() => undefined);
      else {
        const made = await display.do(one);
        if (made !== null) temporary.add(made);
      }
    }
  }
  return null;
}

const pngOf = (rgb: Uint8Array, { width, height }: { width: number; height: number }): Promise<Buffer> =>
  sharp(rgb, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
