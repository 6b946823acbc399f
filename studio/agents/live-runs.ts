import { randomUUID } from 'node:crypto';
import type { AgentLine, AgentReport } from '../../schemas/agents.ts';
import type { LiveLine, LiveRunState, RunCommand } from '../../schemas/api/runs.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import type { StageAct } from '../../schemas/stage-acts.ts';
import { type LiveStage, openLiveStage } from '../play/stage/live.ts';
import { createHub } from '../store/jobs/hub.ts';
import { type Hand, openHand } from './hand.ts';

/**
 * Runs that go on in this process, of models and of people, for those who look at them: the stage as it is now, what the agent
 * thinks and does, and the mouse and the keyboard for a person who does the task or takes it over.
 */

export type LiveRuns = {
  begin(about: LiveAbout): LiveRun;
  /** Throws USAGE where there is none of this id. */
  get(ws: string, id: string): LiveRun;
  /** The newest first. */
  list(ws: string): LiveRunState[];
  /** Ends all of them; resolves when their stages are gone. */
  close(): Promise<void>;
};

export type LiveAbout = Pick<LiveRunState, 'task' | 'goal' | 'agent' | 'model' | 'limits'> & {
  ws: string;
  /** The one that the model is asked with; absent: none was given. */
  temperature?: number | undefined;
  /** An answer is asked for at its end. Absent: none. */
  answers?: boolean;
  /** For lists of what goes on: it is there, or at another stage of its work. */
  changed?: () => void;
};

/** How a person's own run ended. */
export type PersonEnd = {
  how: 'done' | 'gave-up' | 'stopped';
  /** The person's answer; null: none. */
  answer: string | null;
};

export type LiveRun = {
  readonly id: string;
  state(): LiveRunState;
  watch(signal?: AbortSignal): AsyncGenerator<LiveRunState>;
  /** Somebody watches. */
  isWatched(): boolean;
  /** The stage, frame by frame (core/play/live-frames.ts). Throws CAPTURE_FAILED where it is not there, or no more. */
  next(since: number): Promise<Uint8Array>;
  /** Throws CONFLICT where the person has not the mouse and the keyboard. */
  act(client: string, n: number, acts: readonly StageAct[]): Promise<void>;
  /** Throws CONFLICT where it does not fit. */
  command(what: RunCommand, answer?: string): void;

  // For who does the run.
  readonly stop: AbortSignal;
  readonly hand: Hand;
  /** How the person says that their run is over. */
  readonly personEnded: Promise<PersonEnd>;
  staged(env: NodeJS.ProcessEnv, recording: string): void;
  /** Leads pages that show it to the run of the next task. */
  goesOnIn(next: string): void;
  saw(line: AgentLine): void;
  progress(text: string): void;
  /** Nobody acts any more. */
  checking(): Promise<void>;
  /** The work of the run: waited for when the studio closes; its end and its error are shown. */
  follow<R extends AgentReport | null>(work: Promise<R>): Promise<R>;
};

/** Lines that are shown; and runs that are over and can still be looked at. */
const MOST_LINES = 200;
const MOST_OVER = 20;
/** A program may be so late with what it was sent last, ms. */
const SETTLE_MS = 6000;

export function createLiveRuns(openStage: (env: NodeJS.ProcessEnv) => LiveStage = openLiveStage): LiveRuns {
  const runs = new Map<string, { ws: string; run: LiveRun; work: Promise<unknown> | null }>();

  function forgetOld(): void {
    const over = [...runs].filter(([, { run }]) => run.state().phase === 'over');
    for (const [id] of over.slice(0, Math.max(0, over.length - MOST_OVER))) runs.delete(id);
  }

  return {
    begin(about) {
      forgetOld();
      const run = liveRun(about, openStage, (work) => {
        const kept = runs.get(run.id);
        if (kept) kept.work = work;
      });
      runs.set(run.id, { ws: about.ws, run, work: null });
      about.changed?.();
      return run;
    },
    get(ws, id) {
      const found = runs.get(id);
      if (found?.ws === ws) return found.run;
      throw new StudioError('USAGE', 'This run does not go on here any more. The list of runs says what came of it.', {
        run: id.slice(0, 100),
      });
    },
    list: (ws) =>
      [...runs.values()]
        .filter((one) => one.ws === ws)
        .map(({ run }) => run.state())
        .reverse(),
    async close() {
      for (const { run } of runs.values()) if (run.state().phase !== 'over') run.command('stop');
      await Promise.all([...runs.values()].map(({ work }) => work));
    },
  };
}

