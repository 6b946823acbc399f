import type { LivePlay } from '../../schemas/api/play.ts';
import type { Rect } from '../../schemas/events.ts';
import { createGlancer, type Glancer } from '../capture/glancer.ts';

/** A play that goes on, as the play itself sees it: it says where it happens, and each step that it begins. */
export type ShownPlay = { began(step: string): void; over(): void };

/** The plays that run in this process, for people who watch. A picture is taken when one is asked for. */
export type LivePlays = {
  /** `env` names the stage's display, `view` is what is recorded of it. */
  show(recording: string, env: NodeJS.ProcessEnv, view: Rect): ShownPlay;
  /** Null: no play of this recording has a stage now. Never throws; without a picture where the display does not answer. */
  look(recording: string): Promise<LivePlay | null>;
};

type Shown = { step: string | null; view: Rect; glancer: Glancer };

/** `open`: makes what takes pictures of a display. */
export function livePlays(open: (env: NodeJS.ProcessEnv) => Glancer = (env) => createGlancer({ env })): LivePlays {
  const shown = new Map<string, Shown>();
  return {
    show(recording, env, view) {
      const play: Shown = { step: null, view, glancer: open(env) };
      shown.set(recording, play);
      return {
        began(step) {
          play.step = step;
        },
        over() {
          play.glancer.close();
          if (shown.get(recording) === play) shown.delete(recording);
        },
      };
    },
    async look(recording) {
      const play = shown.get(recording);
      if (!play) return null;
      const { view: picture } = await play.glancer.take({ exclude: [], only: [], view: play.view, viewAlone: true });
      return { step: play.step, picture };
    },
  };
}
