import { useMemo } from 'react';
import { flushSync } from 'react-dom';
import { english, tr } from '../language/tr.ts';
import { isField } from '../ui/keys/listen.ts';
import { type CommandHandler, useHandlers } from '../ui/keys/use-commands.ts';
import { PROPOSAL_KEYS } from './commands.ts';
import { useActions, useTools } from './context.ts';
import { centred, fitViewport, pictureRect, scaleOfPercent, zoomAt } from './geometry.ts';
import { movedBy, SHEET_OF, shownIn } from './sheet/shown.ts';
import { makeBoxKeys } from './stage/box-keys.ts';
import { shownFrame, useWork, useWorkStore } from './store.ts';
import { makePlayer } from './video/player.ts';

/** How the arrows move: through steps, or on the review page through everything that is decided on. */
export type Moving = { by: (n: number) => void; extend: (n: number) => void; end: (which: 'first' | 'last') => void };

/** Keys of looking: moving, pictures, video. `annotate.box` is heard while a cross or a box is moved. */
export function useViewKeys(moving?: Moving): void {
  const store = useWorkStore();
  const actions = useActions();
  const tools = useTools();
  const boxing = useWork((state) => state.mode.kind !== 'idle');
  const box = useMemo(() => makeBoxKeys(store, actions), [store, actions]);
  const player = useMemo(() => makePlayer(store, tools), [store, tools]);
  const { focus } = tools;
  const { getState: get, setState: set } = store;

  function zoom(factor: number): void {
    const { opened, stage, viewport } = get();
    const picture = pictureRect(opened, shownFrame(get()));
    if (!picture) return;
    const from = viewport ?? fitViewport(picture, stage);
    set({ viewport: zoomAt(from, { x: stage.width / 2, y: stage.height / 2 }, from.scale * factor) });
  }

  function zoomTo(percent: number): void {
    set({ viewport: zoomedTo(store, percent) });
  }

  function fold(): void {
    const { doc, at, folded } = get();
    const id = doc.subtasks[doc.steps[at]?.subtask ?? -1]?.record.id;
    if (id === undefined) return;
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    set({ folded: next });
  }

  function leave(event: KeyboardEvent | null): void {
    if (event?.target instanceof HTMLElement && isField(event.target)) {
      event.target.blur();
      focus.go('list');
      return;
    }
    if (box.leave()) return;
    if (get().playing) player.stop();
    else if (get().open) set({ open: null });
    else if (get().aspect !== null) set({ aspect: null });
    else if (leaveSheet()) return;
    else set({ anchor: null, looking: null, flipping: false, side: 'before', loupe: false });
    focus.go('list');
  }

  /** From a step that was opened from the sheet of boxes back to it, and from the sheet to the picture. */
  function leaveSheet(): boolean {
    const { sheet, anchor, looking, flipping, side, loupe } = get();
    if (sheet.is === 'off' || anchor !== null || looking !== null || flipping || side === 'after' || loupe)
      return false;
    set({ sheet: { ...sheet, is: sheet.is === 'left' ? 'shown' : 'off' } });
    if (sheet.is === 'shown') focus.go('list');
    return true;
  }

  const open = (what: 'history' | 'source') => (): void => set({ open: get().open === what ? null : what });
  const everywhere: Record<string, CommandHandler> = {
    'annotate.nextSubtask': () => actions.goToSubtask(1),
    'annotate.previousSubtask': () => actions.goToSubtask(-1),
    'annotate.history': open('history'),
    'annotate.fold': fold,
    'annotate.loopSubtask': () => player.toggle('subtask'),
    'annotate.flip': () =>
      set((state) => ({
        side: state.looking === null && state.side === 'before' ? 'after' : 'before',
        looking: null,
        flipping: false,
        playing: null,
        playhead: null,
      })),
    'annotate.flipping': () =>
      set((state) => ({ flipping: !state.flipping, side: 'before', looking: null, playing: null, playhead: null })),
    'annotate.frameBack': () => player.lookBy(-1),
    'annotate.frameForward': () => player.lookBy(1),
    'annotate.playAll': () => player.toggle('recording'),
    'annotate.slower': () => player.faster(-1),
    'annotate.faster': () => player.faster(1),
    'annotate.skipIdle': () => set((state) => ({ skipIdle: !state.skipIdle })),
    'annotate.zoomIn': () => zoom(1.25),
    'annotate.zoomOut': () => zoom(0.8),
    'annotate.zoomFit': () => set({ viewport: null }),
    'annotate.zoom100': () => zoomTo(100),
    'annotate.zoom200': () => zoomTo(200),
    'annotate.loupe': () => set((state) => ({ loupe: !state.loupe })),
    'annotate.source': open('source'),
    'annotate.escape': leave,
  };
  const move: Moving = moving ?? {
    by: (n) => actions.goBy(n),
    extend: (n) => actions.goBy(n, { extend: true }),
    end: (which) => actions.go(which === 'first' ? 0 : get().doc.steps.length - 1),
  };
  const steps: Record<string, () => void> = {
    'annotate.next': () => move.by(1),
    'annotate.previous': () => move.by(-1),
    'annotate.extendDown': () => move.extend(1),
    'annotate.extendUp': () => move.extend(-1),
    'annotate.first': () => move.end('first'),
    'annotate.last': () => move.end('last'),
    'annotate.play': () => player.toggle('step'),
  };
  const boxes: Record<string, () => void> = { 'annotate.corner': box.corner };
  for (const [name, by] of Object.entries(MOVES)) boxes[`annotate.${name}`] = () => box.change(by);

  useHandlers('annotate', everywhere);
  useHandlers('annotate.steps', enabledWhen(!boxing, steps));
  useHandlers('annotate.box', enabledWhen(boxing, boxes));
}

