import type { Step } from '../../schemas/api/models.ts';

/** Made-up steps for tests: a click a second, `s0` at 1 s, with a frame (place) before and one after each. */
export function stepsFrom(count: number, more: (at: number) => Partial<Step> = () => ({})): Step[] {
  return Array.from({ length: count }, (_, at) =>
    stepFrom(`s${at}`, (at + 1) * 1e6, { before: 2 * at, after: 2 * at + 1, ...more(at) }),
  );
}

export function stepFrom(id: string, t: number, more: Partial<Step> = {}): Step {
  return {
    id,
    kind: 'click',
    button: 'left',
    modifiers: [],
    start: [10, 20, t],
    end: [10, 20, t + 100_000],
    text: null,
    keys: null,
    count: 1,
    scroll: null,
    holdMs: null,
    incomplete: false,
    window: null,
    before: -1,
    after: -1,
    ...more,
  };
}
