import type { Notice, WorkStore } from '../store.ts';

/** Short messages over the page. */
export type Notices = {
  /** `step`: what it says is true of this step alone. */
  say: (text: string, tone?: Notice['tone'], step?: string) => void;
  /** It concerns the step in hand alone: the message goes with it. */
  sayHere: (text: string) => void;
  dismiss: (id: number) => void;
};

let made = 0;

export function makeNotices({ getState: get, setState: set }: WorkStore): Notices {
  const say: Notices['say'] = (text, tone = 'bad', step) => {
    const shown = get().notices.filter((notice) => notice.text !== text);
    set({ notices: [...shown.slice(-3), { id: ++made, tone, text, step }] });
  };
  return {
    say,
    sayHere: (text) => say(text, 'info', get().doc.steps[get().at]?.step.id),
    dismiss: (id) => set(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) })),
  };
}
