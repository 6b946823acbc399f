import { oc } from '@orpc/contract';
import { z } from 'zod';
import { PACES, playReportSchema, USUAL_PATIENCE_S } from '../play.ts';
import { verifyReportSchema } from '../verify.ts';
import { jobSchema } from './models.ts';

/** Playing a demonstration again, and what came of it (docs/play.md). */
const ws = z.object({ ws: z.string() });
const ofRecording = ws.extend({ recording: z.string() });
/** Who asks for it: what somebody else made of a task's recipe and checks, they are asked about first. */
const person = z.string().min(1).max(100).optional();
const ofPlay = ws.extend({ played: z.string() });

const playReadySchema = z.object({
  /** Each obstacle with what to do about it; empty: it can be played. */
  missing: z.array(z.object({ what: z.enum(['machine', 'recording', 'recipe', 'program']), message: z.string() })),
  /** How many checks the task has; null: none. */
  checks: z.int().nullable(),
});
export type PlayReady = z.infer<typeof playReadySchema>;

const playRowSchema = z.object({
  /** The play's own recording. */
  id: z.string(),
  startedAt: z.iso.datetime(),
  /** Null where it was ended in the middle, or its report cannot be read. */
  report: playReportSchema.omit({ steps: true, checks: true }).nullable(),
});
export type PlayRow = z.infer<typeof playRowSchema>;

const pictureSchema = z.int().min(0).nullable();
const openedPlaySchema = z.object({
  id: z.string(),
  startedAt: z.iso.datetime(),
  report: playReportSchema.nullable(),
  /** For each step of the report the frames (`i`) of the play's own recording when it was judged. */
  pictures: z.array(z.object({ before: pictureSchema, after: pictureSchema })),
});
export type OpenedPlay = z.infer<typeof openedPlaySchema>;

const differenceSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int(),
  height: z.int(),
  /** The step itself changes something here. */
  decisive: z.boolean(),
});

const livePlaySchema = z.object({
  /** The step that is being played; null: none has begun. */
  step: z.string().nullable(),
  /** Its stage now, as a data URL: what is recorded of it, made smaller. Null where it cannot be seen. */
  picture: z.string().nullable(),
});
export type LivePlay = z.infer<typeof livePlaySchema>;

export const playContract = {
  play: {
    ready: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/play',
        summary: 'Whether a demonstration can be played on this machine, and what is missing',
      })
      .input(ofRecording)
      .output(playReadySchema),
    /**
     * On a new virtual stage, which is thrown away afterwards. A job; the play's recording is among its `recordings`. Throws
     * NOT_AGREED with `asked` for what somebody else made (setup.agree).
     */
    start: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/play',
        summary: 'Play a demonstration again',
      })
      .input(
        ofRecording.extend({
          person,
          pace: z.enum(PACES).default('ready'),
          /** How late the screen may be before the play stops, seconds. */
          patience: z.int().min(1).max(600).default(USUAL_PATIENCE_S),
        }),
      )
      .output(jobSchema),
    /** Plays it, and plays it without a step that matters. A job; its plays are among its `recordings`. */
    verify: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/verify',
        summary: 'Prove a demonstration: it plays again, and its checks would notice if it did not',
      })
      .input(
        ofRecording.extend({
          person,
          times: z.int().min(1).max(20).default(3),
          pace: z.enum(PACES).default('ready'),
          /** How late the screen may be before a play stops, seconds. */
          patience: z.int().min(1).max(600).default(USUAL_PATIENCE_S),
        }),
      )
      .output(jobSchema),
    /**
     * The last verdict; null: nobody has tried. `current`: the task still has the checks that it was reached by. `shown`: this
     * workspace has the plays behind it; otherwise it is what `by` says.
     */
    verdict: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/verify',
        summary: 'Whether a demonstration is proven, and why not',
      })
      .input(ofRecording)
      .output(
        z
          .object({
            report: verifyReportSchema,
            current: z.boolean(),
            shown: z.boolean(),
            by: z.string().nullable(),
          })
          .nullable(),
      ),
    /** Null: nothing is on a stage now. */
    live: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/play/live',
        summary: 'The stage of the play that goes on, as it looks now',
      })
      .input(ofRecording)
      .output(livePlaySchema.nullable()),
    list: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/recordings/{recording}/plays',
        summary: 'Plays of a demonstration, the newest first',
      })
      .input(ofRecording)
      .output(z.array(playRowSchema)),
    open: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/plays/{played}', summary: 'One play, step by step' })
      .input(ofPlay)
      .output(openedPlaySchema),
    /** Null: a picture is missing, or the two have different sizes. */
    differences: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/plays/{played}/steps/{step}/differences',
        summary: 'Where the screen of a play differs from the demonstration at a step',
      })
      .input(ofPlay.extend({ step: z.string(), when: z.enum(['before', 'after']) }))
      .output(z.array(differenceSchema).nullable()),
  },
};
