import { askingWith } from '../../agents/model-head.ts';
import { voiceToSend, writeDownVoice } from '../../agents/write-down.ts';
import { removeVoice, takeTranscript, voiceOf } from '../../recordings/voice.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import { api } from './base.ts';

/** A page waits for it, and its reader can press again. */
const TRIES = 2;
/** Ten minutes of sound take a small machine as long, ms. */
const PATIENCE_MS = 900_000;

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
    sending: api.voice.sending.handler(async ({ context, input: { ws, recording, untimed } }) =>
      voiceToSend(await folderOf(await context.workspaces.get(ws), recording), !untimed),
    ),
    writeDown: api.voice.writeDown.handler(async ({ context, input, signal }) => {
      const { ws, recording, key, endpoint, model, language, untimed } = input;
      const folder = await folderOf(await context.workspaces.get(ws), recording);
      const asking = { ...askingWith(key), tries: TRIES, timeoutMs: PATIENCE_MS, ...(signal && { signal }) };
      return writeDownVoice(folder, { ...asking, endpoint, model, language, timed: !untimed });
    }),
  },
};

const folderOf = async ({ workspace }: OpenWorkspace, recording: string): Promise<string> =>
  (await workspace.getRecording(recording)).folder;
