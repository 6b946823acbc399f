import { dirname } from 'node:path';
import { append } from '../../../core/lists.ts';
import { plural } from '../../../core/words.ts';
import { attachmentSchema } from '../../../schemas/api/models.ts';
import type { ArchiveLibrary } from '../../../schemas/archive.ts';
import type { DatasetTerms } from '../../../schemas/dataset-terms.ts';
import { errorBody, isPassing } from '../../../schemas/errors.ts';
import { writeSplits } from '../../datasets/tags.ts';
import { takeTerms } from '../../datasets/terms.ts';
import { takePeople } from '../../documents/arrival.ts';
import { flushFile, flushFolder } from '../../files/atomic.ts';
import { mimeOf } from '../../files/first-bytes.ts';
import { findFile, folderIn, hasFile, placeIn, statOf } from '../../files/inside.ts';
import { move } from '../../files/move.ts';
import { hasAttachment, insertAttachment, listAllAttachments } from '../../store/attachments.ts';
import { splitOfTask } from '../../store/curation.ts';
import { otherTask, otherTaskWords } from '../../store/other-task.ts';
import type { Software } from '../../store/software.ts';
import type { Store, StoreTransaction } from '../../store/store.ts';
import { ensureTask, findStoredTask, hasTask, setTask } from '../../store/tasks.ts';
import type { Workspace } from '../../store/workspace.ts';

/**
 * Makes an archive's software, tasks and files this workspace's. What is here already stays as it is; what does not fit it
 * is told. Each task comes whole or not at all, so that running it again after a kill is as running it once. `arriving`: tasks
 * that recordings come to; `renamed`: what they are called here where their ids stand for others; `setUp`: tasks to which a
 * recipe or checks came.
 */
export async function takeLibrary(
  workspace: Workspace,
  library: ArchiveLibrary,
  staging: string,
  arriving: ReadonlySet<string>,
): Promise<{ warnings: string[]; renamed: ReadonlyMap<string, string>; setUp: string[] }> {
  const warnings: string[] = [];
  const setUp = new Set<string>();
  const renamed = new Map<string, string>();
  try {
    await workspace.store.transaction((trx) => takePeople(trx, library.people ?? []));
  } catch (error) {
    warnings.push(`the people: ${unlessPassing(error)}`);
  }
  if (library.terms && !(await takeTerms(workspace.store, library.terms))) {
    warnings.push(`licence, citation and sources stay as they are here; the archive says ${saidOf(library.terms)}`);
  }
  const software = new Map((await workspace.listSoftware()).map((one) => [one.id, one]));
  for (const one of library.software) {
    const known = software.get(one.id);
    if (known) {
      if (one.category && one.category !== known.category)
        warnings.push(stays(`the software ${one.name}`, ['category']));
      continue;
    }
    try {
      software.set(one.id, await workspace.addSoftware({ ...one, category: one.category ?? '' }));
    } catch (error) {
      warnings.push(`the software ${one.name}: ${unlessPassing(error)}`);
    }
  }
  const alike = await tasksAlike(workspace, library);
  for (const task of library.tasks) {
    const owner = software.get(task.software);
    if (!owner) continue;
    try {
      const { news, movedTo } = await workspace.store.transaction((trx) =>
        takeTask(trx, task, owner, { arriving, alike }),
      );
      append(warnings, news);
      alike.taken.add(movedTo ?? task.id);
      if (movedTo !== null) renamed.set(task.id, movedTo);
    } catch (error) {
      warnings.push(`task ${task.id}: ${unlessPassing(error)}`);
    }
  }
  for (const one of library.attachments) {
    const task = renamed.get(one.task) ?? one.task;
    const came = await takeAttachment(workspace, { ...one, task }, staging, warnings);
    if (came && (one.role === 'recipe' || one.role === 'checks')) setUp.add(task);
  }
  return { warnings, renamed, setUp: [...setUp] };
}

/** Tasks of an archive that are known by their files, and tasks here to which one of the archive came. */
type Alike = { known: ReadonlyMap<string, string>; taken: Set<string> };

/**
 * Several tasks of an archive may have the same goal: instances of a template whose values stand in their recipes alone. They are as
 * many tasks here; one that was here before is known again by its files, whose ids are the same everywhere.
 */
