import type { ScreenRecorder } from '../../native/screen/contract.ts';
import type { PauseReason } from '../../schemas/events.ts';
import type { Gate, Look } from './gate.ts';
import type { Line } from './line.ts';
import type { Outlet } from './outlet.ts';

/** Pauses of a recording: what opens and closes the gate, and what follows for the screen recorder and for who looks on. */
export type Pauses = {
  /** `t`: from when on, µs; what came later is not written even when it arrived before. */
  pause(reason: PauseReason, t: number): void;
  resume(reason: PauseReason, t: number): void;
  toggle(reason: PauseReason, t: number, now: number): void;
  look(look: Look): void;
  /** Everything from `t` on is forgotten until `resume`. */
  forget(t: number): void;
  /** Other pictures than before may be kept by now. */
  judgePictures(): void;
  /** Writes what is judged by now. */
  release(): void;
};

type Parts = {
  gate: Gate<Line>;
  outlet: Outlet;
  screen: Pick<ScreenRecorder, 'pause' | 'resume' | 'judge'>;
  /** With a list every look lets something out; without one only pauses do. */
  watching: boolean;
  /** The reason that is told has changed; null: recording. */
  onShown(reason: PauseReason | null): void;
  /** Something is recorded again, from `t` on: what was not written meanwhile is to be told anew. */
  onOpen(ended: PauseReason): void;
};

export function createPauses({ gate, outlet, screen, watching, onShown, onOpen }: Parts): Pauses {
  let shown: PauseReason | null = null;
  let isScreenPaused = false;

  function follow(): void {
    const reason = gate.shown();
    outlet.drain();
    // The judgement first: pictures of a cut are forgotten before new ones are taken.
    screen.judge(gate.pictures());
    if (gate.cutsPictures() !== isScreenPaused) {
      isScreenPaused = !isScreenPaused;
      if (isScreenPaused) screen.pause();
      else screen.resume();
    }
    if (reason === shown) return;
    const before = shown;
    shown = reason;
    onShown(reason);
    if (reason === null && before !== null) onOpen(before);
  }
  function pause(reason: PauseReason, t: number): void {
    gate.pause(t, reason);
    follow();
  }
  function resume(reason: PauseReason, t: number): void {
    gate.resume(t, reason);
    follow();
  }
  return {
    pause,
    resume,
    toggle: (reason, t, now) => (gate.isOpen(reason) ? resume(reason, now) : pause(reason, t)),
    look(look) {
      if (!watching) return;
      gate.look(look);
      follow();
    },
    forget(t) {
      gate.forget(t);
      follow();
    },
    judgePictures: follow,
    release: outlet.drain,
  };
}
