import { isDeepStrictEqual } from 'node:util';
import { withTaskPlaces } from '../../../core/compositions/places.ts';
import type { Composition } from '../../../schemas/composition.ts';
import type { CompositionRun } from '../../../schemas/composition-run.ts';
import { errorBody, isPassing, StudioError } from '../../../schemas/errors.ts';
import type { Workspace } from '../../store/workspace.ts';
import { hasRun, keepRun, listCompositionRuns, readKeptRun, runPath } from './run-files.ts';

/**
 * Runs of compositions on their way to another workspace. Copies of a stage's home stay where they were made: such a run is looked at
 * and counted there, and not gone on with.
 */

type Place = Pick<Workspace, 'dir'>;

/**
 * The files of the runs of these compositions; with `recordings` only of those whose every recording is among them. One that cannot be
 * read is left out, with why.
 */
export function travellingRuns(
  place: Place,
  travelling: readonly { composition: Composition }[],
  recordings: ReadonlySet<string> | null,
): { files: { path: string; text: string }[]; leftOut: string[] } {
  if (travelling.length === 0) return { files: [], leftOut: [] };
  const ids = new Set(travelling.map(({ composition }) => composition.id));
  const { runs, unread } = listCompositionRuns(place);
  const whole = ({ results }: CompositionRun): boolean =>
    recordings === null || results.every(({ recording }) => recording === null || recordings.has(recording));
  const files = runs
    .filter((run) => ids.has(run.composition.id) && whole(run))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((run) => ({ path: runPath(run.id), text: `${JSON.stringify(withoutCopies(run, recordings), null, 2)}\n` }));
  const leftOut = recordings === null ? unread.map(({ id, why }) => `the run ${id} of a composition: ${why}`) : [];
  return { files, leftOut };
}

/** The recording of a task that was broken off goes along where it is there. */
function withoutCopies(
  { half, ...run }: CompositionRun,
  recordings: ReadonlySet<string> | null = null,
): CompositionRun {
  const results = run.results.map(({ copies: _copies, ...result }) => ({ ...result, copy: null }));
  return { ...run, ...(half && recordings?.has(half.recording) !== false && { half }), results };
}

/** Reads what came in a folder, before anything of it is kept. Throws BAD_FILE, FUTURE_VERSION. */
export const readTravellingRuns = (folder: string, ids: readonly string[]): CompositionRun[] =>
  ids.map((id) => {
    const run = readKeptRun({ dir: folder }, id);
    if (run.id === id) return withoutCopies(run);
    throw new StudioError(
      'BAD_FILE',
      `The archive cannot be taken: its run of a composition ${id} says that it is ${run.id}. Nothing was kept.`,
      { run: id },
    );
  });

/**
 * Keeps them; one that is here already stays as it is here, and what differs is told. `tasks`: new ids of tasks whose own ids stand for
 * other tasks here.
 */
export function takeTravellingRuns(
  place: Place,
  runs: readonly CompositionRun[],
  tasks: ReadonlyMap<string, string>,
): string[] {
  return runs.flatMap((was): string[] => {
    const members = was.composition.members.map((member) => {
      return { ...member, task: member.task && (tasks.get(member.task) ?? member.task) };
    });
    const run = { ...was, composition: withTaskPlaces({ ...was.composition, members }, tasks) };
    try {
      if (!hasRun(place, run.id)) {
        keepRun(place, run);
        return [];
      }
      const isSame = isDeepStrictEqual(withoutCopies(readKeptRun(place, run.id)), run);
      return isSame
        ? []
        : [`the run ${run.id} of “${run.composition.id}” stays as it is here; the archive has another one`];
    } catch (error) {
      const { code, message } = errorBody(error);
      // A fault that passes is tried again by the next import of the same archive.
      if (isPassing(code) || code === 'INTERNAL') throw error;
      return [`the run ${run.id} of “${run.composition.id}”: ${message}`];
    }
  });
}
