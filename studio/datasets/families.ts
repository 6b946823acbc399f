import { connected } from '../../core/curate/groups.ts';
import { listCompositions } from '../documents/joined/composition-files.ts';
import type { Workspace } from '../store/workspace.ts';

/**
 * Tasks that never lie in two splits: those of a template and of all its instances (docs/compositions.md, "Templates"), as long as
 * their compositions are here. Two templates that share a task are one family.
 */
export function taskFamilies({ dir }: Pick<Workspace, 'dir'>): string[][] {
  const read = listCompositions({ dir }).flatMap(({ composition }) => composition ?? []);
  const templates = new Set(read.flatMap(({ origin }) => origin?.template ?? []));
  const ofTemplate = Map.groupBy(
    read.filter(({ id, origin }) => origin !== undefined || templates.has(id)),
    ({ id, origin }) => origin?.template ?? id,
  );
  return connected(
    [...ofTemplate.values()].map((all) => all.flatMap(({ members }) => members.flatMap(({ task }) => task ?? []))),
  );
}