async function tasksAlike({ store }: Workspace, { tasks, attachments }: ArchiveLibrary): Promise<Alike> {
  const groups = Map.groupBy(tasks, ({ software, goal }) => JSON.stringify([software, goal]));
  const several = new Set(
    [...groups.values()].filter(({ length }) => length > 1).flatMap((all) => all.map(({ id }) => id)),
  );
  const known = new Map<string, string>();
  if (several.size > 0) {
    const owners = new Map((await listAllAttachments(store, 'id')).map(({ id, task_id }) => [id, task_id]));
    for (const { id, task } of attachments) {
      const here = owners.get(id);
      if (here !== undefined && several.has(task)) known.set(task, here);
    }
  }
  return { known, taken: new Set(known.values()) };
}

/** Takes one task. `movedTo`: its id here stands for another task, so it came under that one. */
async function takeTask(
  trx: StoreTransaction,
  task: ArchiveLibrary['tasks'][number],
  owner: Software,
  { arriving, alike }: { arriving: ReadonlySet<string>; alike: Alike },
): Promise<{ news: string[]; movedTo: string | null }> {
  const known = alike.known.get(task.id);
  if (known !== undefined) return { news: [], movedTo: known === task.id ? null : known };
  const here = await hasTask(trx, task.id);
  // A task that nothing new comes to stays as it is here, whatever it is called there.
  const coming = { software: owner, goal: task.goal };
  const other = here && arriving.has(task.id) ? await otherTask(trx, task.id, coming, alike.taken) : null;
  const news = other ? [otherTaskWords(task.id, other)] : [];
  const movedTo = other?.id ?? null;
  const id = other?.id ?? task.id;
  if (other ? !other.isNew : here) {
    const others = await otherWords(trx, id, task);
    if (others.length > 0) news.push(stays(`task ${id}`, others));
    return { news, movedTo };
  }
  await ensureTask(trx, { id, software: owner, goal: task.goal });
  const { state, platform, sourceUrl: source_url, notes, answer = '', kind = 'full' } = task;
  await setTask(trx, id, { state, platform, source_url, notes, answer, kind });
  if (task.split !== undefined) await writeSplits(trx, [{ task: id, split: task.split }], 'hand');
  return { news, movedTo };
}

const stays = (what: string, others: readonly string[]): string =>
  `${what} stays as it is here; the archive has another ${others.join(', ')}`;

/** What an archive says of a task that is here already, and says otherwise. */
async function otherWords(
  store: Store,
  id: string,
  { platform, sourceUrl, notes, answer = '', kind = 'full', split = '' }: ArchiveLibrary['tasks'][number],
): Promise<string[]> {
  const here = await findStoredTask(store, id);
  const own = await splitOfTask(store, id);
  const pairs = [
    ['platform', platform, here?.platform],
    ['source', sourceUrl, here?.source_url],
    ['answer', answer, here?.answer],
    ['kind', kind === 'full' ? '' : kind, here?.kind],
    ['split', split, own],
    ['notes', notes, here?.notes],
  ] as const;
  return pairs.flatMap(([name, said, known]) => (said !== '' && said !== known ? [name] : []));
}

/**
 * Why something does not fit, in words. Throws what passes (a full disk, another program): a task that was left out for that
 * would be here without its words for good once its recordings have landed.
 */
function unlessPassing(error: unknown): string {
  const { code, message } = errorBody(error);
  if (isPassing(code) || code === 'INTERNAL') throw error;
  return message;
}

const saidOf = ({ licence, citation, sources }: DatasetTerms): string =>
  [licence || 'no licence', citation === '' ? 'no citation' : 'a citation', `${plural(sources.length, 'source')}`].join(
    ', ',
  );

async function takeAttachment(
  { store, dir }: Workspace,
  { id, task, role, name, file, createdAt }: ArchiveLibrary['attachments'][number],
  staging: string,
  warnings: string[],
): Promise<boolean> {
  if (await hasAttachment({ store }, id)) return false;
  const owner = await hasTask(store, task);
  const from = findFile(staging, file);
  const to = placeIn(dir, file);
  const fits = attachmentSchema.shape.role.safeParse(role).success;
  if (!owner || !fits || !(from || hasFile(dir, file))) {
    warnings.push(
      `the file "${name}" of task ${task} was left out: ${owner ? 'its role is not known' : 'its task is not here'}`,
    );
    return false;
  }
  folderIn(dir, dirname(file));
  if (from && !hasFile(dir, file)) {
    // The database keeps what it is told through a power cut: so must the file that it names.
    await flushFile(from);
    await move(from, to);
    flushFolder(dirname(to));
  }
  // By its first bytes, whatever the archive says.
  const row = {
    id,
    task_id: task,
    role,
    name,
    file,
    bytes: statOf(dir, file)?.size ?? 0,
    mime: mimeOf(to),
    created_at: createdAt,
  };
  await insertAttachment(store, row);
  return true;
}
