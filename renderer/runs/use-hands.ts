import { type RefObject, useEffect, useRef } from 'react';
import { buttonOfPointer, type PersonInput, personInput } from '../../core/play/person-input.ts';
import type { StageAct } from '../../schemas/stage-acts.ts';
import { client } from '../client/api.ts';
import { OFFLINE, toError } from '../ui/errors.ts';
import { actSender } from './sender.ts';

type Wishes = {
  ws: string;
  run: string;
  /** The screen, px. */
  size: { width: number; height: number } | null;
  /** False: nothing over the picture is heard. */
  on: boolean;
  onError: (error: unknown) => void;
  /** By Ctrl+Alt+Enter the keyboard leaves the stage. */
  onLeave: () => void;
  /** Is given the way to wait until all that was done here has reached the stage. */
  sent: RefObject<() => Promise<void>>;
};

/** Keys that leave the stage for the page: the only chord that is never the stage's. */
const leaves = ({ key, ctrlKey, altKey }: KeyboardEvent): boolean => key === 'Enter' && ctrlKey && altKey;

/**
 * Mouse and keyboard over `field`, which lies on the picture of a stage, act on the stage. It is a text field, so that what is composed
 * (dead keys, an input method) arrives as text. Gives the way to send a chord that the browser keeps for itself.
 */
export function useHands(
  field: RefObject<HTMLTextAreaElement | null>,
  wishes: Wishes,
): (keys: readonly string[]) => void {
  const { ws, run, on } = wishes;
  const latest = useRef(wishes);
  latest.current = wishes;
  const chord = useRef<(keys: readonly string[]) => void>(() => undefined);
  useEffect(() => {
    const target = field.current;
    if (!on || !target) return;
    const page = crypto.randomUUID();
    const sender = actSender({
      send: (n, acts) => client.runs.act({ ws, run, client: page, n, acts }),
      isLost: (error) => toError(error).code === OFFLINE,
      onError: (error) => latest.current.onError(error),
    });
    const input = personInput();
    const stop = listen(target, input, (acts) => sender.add(acts), latest);
    latest.current.sent.current = () => sender.sent();
    chord.current = (keys) => sender.add(input.chord(keys));
    return () => {
      stop();
      chord.current = () => undefined;
      latest.current.sent.current = async () => undefined;
      sender.close();
    };
  }, [field, ws, run, on]);
  return (keys) => chord.current(keys);
}

function listen(
  target: HTMLTextAreaElement,
  input: PersonInput,
  add: (acts: readonly StageAct[]) => void,
  latest: RefObject<Wishes>,
): () => void {
  const control = new AbortController();
  const options = { signal: control.signal };
  let isComposing = false;
  const placeOf = ({ clientX, clientY }: MouseEvent): readonly [number, number] => {
    const { size } = latest.current;
    const box = target.getBoundingClientRect();
    const at = (px: number, of: number, most: number): number =>
      Math.max(0, Math.min(most - 1, Math.floor((px * most) / Math.max(1, of))));
    return [at(clientX - box.left, box.width, size?.width ?? 1), at(clientY - box.top, box.height, size?.height ?? 1)];
  };
  const keyOf = (event: KeyboardEvent, down: boolean) => ({
    key: event.key,
    code: event.code,
    down,
    repeat: event.repeat,
    altGr: event.getModifierState('AltGraph'),
  });

  target.addEventListener(
    'keydown',
    (event) => {
      // The page's own keys are not heard here.
      event.stopPropagation();
      if (event.isComposing || isComposing) return;
      if (leaves(event)) {
        event.preventDefault();
        add(input.release());
        return latest.current.onLeave();
      }
      const acts = input.key(keyOf(event, true));
      if (acts === null) return;
      event.preventDefault();
      add(acts);
    },
    options,
  );
  target.addEventListener(
    'keyup',
    (event) => {
      event.stopPropagation();
      event.preventDefault();
      add(input.key(keyOf(event, false)) ?? []);
    },
    options,
  );
  target.addEventListener('compositionstart', () => (isComposing = true), options);
  target.addEventListener('compositionend', () => (isComposing = false), options);
  target.addEventListener(
    'input',
    () => {
      if (isComposing) return;
      add(input.text(target.value));
      target.value = '';
    },
    options,
  );
  // What Chromium composes is in the field when the composition ends, and no `input` follows.
  target.addEventListener(
    'compositionend',
    () => {
      add(input.text(target.value));
      target.value = '';
    },
    options,
  );
  target.addEventListener(
    'pointerdown',
    (event) => {
      event.preventDefault();
      target.focus({ preventScroll: true });
      target.setPointerCapture(event.pointerId);
      pressed(event, true);
    },
    options,
  );
  /** A second button that goes down or up while one is held comes as a move. */
  function pressed(event: PointerEvent, isDown: boolean): void {
    const button = buttonOfPointer(event.button);
    if (button !== null) add(input.button(placeOf(event), button, isDown));
  }
  target.addEventListener('pointerup', (event) => pressed(event, false), options);
  target.addEventListener('pointercancel', () => add(input.release()), options);
  target.addEventListener(
    'pointermove',
    (event) => {
      if (event.button >= 0) return pressed(event, (event.buttons & bitOf(event.button)) !== 0);
      // Each point of a drag; of another move the newest is enough.
      const points = event.buttons === 0 ? [event] : event.getCoalescedEvents();
      for (const point of points.length > 0 ? points : [event]) add(input.move(placeOf(point)));
    },
    options,
  );
  target.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { deltaX: dx, deltaY: dy, deltaMode: mode } = event;
      add(input.wheel(placeOf(event), { dx, dy, mode }));
    },
    { ...options, passive: false },
  );
  for (const name of ['contextmenu', 'auxclick', 'dragstart', 'drop', 'paste', 'cut'] as const)
    target.addEventListener(name, (event) => event.preventDefault(), options);
  target.addEventListener('blur', () => add(input.release()), options);
  return () => {
    add(input.release());
    control.abort();
  };
}

/** Of PointerEvent.buttons. */
const bitOf = (button: number): number => [1, 4, 2, 8, 16][button] ?? 0;
