import { listMarks, nameMark, removeMark } from '../../recordings/marks.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import { api } from './base.ts';

/** Marks of a recording: what was recorded, so whoever sees its steps sees them. */
export const markRoutes = {
  marks: {
    list: api.marks.list.handler(async ({ context, input: { ws, recording } }) => ({
      marks: listMarks(await folderOf(await context.workspaces.get(ws), recording)),
    })),
    name: api.marks.name.handler(async ({ context, input: { ws, recording, number, words } }) => ({
      marks: await nameMark(await folderOf(await context.workspaces.get(ws), recording), number, words),
    })),
    remove: api.marks.remove.handler(async ({ context, input: { ws, recording, number } }) => ({
      marks: await removeMark(await folderOf(await context.workspaces.get(ws), recording), number),
    })),
  },
};

const folderOf = async ({ workspace }: OpenWorkspace, recording: string): Promise<string> =>
  (await workspace.getRecording(recording)).folder;
