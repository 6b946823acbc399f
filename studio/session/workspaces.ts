import { cp, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { passedOver } from '../../native/log/log.ts';
import type { WorkspaceInfo } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { fillFolder, freePath, pathExists } from '../files/folder.ts';
import { breathe } from '../store/breathe.ts';
import { updateTask } from '../store/task-rows.ts';
import type { Home } from './home.ts';
import { type OpenWorkspace, openSession } from './open-workspace.ts';
import { openRecent, realDir, workspaceId } from './recent.ts';

/** All workspaces that are open in this process, and those opened before. */
export type Workspaces = {
  recent(): WorkspaceInfo[];
  /** Throws what store/workspace.ts says. */
  open(dir: string, options: { create: boolean }): Promise<WorkspaceInfo>;
  /** Copies the shipped sample into the user's data folder once. Throws UNKNOWN_FILE when none is shipped. */
  openSample(): Promise<WorkspaceInfo>;
  /** The open one of this id; one of the recent ones is opened. Throws UNKNOWN_WORKSPACE, and what opening throws. */
  get(id: string): Promise<OpenWorkspace>;
  /** Those that are open now. */
  opened(): OpenWorkspace[];
  /** Closes it and leaves it out of the list. Throws UNKNOWN_WORKSPACE. */
  forget(id: string): Promise<void>;
  /** Closes it, so that the next use opens it anew. */
  drop(id: string): Promise<void>;
  suggest(): Promise<string>;
  close(): Promise<void>;
};

type WorkspacesOptions = {
  home: Home;
  /** The shipped sample's folder. */
  sample: string;
  /** Work on a workspace once it is open (recovery, missing pictures); not waited for. */
  onOpen?(opened: OpenWorkspace): void;
};

export function createWorkspaces({ home, sample, onOpen }: WorkspacesOptions): Workspaces {
  const recent = openRecent(join(home.config, 'workspaces.json'));
  const open = new Map<string, Promise<OpenWorkspace>>();
  const settled = new Map<string, OpenWorkspace>();

  function load(dir: string, options: { create: boolean }): Promise<OpenWorkspace> {
    const id = workspaceId(realDir(dir));
    const known = open.get(id);
    if (known) return known;
    // Two requests at once get the same one.
    const opening = openSession(dir, { ...options, config: home.config }).then(
      (one) => {
        settled.set(id, one);
        onOpen?.(one);
        return one;
      },
      (error: unknown) => {
        open.delete(id);
        throw error;
      },
    );
    open.set(id, opening);
    return opening;
  }

  async function drop(id: string): Promise<void> {
    const known = open.get(id);
    open.delete(id);
    settled.delete(id);
    await known?.then((one) => one.close()).catch(passedOver('workspace not closed', { workspace: id }));
  }

  async function openAt(dir: string, options: { create: boolean }): Promise<WorkspaceInfo> {
    const { workspace } = await load(dir, options);
    await breathe();
    return recent.add(workspace.dir);
  }

  return {
    recent: () => recent.list(),
    open: openAt,
    async openSample() {
      const to = join(home.data, 'sample');
      const isNew = await copySample(sample, to);
      const info = await openAt(to, { create: true });
      if (isNew) await describeSample(sample, await load(to, { create: false }));
      return info;
    },
    async get(id) {
      const known = open.get(id);
      if (known) return known;
      const dir = recent.dirOf(id);
      if (dir === undefined) throw unknownWorkspace(id);
      return load(dir, { create: false });
    },
    opened: () => [...settled.values()],
    async forget(id) {
      if (!open.has(id) && recent.dirOf(id) === undefined) throw unknownWorkspace(id);
      await drop(id);
      recent.forget(id);
    },
    drop,
    suggest: suggestDir,
    async close() {
      await Promise.all([...open.keys()].map(drop));
    },
  };
}

const unknownWorkspace = (id: string): StudioError =>
  new StudioError(
    'UNKNOWN_WORKSPACE',
    `No workspace "${id.slice(0, 40)}" is open or was opened before. Open its folder.`,
    {
      workspace: id,
    },
  );

/** The entries of the sample's folder that make a workspace. */
const SAMPLE_PARTS = ['studio.sqlite', 'recordings', 'attachments'];

/** Under its name only when it is whole. False when a copy is there: it stays, with what its owner did in it. */
async function copySample(from: string, to: string): Promise<boolean> {
  if (await pathExists(to)) return false;
  if (!(await pathExists(join(from, 'recordings')))) {
    throw new StudioError('UNKNOWN_FILE', `The sample is missing from this installation (${from}). Install it again.`, {
      dir: from,
    });
  }
  await fillFolder(to, async (folder) => {
    for (const part of SAMPLE_PARTS) {
      if (await pathExists(join(from, part))) await cp(join(from, part), join(folder, part), { recursive: true });
    }
  });
  return true;
}

const sampleSchema = z.object({
  task: z.object({ id: z.string(), platform: z.string(), sourceUrl: z.string(), notes: z.string() }),
});

/** sample.json holds what a recording's folder does not say about its task. The sample works without it. */
async function describeSample(from: string, { workspace }: OpenWorkspace): Promise<void> {
  const file = join(from, 'sample.json');
  if (!(await pathExists(file))) return;
  const { task } = sampleSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const { id, platform, sourceUrl, notes } = task;
  await updateTask(workspace.store, id, { platform, sourceUrl, notes });
}

/** A folder for a new workspace that is not there yet. */
const suggestDir = (): Promise<string> => freePath(join(homedir(), 'trajectory-studio'));
