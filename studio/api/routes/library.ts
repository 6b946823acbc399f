import { typedPath } from '../../session/recent.ts';
import { detach, hashOfAttachment, listAttachments } from '../../store/attachments.ts';
import { addPerson, listPeople } from '../../store/people.ts';
import { setCategory } from '../../store/software.ts';
import { createTask, removeTask, updateTask } from '../../store/task-rows.ts';
import { countTasks } from '../../store/tasks.ts';
import { assignTask, tasksToRecord } from '../../store/to-record.ts';
import { api, OK, tell } from './base.ts';
import { findRoutes } from './find.ts';

/** Workspaces, software, people and tasks. */
export const libraryRoutes = {
  workspaces: {
    recent: api.workspaces.recent.handler(({ context }) => context.workspaces.recent()),
    open: api.workspaces.open.handler(({ context, input: { dir, create } }) =>
      context.workspaces.open(typedPath(dir, 'dir'), { create }),
    ),
    openSample: api.workspaces.openSample.handler(({ context }) => context.workspaces.openSample()),
    forget: api.workspaces.forget.handler(async ({ context, input }) => {
      await context.workspaces.forget(input.ws);
      return OK;
    }),
    suggest: api.workspaces.suggest.handler(async ({ context }) => ({ dir: await context.workspaces.suggest() })),
  },
  software: {
    list: api.software.list.handler(async ({ context, input }) => {
      const { workspace } = await context.workspaces.get(input.ws);
      const tasks = await countTasks(workspace.store);
      return (await workspace.listSoftware()).map((one) => ({ ...one, tasks: tasks.get(one.id) ?? 0 }));
    }),
    add: api.software.add.handler(async ({ context, input }) => {
      const open = await context.workspaces.get(input.ws);
      const { name, prefix, id, platforms, aliases, executables, category } = input;
      const added = await open.workspace.addSoftware({
        name,
        ...(prefix && { prefix }),
        ...(platforms !== undefined && { platforms }),
        ...(id && { id }),
        ...(aliases && { aliases }),
        ...(executables && { executables }),
        ...(category !== undefined && { category }),
      });
      tell(open, 'software');
      return { ...added, tasks: 0 };
    }),
    update: api.software.update.handler(async ({ context, input: { ws, software, category } }) => {
      const open = await context.workspaces.get(ws);
      const one = await setCategory(open.workspace.store, software, category);
      const tasks = await countTasks(open.workspace.store);
      tell(open, 'software');
      return { ...one, tasks: tasks.get(one.id) ?? 0 };
    }),
  },
  people: {
    find: findRoutes.people.find,
    list: api.people.list.handler(async ({ context, input }) =>
      listPeople((await context.workspaces.get(input.ws)).workspace.store),
    ),
    add: api.people.add.handler(async ({ context, input: { ws, name, email } }) => {
      const open = await context.workspaces.get(ws);
      const person = await addPerson(open.workspace.store, { name, email });
      tell(open, 'people');
      return person;
    }),
  },
  tasks: {
    list: api.tasks.list.handler(async ({ context, input }) => {
      const open = await context.workspaces.get(input.ws);
      // A recording folder that was copied in brings its task with it.
      await open.refresh();
      return open.as(input.person).tasks.list();
    }),
    get: api.tasks.get.handler(async ({ context, input: { ws, task, person } }) => {
      const open = await context.workspaces.get(ws);
      await open.refresh();
      return open.as(person).tasks.get(task);
    }),
    create: api.tasks.create.handler(async ({ context, input: { ws, ...wanted } }) => {
      const open = await context.workspaces.get(ws);
      const made = await createTask(open.workspace, wanted);
      tell(open, 'tasks');
      return made;
    }),
    update: api.tasks.update.handler(async ({ context, input: { ws, task, ...changes } }) => {
      const open = await context.workspaces.get(ws);
      const changed = await updateTask(open.workspace.store, task, changes);
      tell(open, 'tasks');
      return changed;
    }),
    assign: api.tasks.assign.handler(async ({ context, input: { ws, task, people } }) => {
      const open = await context.workspaces.get(ws);
      const changed = await assignTask(open.workspace.store, task, people);
      tell(open, 'tasks');
      return changed;
    }),
    toRecord: api.tasks.toRecord.handler(async ({ context, input: { ws, person } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const { principal } = context;
      return tasksToRecord(workspace.store, principal.kind === 'member' ? principal.id : (person ?? null));
    }),
    importTable: api.tasks.importTable.handler(async ({ context, input: { ws, ...wishes } }) => {
      const open = await context.workspaces.get(ws);
      const { importTaskTable } = await import('../../import/table/import-table.ts');
      const table = await importTaskTable(open.workspace, wishes);
      if (table.made + table.updated > 0 && table.done) tell(open, 'tasks');
      return table;
    }),
    remove: api.tasks.remove.handler(async ({ context, input: { ws, task } }) => {
      const open = await context.workspaces.get(ws);
      // A recording folder that was copied in is one of its recordings.
      await open.refresh({ now: true });
      await removeTask(open.workspace.store, task);
      tell(open, 'tasks');
      return OK;
    }),
    detach: api.tasks.detach.handler(async ({ context, input: { ws, attachment } }) => {
      const open = await context.workspaces.get(ws);
      await detach(open.workspace, attachment);
      tell(open, 'tasks');
      return OK;
    }),
    attachments: api.tasks.attachments.handler(async ({ context, input: { ws, task } }) => {
      const { workspace } = await context.workspaces.get(ws);
      await workspace.getTask(task);
      return listAttachments(workspace.store, task);
    }),
    attachmentHash: api.tasks.attachmentHash.handler(async ({ context, input: { ws, attachment } }) => {
      const { workspace } = await context.workspaces.get(ws);
      return { sha256: await hashOfAttachment(workspace, attachment) };
    }),
  },
};