/** Keys that write in the document: of annotators, and of reviewers who fix something. */
export function useEditKeys(enabled = true): void {
  const store = useWorkStore();
  const actions = useActions();
  const { focus } = useTools();
  const box = useMemo(() => makeBoxKeys(store, actions), [store, actions]);
  const { getState: get } = store;

  function dragKind(): void {
    const step = get().doc.steps[get().at];
    if (step?.step.kind !== 'drag') return;
    const next = step.label?.dragKind === 'movement' ? 'resizing' : 'movement';
    actions.field(step.step.id, 'dragKind', next, english('Set movement or resizing'));
  }

  const toField = (name: string, otherwise: string) => (): void => {
    if (!focus.go(name)) actions.sayHere(otherwise);
  };
  const handlers: Record<string, CommandHandler> = {
    'annotate.element': toField('element', tr('This step has no element to name.')),
    'annotate.narration': toField('narration', tr('There is no step to narrate.')),
    'annotate.resetNarration': () => {
      const step = get().doc.steps[get().at];
      if (step) actions.narrate(step.step.id, null);
    },
    'annotate.thoughts': () => {
      // At once: the next key may be the first letter.
      flushSync(() => store.setState({ thoughts: true }));
      toField('thought', tr('There is no step to think about.'))();
    },
    'annotate.text': toField('text', tr('Only a step that types has a text to correct.')),
    'annotate.drag': toField('startName', tr('Only a drag has a start position.')),
    'annotate.dragKind': dragKind,
    'annotate.remove': actions.removeOrRestore,
    'annotate.undo': actions.undo,
    'annotate.redo': actions.redo,
    'annotate.box': () => box.toggle('target'),
    'annotate.boxEnd': () => box.toggle('end'),
    'annotate.grow': box.grow,
    'annotate.removeBox': box.remove,
    'annotate.goal': toField('goal', tr('There is no goal.')),
    'annotate.title': toField('title', tr('There is no subtask to title.')),
    'annotate.split': () => {
      actions.split();
      focus.go('title');
    },
    'annotate.merge': actions.merge,
    'annotate.markIn': actions.markIn,
    'annotate.markOut': actions.markOut,
    'annotate.beforeBack': () => actions.moveKeyframe('before', -1),
    'annotate.beforeForward': () => actions.moveKeyframe('before', 1),
    'annotate.afterBack': () => actions.moveKeyframe('after', -1),
    'annotate.afterForward': () => actions.moveKeyframe('after', 1),
  };
  useHandlers('annotate.edit', enabledWhen(enabled, handlers));
}

