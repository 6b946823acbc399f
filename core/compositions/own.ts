import type { Composition } from '../../schemas/composition.ts';
import { COMPOSITION_VERSION, VERSION_WITH_EVENTS } from '../../schemas/composition-terms.ts';

type OwnContent = Omit<Composition, 'tasks' | 'verification' | 'version'> & {
  version: Exclude<Composition['version'], typeof COMPOSITION_VERSION>;
};

/** The composition itself, as its workspace keeps it: without the tasks and the verification that an exported file carries. */
export function ownContent({ tasks: _tasks, verification, version, ...composition }: Composition): OwnContent {
  const own = verification?.version ?? (version === COMPOSITION_VERSION ? VERSION_WITH_EVENTS : version);
  // In the order in which a file has it.
  const { schema, ...rest } = composition;
  return { schema, version: own, ...rest };
}
