/** Who has the mouse and the keyboard of a model's run: the agent, or a person who took it over. */

export type HandState = 'agent' | 'taking' | 'person';
export type HandEvent = { t: number; what: 'took-over' | 'gave-back' | 'ended' };

export type Hand = {
  state(): HandState;
  /** The person wants it; they have it as soon as the agent's act is over. */
  take(): void;
  giveBack(): void;
  /** The person, who has it, ends the run. */
  end(): void;
  /** The agent begins to act. False: a person has it, and nothing may be done. */
  enter(): boolean;
  /** The agent's act is over. */
  leave(): void;
  /** What became of it since this was asked last, on the run's clock. */
  news(): HandEvent[];
  /** Resolves when the person gives it back or ends the run, or `signal` fires. */
  given(signal: AbortSignal): Promise<void>;
  hasEnded(): boolean;
  /** The run's clock. */
  setClock(now: () => number): void;
};

export function openHand(onChange: () => void = () => undefined): Hand {
  let state: HandState = 'agent';
  let isActing = false;
  let isEnded = false;
  let events: HandEvent[] = [];
  let now = (): number => 0;
  const waiting = new Set<() => void>();

  const tell = (what: HandEvent['what']): void => void events.push({ t: now(), what });
  function set(to: HandState): void {
    if (to === 'person') tell('took-over');
    else if (state === 'person') tell('gave-back');
    state = to;
    stir();
    onChange();
  }
  function stir(): void {
    for (const wake of waiting) wake();
    waiting.clear();
  }

  return {
    state: () => state,
    take() {
      if (state === 'agent' && !isEnded) set(isActing ? 'taking' : 'person');
    },
    giveBack() {
      if (state !== 'agent' && !isEnded) set('agent');
    },
    end() {
      if (state !== 'person' || isEnded) return;
      isEnded = true;
      tell('ended');
      stir();
      onChange();
    },
    enter() {
      isActing = state === 'agent';
      return isActing;
    },
    leave() {
      isActing = false;
      if (state === 'taking') set('person');
    },
    news() {
      const since = events;
      events = [];
      return since;
    },
    async given(signal) {
      while (state !== 'agent' && !isEnded && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
        await promise;
      }
    },
    hasEnded: () => isEnded,
    setClock(clock) {
      now = clock;
    },
  };
}