/** Keys of the sheet of all boxes, and how the arrows move on it: by tiles and rows. */
export function useSheetKeys(): Moving {
  const store = useWorkStore();
  const actions = useActions();
  const shown = useWork((state) => state.sheet.is === 'shown');
  const boxing = useWork((state) => state.mode.kind !== 'idle');
  const { getState: get, setState: set } = store;

  function goBy(tiles: number, how?: { extend: boolean }): void {
    const { doc, at, sheet } = get();
    actions.go(movedBy(shownIn(doc.steps, sheet.of, at), at, tiles), how);
  }
  function toggle(): void {
    actions.settle();
    const still = { mode: { kind: 'idle' }, side: 'before', looking: null, flipping: false, playing: null } as const;
    set(({ sheet }) =>
      sheet.is === 'shown'
        ? { sheet: { ...sheet, is: 'left' } }
        : { ...still, playhead: null, loupe: false, sheet: { ...sheet, is: 'shown' } },
    );
  }
  function nextKind(): void {
    set(({ sheet }) => ({
      sheet: { ...sheet, of: SHEET_OF[(SHEET_OF.indexOf(sheet.of) + 1) % SHEET_OF.length] ?? 'all' },
    }));
  }
  useHandlers('annotate', {
    'annotate.boxes': { run: toggle, enabled: get().opened.steps.length > 0 },
    'annotate.boxesOf': { run: nextKind, enabled: shown },
  });
  useHandlers(
    'annotate.steps',
    enabledWhen(shown && !boxing, {
      'annotate.tileLeft': () => goBy(-1),
      'annotate.tileRight': () => goBy(1),
    }),
  );
  const rows = (n: number): number => (get().sheet.is === 'shown' ? n * get().sheet.columns : n);
  return {
    by: (n) => (get().sheet.is === 'shown' ? goBy(rows(n)) : actions.goBy(n)),
    extend: (n) => (get().sheet.is === 'shown' ? goBy(rows(n), { extend: true }) : actions.goBy(n, { extend: true })),
    end(which) {
      const { doc, sheet, at } = get();
      const shownNow = sheet.is === 'shown' ? shownIn(doc.steps, sheet.of, at) : null;
      const last = shownNow ? (shownNow.at(-1) ?? at) : doc.steps.length - 1;
      actions.go(which === 'first' ? (shownNow?.[0] ?? 0) : last);
    },
  };
}

/** Keys of the annotator alone. */
export function useAnnotatorKeys(options: {
  toggleAutoAdvance: () => void;
  handIn: () => void;
  missing: () => void;
  nextMissing: () => void;
  addStep: CommandHandler;
}): void {
  const actions = useActions();
  const proposals = Object.fromEntries(
    PROPOSAL_KEYS.map((key) => [`annotate.proposal${key}`, () => actions.takeProposal(Number(key))]),
  );
  useHandlers('annotate.edit.work', {
    ...proposals,
    'annotate.takeDraft': () => actions.takeModelDraft(),
    'annotate.refuseDraft': () => actions.refuseModelDraft(),
    'annotate.nextOpen': actions.goToOpen,
    'annotate.addStep': options.addStep,
    'annotate.handIn': options.handIn,
    'annotate.missing': options.missing,
    'annotate.nextMissing': options.nextMissing,
    'annotate.confirm': actions.confirmAndGo,
    'annotate.done': actions.toggleDone,
    'annotate.autoAdvance': options.toggleAutoAdvance,
    'annotate.copy': actions.copyFromBefore,
    'annotate.flag': actions.toggleFlag,
  });
}

const MOVES = {
  left: { dx: -1 },
  right: { dx: 1 },
  up: { dy: -1 },
  down: { dy: 1 },
  farLeft: { dx: -10 },
  farRight: { dx: 10 },
  farUp: { dy: -10 },
  farDown: { dy: 10 },
  narrower: { dw: -1 },
  wider: { dw: 1 },
  lower: { dh: -1 },
  higher: { dh: 1 },
  muchNarrower: { dw: -10 },
  muchWider: { dw: 10 },
  muchLower: { dh: -10 },
  muchHigher: { dh: 10 },
} as const;

function enabledWhen(enabled: boolean, handlers: Record<string, CommandHandler>): Record<string, CommandHandler> {
  return Object.fromEntries(
    Object.entries(handlers).map(([id, given]) => [
      id,
      { run: typeof given === 'function' ? given : given.run, enabled },
    ]),
  );
}

/** The picture at `percent` of the display's pixels, with what is in the stage's middle kept there. */
function zoomedTo(store: ReturnType<typeof useWorkStore>, percent: number) {
  const { opened, stage, viewport } = store.getState();
  const picture = pictureRect(opened, shownFrame(store.getState()));
  const scale = scaleOfPercent(percent, devicePixelRatio);
  if (!picture) return viewport;
  if (!viewport) {
    const fitted = fitViewport(picture, stage);
    return zoomAt(fitted, { x: stage.width / 2, y: stage.height / 2 }, scale);
  }
  const small = picture.width * scale < stage.width && picture.height * scale < stage.height;
  return small ? centred(picture, stage, scale) : zoomAt(viewport, { x: stage.width / 2, y: stage.height / 2 }, scale);
}
