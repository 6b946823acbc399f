import { levelTable } from '../../../core/compositions/tables.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { compositionOpened, compositionsListed, runOpened } from '../../compositions/shown.ts';
import {
  editedComposition,
  knownTasks,
  listCompositions,
  membersOfTasks,
  removeComposition,
  saveComposition,
  whyUnwritable,
} from '../../play/compositions.ts';
import { api, tell } from './base.ts';

/** Tasks joined: what they are, which laws they break, and what their runs came to; and how they are edited. */
export const compositionRoutes = {
  compositions: {
    list: api.compositions.list.handler(async ({ context, input: { ws } }) =>
      compositionsListed((await context.workspaces.get(ws)).workspace),
    ),
    about: api.compositions.about.handler(async ({ context, input: { ws } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const all = listCompositions(workspace).flatMap(({ composition }) => composition ?? []);
      const tables = all.some(({ kind }) => kind === 'pathway') ? [levelTable(all)] : [];
      return { tables, unwritable: whyUnwritable(workspace.dir) };
    }),
    get: api.compositions.get.handler(async ({ context, input: { ws, composition } }) =>
      compositionOpened((await context.workspaces.get(ws)).workspace, composition),
    ),
    edit: api.compositions.edit.handler(async ({ context, input: { ws, composition } }) =>
      editedComposition((await context.workspaces.get(ws)).workspace, composition),
    ),
    save: api.compositions.save.handler(async ({ context, input: { ws, composition, content, version } }) => {
      const open = await context.workspaces.get(ws);
      if (content.id !== composition)
        throw new StudioError('USAGE', `What is to be saved as “${composition}” says that it is “${content.id}”.`);
      const saved = await saveComposition(open.workspace, { composition: content, version });
      tell(open, 'compositions');
      return saved;
    }),
    remove: api.compositions.remove.handler(async ({ context, input: { ws, composition: id, version } }) => {
      const open = await context.workspaces.get(ws);
      const composition = await removeComposition(open.workspace, { id, version });
      tell(open, 'compositions');
      return { composition };
    }),
    members: api.compositions.members.handler(async ({ context, input: { ws, tasks } }) =>
      membersOfTasks((await context.workspaces.get(ws)).workspace, tasks),
    ),
    known: api.compositions.known.handler(async ({ context, input: { ws, tasks } }) => {
      const known = await knownTasks((await context.workspaces.get(ws)).workspace, tasks);
      return [...known].map(([task, checks]) => ({ task, checks: checks && [...checks] }));
    }),
    run: api.compositions.run.handler(async ({ context, input: { ws, composition, run } }) =>
      runOpened((await context.workspaces.get(ws)).workspace, composition, run),
    ),
  },
};
