import { removeVoice, takeTranscript, voiceOf } from '../../recordings/voice.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import { api } from './base.ts';

/** The sound beside a recording: whoever sees its pictures hears it. */
export const voiceRoutes = {
  voice: {
    get: api.voice.get.handler(async ({ context, input: { ws, recording } }) =>
      voiceOf(await folderOf(await context.workspaces.get(ws), recording)),
    ),
    remove: api.voice.remove.handler(async ({ context, input: { ws, recording } }) =>
      removeVoice(await folderOf(await context.workspaces.get(ws), recording)),
    ),
    transcribe: api.voice.transcribe.handler(async ({ context, input: { ws, recording, text } }) =>
      takeTranscript(await folderOf(await context.workspaces.get(ws), recording), text),
    ),
  },
};

const folderOf = async ({ workspace }: OpenWorkspace, recording: string): Promise<string> =>
  (await workspace.getRecording(recording)).folder;
