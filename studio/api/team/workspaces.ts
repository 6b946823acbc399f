import type { WorkspaceInfo } from '../../../schemas/api/models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Workspaces } from '../../session/workspaces.ts';

/** The one workspace that a team's server is for: no other of the machine can be named, and its folder is told to nobody. */
export function onlyWorkspace(all: Workspaces, ws: string): Workspaces & { dir(): string } {
  const entry = (): WorkspaceInfo => {
    const found = all.recent().find(({ id }) => id === ws);
    if (!found) throw unknown();
    return found;
  };
  let dir: string | undefined;
  const refused = (): never => {
    throw new StudioError('FORBIDDEN', 'This server is for one workspace; its administrator opens others.', {});
  };
  return {
    recent: () => [{ ...entry(), dir: entry().name }],
    open: refused,
    openSample: refused,
    async get(id) {
      if (id !== ws) throw unknown();
      return all.get(id);
    },
    opened: () => all.opened().filter(({ id }) => id === ws),
    forget: refused,
    drop: async (id) => (id === ws ? all.drop(id) : undefined),
    suggest: refused,
    close: () => all.close(),
    // Its id is made of it. Asked for with every text that is told.
    dir: () => (dir ??= entry().dir),
  };
}

const unknown = (): StudioError => new StudioError('UNKNOWN_WORKSPACE', 'This server has no such workspace.', {});
