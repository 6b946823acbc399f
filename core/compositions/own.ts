import type { Composition } from '../../schemas/composition.ts';
import {
  COMPOSITION_VERSION,
  VERSION_WITH_EVENTS,
  VERSION_WITH_TAKEN_FILES,
  VERSION_WITH_TEMPLATES,
  VERSION_WITH_VERIFICATION,
  VERSION_WITHOUT_EVENTS,
} from '../../schemas/composition-terms.ts';

type OwnContent = Omit<Composition, 'tasks' | 'verification' | 'version'> & {
  version: Exclude<Composition['version'], typeof VERSION_WITH_VERIFICATION>;
};

/** The composition itself, as its workspace keeps it: without the tasks and the verification that an exported file carries. */
export function ownContent({ tasks: _tasks, verification, version, ...composition }: Composition): OwnContent {
  const older = verification?.version ?? (version === VERSION_WITH_VERIFICATION ? VERSION_WITH_EVENTS : version);
  // In the order in which a file has it.
  const { schema, ...rest } = composition;
  return { schema, version: ownVersion(composition, older), ...rest };
}

/**
 * 6, 5 and 4 exactly where older programs could not read it, so that one without folders or files that go over, whose values vary
 * no more, or without stages, is read by them again.
 */
function ownVersion(
  { context, origin, members, stages, events }: Omit<Composition, 'tasks' | 'verification' | 'version'>,
  version: OwnContent['version'],
): OwnContent['version'] {
  const taken = members.flatMap(({ takes }) => takes ?? []);
  if (taken.some(({ folder }) => folder !== undefined)) return COMPOSITION_VERSION;
  if (taken.length > 0) return VERSION_WITH_TAKEN_FILES;
  if (origin !== undefined || context.given.some(({ varies }) => varies !== undefined)) return VERSION_WITH_TEMPLATES;
  const isNaming = [...members, ...(events ?? [])].some(({ stage }) => stage !== undefined);
  if (stages !== undefined || isNaming) return VERSION_WITH_TEMPLATES;
  if (version === VERSION_WITHOUT_EVENTS || version === VERSION_WITH_EVENTS) return version;
  return events === undefined ? VERSION_WITHOUT_EVENTS : VERSION_WITH_EVENTS;
}
