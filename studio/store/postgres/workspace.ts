import { passedOver } from '../../../native/log/log.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import type { Store } from '../store.ts';
import { makeFolders, type Workspace, workspaceOver } from '../workspace.ts';
import type { PostgresEngine } from './engine.ts';
import { postgresWork } from './work.ts';

/** What a workspace is to ask of its database beside the store. */
type Engine = Pick<PostgresEngine, 'where' | 'close'> & { changedOutside?(): boolean } & Partial<PostgresEngine>;

/** A workspace whose database is in PostgreSQL, and whose files are in a folder. `version`: of the database. */
export function postgresWorkspace(
  dir: string,
  store: Store,
  engine: Engine,
  version = MIGRATIONS.at(-1)?.version ?? 0,
): Workspace {
  makeFolders(dir);
  return workspaceOver(dir, store, {
    // One process has all of a database that has one connection.
    work: engine.connect && !engine.single ? postgresWork(engine as PostgresEngine, version) : null,
    lockRecorder() {
      throw new StudioError(
        'USAGE',
        `Recordings are made into a workspace of this machine, and that of ${dir} is in ${engine.where}. Record into another folder, then bring the recording here as an archive.`,
        { dir },
      );
    },
    recorderPid: () => null,
    changedOutside: () => engine.changedOutside?.() ?? false,
    close: () => void engine.close().catch(passedOver('database not closed')),
  });
}
