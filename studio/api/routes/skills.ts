import { join } from 'node:path';
import { api } from './base.ts';

/** Demonstrations as skills for agents. */
export const skillRoutes = {
  skills: {
    preview: api.skills.preview.handler(async ({ context, input: { ws, task, person, ...wishes }, signal }) =>
      (await context.workspaces.get(ws)).as(person).skills.preview(task, wishes, { signal }),
    ),
    write: api.skills.write.handler(async ({ context, input: { ws, task, person, out, ...wishes }, signal }) => {
      const target = context.path(out, 'out');
      const open = await context.workspaces.get(ws);
      const { name, problems } = await open.as(person).skills.write(task, { ...wishes, out: target }, { signal });
      return { folder: join(target, name), problems };
    }),
  },
};
