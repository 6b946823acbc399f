import { levelTable } from '../../../core/compositions/tables.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { namesKept, refuseNamed } from '../../agents/compositions/kept.ts';
import { compositionOpened, compositionsListed, runOpened } from '../../agents/compositions/shown.ts';
import {
  doVerification,
  keptCompositions,
  openAs,
  refuseKept,
  verificationQueue,
  verificationShown,
} from '../../agents/compositions/verification.ts';
import {
  editedComposition,
  readListed,
  removeComposition,
  saveComposition,
  whyUnwritable,
} from '../../documents/joined/composition-files.ts';
import { compositionHeads } from '../../documents/joined/composition-heads.ts';
import { membersOfTasks } from '../../play/compositions.ts';
import { checksIn, readTasks, servicesIn } from '../../play/task-contents.ts';
import { api, tell } from './base.ts';
import { instanceRoutes } from './composition-instances.ts';

/** Tasks joined: what they are, which laws they break, and what their runs came to; and how they are edited. */
export const compositionRoutes = {
  compositions: {
    list: api.compositions.list.handler(async ({ context, input: { ws, person } }) =>
      compositionsListed((await context.workspaces.get(ws)).workspace, person),
    ),
    about: api.compositions.about.handler(async ({ context, input: { ws, person } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const kept = await keptCompositions(workspace, person);
      // Most workspaces have few pathways, and only these are in the table.
      const pathways = (await compositionHeads(workspace)).filter(
        ({ id, kind }) => kind === 'pathway' && !kept.has(id),
      );
      const all = pathways.flatMap(({ id }) => readListed(workspace, id).composition ?? []);
      const tables = all.length > 0 ? [levelTable(all)] : [];
      return { tables, unwritable: whyUnwritable(workspace.dir) };
    }),
    get: api.compositions.get.handler(async ({ context, input: { ws, composition, person } }) => {
      const { workspace } = await context.workspaces.get(ws);
      await openAs(workspace, composition, person);
      return compositionOpened(workspace, composition, person);
    }),
    edit: api.compositions.edit.handler(async ({ context, input: { ws, composition, person } }) => {
      const { workspace } = await context.workspaces.get(ws);
      await openAs(workspace, composition, person);
      return editedComposition(workspace, composition);
    }),
    save: api.compositions.save.handler(async ({ context, input: { ws, composition, content, version, person } }) => {
      const open = await context.workspaces.get(ws);
      await refuseKept(open.workspace, composition, person);
      if (content.id !== composition)
        throw new StudioError('USAGE', `What is to be saved as “${composition}” says that it is “${content.id}”.`);
      const saved = await saveComposition(open.workspace, { composition: content, version });
      tell(open, 'compositions');
      return saved;
    }),
    remove: api.compositions.remove.handler(async ({ context, input: { ws, composition: id, version, person } }) => {
      const open = await context.workspaces.get(ws);
      await refuseKept(open.workspace, id, person);
      const composition = await removeComposition(open.workspace, { id, version });
      tell(open, 'compositions');
      return { composition };
    }),
    members: api.compositions.members.handler(async ({ context, input: { ws, tasks, person } }) => {
      const { workspace } = await context.workspaces.get(ws);
      refuseNamed({ tasks }, await namesKept(workspace, person));
      return membersOfTasks(workspace, tasks);
    }),
    known: api.compositions.known.handler(async ({ context, input: { ws, tasks } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const read = await readTasks(workspace, tasks);
      const services = servicesIn(read);
      return [...checksIn(read)].map(([task, checks]) => ({
        task,
        checks: checks && [...checks],
        services: services.get(task)?.map(({ name, changes }) => ({ name, changes: [...changes] })) ?? null,
      }));
    }),
    ...instanceRoutes,
    run: api.compositions.run.handler(async ({ context, input: { ws, composition, run, person } }) => {
      const { workspace } = await context.workspaces.get(ws);
      await openAs(workspace, composition, person);
      return runOpened(workspace, composition, run);
    }),
    verification: api.compositions.verification.handler(async ({ context, input: { ws, composition, person } }) =>
      verificationShown((await context.workspaces.get(ws)).workspace, composition, { person }),
    ),
    verify: api.compositions.verify.handler(async ({ context, input: { ws, composition, person, event, act } }) => {
      const open = await context.workspaces.get(ws);
      await open.refresh();
      await doVerification(open.workspace, composition, { person, event, act });
      tell(open, 'compositions');
      return verificationShown(open.workspace, composition, { person });
    }),
    queue: api.compositions.queue.handler(async ({ context, input: { ws, person } }) =>
      verificationQueue((await context.workspaces.get(ws)).workspace, { person }),
    ),
  },
};
