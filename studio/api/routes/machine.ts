import { preflight } from '../../session/recorder/preflight.ts';
import { recordingPlace } from '../studio.ts';
import { api, OK, safely } from './base.ts';

/** The recorder and the user's settings: of this machine, not of a workspace. */
export const machineRoutes = {
  recorder: {
    preflight: api.recorder.preflight.handler(async ({ context, input }) => {
      const place = input?.ws === undefined ? null : (await context.workspaces.get(input.ws)).workspace.recordingsDir;
      return preflight(place ?? recordingPlace(context), { shared: context.isShared });
    }),
    pictures: api.recorder.pictures.handler(({ context, input }) => context.recorder.pictures(input)),
    microphones: api.recorder.microphones.handler(({ context }) => context.recorder.microphones()),
    level: api.recorder.level.handler(({ context, input }) => context.recorder.level(input.device || null)),
    start: api.recorder.start.handler(async ({ context, input: { ws, ...wishes } }) =>
      context.recorder.start(await context.workspaces.get(ws), wishes),
    ),
    command: api.recorder.command.handler(({ context, input }) => {
      context.recorder.command(input.type === 'stop' ? { type: 'stop', why: 'studio' } : input);
      return OK;
    }),
    state: api.recorder.state.handler(({ context }) => context.recorder.state()),
    watch: api.recorder.watch.handler(async ({ context, signal }) => safely(context.recorder.watch(signal))),
  },
  settings: {
    get: api.settings.get.handler(({ context }) => context.settings.get()),
    set: api.settings.set.handler(({ context, input }) => context.settings.set(input.values)),
  },
};
