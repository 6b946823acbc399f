import { askWho } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { useActions } from '../workbench/context.ts';
import { pictureRect } from '../workbench/geometry.ts';
import { pictureMiddle, targetOf } from '../workbench/stage/target.ts';
import { shownFrame, useWorkStore } from '../workbench/store.ts';
import { useTalk } from './talk.ts';

const PLACE_HINT = tr('Comment on a place: click there, or arrows and Space; Esc ends');

/** Keys of comments, on the annotation page and the review page alike. */
export function useCommentKeys(): void {
  const store = useWorkStore();
  const actions = useActions();
  const talk = useTalk();
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
      actions.say(tr('There is no picture here to comment on.'), 'info');
      return;
    }
    actions.settle();
    const target = targetOf(step, rect);
    store.setState({
      mode: {
        kind: 'pin',
        at: target?.startInside ? target.start : pictureMiddle(rect),
        hint: PLACE_HINT,
        choose: (at) => talk?.pin(at),
      },
    });
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