function liveRun(
  { ws: _, changed, answers = false, temperature, ...about }: LiveAbout,
  openStage: (env: NodeJS.ProcessEnv) => LiveStage,
  onWork: (work: Promise<unknown>) => void,
): LiveRun {
  const id = randomUUID();
  const began = new Date();
  const hub = createHub<LiveRunState>();
  const control = new AbortController();
  const ended = Promise.withResolvers<PersonEnd>();
  const isHuman = about.agent === 'human';
  let stage: LiveStage | null = null;
  let lines: LiveLine[] = [];
  let count = 0;
  /** The last `n` of each page that acts. */
  const clients = new Map<string, number>();
  let state: LiveRunState = {
    ...about,
    id,
    answers,
    temperature: temperature ?? null,
    next: null,
    phase: 'setting',
    hand: isHuman ? 'person' : 'agent',
    note: '',
    began: began.toISOString(),
    recording: null,
    rounds: 0,
    steps: 0,
    cost: null,
    lines: [],
    outcome: null,
    error: null,
  };

  let told = '';
  function set(changes: Partial<LiveRunState>): void {
    state = { ...state, ...changes };
    hub.publish(state);
    const { phase, hand, rounds } = state;
    const shown = `${phase} ${hand} ${rounds}`;
    if (shown !== told) changed?.();
    told = shown;
  }
  function say(by: LiveLine['by'], kind: LiveLine['kind'], text: string): void {
    if (text === '') return;
    const line: LiveLine = { n: ++count, ms: Math.max(0, Date.now() - began.getTime()), by, kind, text };
    lines = [...lines.slice(1 - MOST_LINES), line];
    state = { ...state, lines };
  }
  const hand = openHand(() => set({ hand: hand.state() }));
  const wrong = (message: string): StudioError => new StudioError('CONFLICT', message, { run: id });

  return {
    id,
    state: () => state,
    async *watch(signal) {
      const changes = hub.subscribe(signal);
      yield state;
      yield* changes;
    },
    isWatched: () => hub.readers() > 0,
    async next(since) {
      if (!stage)
        throw new StudioError('CAPTURE_FAILED', 'The stage is not there: it is being set up, or is over.', {});
      return stage.next(since);
    },
    async act(client, n, acts) {
      if (!stage || state.phase !== 'acting' || state.hand !== 'person')
        throw wrong('Nobody but the agent acts on this stage now: take it over first.');
      const before = clients.get(client) ?? 0;
      // A request that was sent again, since its answer was lost.
      if (n <= before) return;
      clients.set(client, n);
      await stage.act(acts);
    },
    command(what, answer) {
      const fits =
        what === 'stop' || (isHuman ? ['done', 'give-up'] : ['take-over', 'give-back', 'end']).includes(what);
      if (!fits)
        throw wrong(`“${what}” is nothing that can be done with ${isHuman ? 'a person’s own' : 'a model’s'} run.`);
      if (state.phase === 'over' || state.phase === 'checking') throw wrong('The run is over.');
      if (what === 'stop') {
        ended.resolve({ how: 'stopped', answer: null });
        control.abort(new StudioError('CANCELLED', 'It was stopped.', {}));
      } else if (what === 'done') ended.resolve({ how: 'done', answer: answers ? answer?.trim() || null : null });
      else if (what === 'give-up') ended.resolve({ how: 'gave-up', answer: null });
      else if (state.phase !== 'acting') throw wrong('The run has not begun yet.');
      else if (what === 'take-over') hand.take();
      else if (what === 'give-back') void stage?.release().then(hand.giveBack, hand.giveBack);
      else hand.end();
    },

    stop: control.signal,
    hand,
    personEnded: ended.promise,
    staged(env, recording) {
      stage = openStage(env);
      set({ phase: 'acting', recording, note: '' });
    },
    goesOnIn: (next) => set({ next }),
    saw(line) {
      if (line.type === 'answered') {
        state = { ...state, rounds: state.rounds + 1 };
        if (line.cost !== null) state = { ...state, cost: (state.cost ?? 0) + line.cost };
        if (line.note) say('agent', line.note.kind, line.note.why);
      } else if (line.type === 'acted') {
        if (line.plan !== lines.findLast(({ kind }) => kind === 'plan')?.text) say('agent', 'plan', line.plan);
        say('agent', 'thought', line.thought);
        say('agent', 'acted', line.what.join('; '));
        if (line.problem !== null) say('agent', 'problem', line.problem);
        else state = { ...state, steps: state.steps + 1 };
      } else if (line.type === 'person') say('person', 'hand', line.what);
      set({});
    },
    progress: (text) => set({ note: text }),
    async checking() {
      set({ phase: 'checking', note: '' });
      const open = stage;
      stage = null;
      // The last key, which may save, is done before anything is looked at.
      await open?.settle(SETTLE_MS).catch(() => undefined);
      await open?.close();
    },
    async follow(work) {
      const closed = async (): Promise<void> => {
        await stage?.close();
        stage = null;
      };
      const over = work.then(
        async (report) => {
          await closed();
          const { how, why, passed, score, checks, steps, cost } = report ?? NOTHING;
          set({
            phase: 'over',
            outcome: report && { how, why, passed, score, checks },
            ...(report && { steps, cost }),
          });
        },
        async (error: unknown) => {
          await closed();
          set({ phase: 'over', error: whyNot(error) });
        },
      );
      onWork(over);
      await over;
      return work;
    },
  };
}

const NOTHING: Pick<AgentReport, 'how' | 'why' | 'passed' | 'score' | 'checks' | 'steps' | 'cost'> = {
  how: 'stopped',
  why: '',
  passed: false,
  score: 0,
  checks: [],
  steps: 0,
  cost: null,
};
