import { useActions, useTools } from '../annotate/context.ts';
import { pictureRect } from '../annotate/geometry.ts';
import { targetOf } from '../annotate/stage/target.ts';
import { shownFrame, useWorkStore } from '../annotate/store.ts';
import { useHandlers } from '../app/keys/use-commands.ts';
import { askWho } from '../app/person.ts';

/** Keys of comments, on the annotation page and the review page alike. */
export function useCommentKeys(): void {
  const store = useWorkStore();
  const actions = useActions();
  const { review } = useTools();
  const talk = review?.talk;
  const known =
    (work: () => void): (() => void) =>
    () =>
      talk ? work() : askWho();

  function place(): void {
    const { mode, doc, at, opened } = store.getState();
    if (mode.kind === 'pin') {
      store.setState({ mode: { kind: 'idle' } });
      return;
    }
    const rect = pictureRect(opened, shownFrame(store.getState()));
    const step = doc.steps[at];
    if (!rect || !step) {
      actions.say('There is no picture here to comment on.', 'info');
      return;
    }
    actions.settle();
    const { start, startInside } = targetOf(step, rect);
    const middle = { x: Math.floor(rect.width / 2), y: Math.floor(rect.height / 2) };
    store.setState({ mode: { kind: 'pin', at: startInside ? start : middle } });
  }

  useHandlers('annotate', {
    'comment.write': known(() => talk?.write()),
    'comment.place': known(place),
    'comment.answer': known(() => talk?.answerHere()),
    'comment.resolve': known(() => talk?.resolveHere()),
    'comment.next': known(() => talk?.next()),
    'comment.panel': known(() => talk?.togglePanel()),
  });
}
