import { join } from 'node:path';
import { ownContent } from '../../../core/compositions/own.ts';
import { withTaskPlaces } from '../../../core/compositions/places.ts';
import { append } from '../../../core/lists.ts';
import { plural } from '../../../core/words.ts';
import type { Composition } from '../../../schemas/composition.ts';
import type { VerificationEvent } from '../../../schemas/composition-verification.ts';
import { errorBody, isPassing, StudioError } from '../../../schemas/errors.ts';
import type { Traveller } from '../../../schemas/history.ts';
import { hasFile } from '../../files/inside.ts';
import type { Store } from '../../store/store.ts';
import type { Workspace } from '../../store/workspace.ts';
import { compositionOf, keepComposition, listCompositions, readCompositionFile } from './composition-files.ts';
import {
  addingAll,
  eventsIn,
  readVerification,
  VERIFICATION_FOLDER,
  verificationText,
  versionOfContent,
} from './verification-log.ts';

/** Compositions on their way to another workspace, with how people verified them. */

const COMPOSITIONS_FOLDER = 'compositions';
/** In an archive as in a workspace. */
export const compositionPath = (id: string): string => `${COMPOSITIONS_FOLDER}/${id}.json`;
export const verificationPath = (id: string): string => `${VERIFICATION_FOLDER}/${id}.jsonl`;

type Place = Pick<Workspace, 'dir'>;
type Travelling = { composition: Composition; events: readonly VerificationEvent[] };

/**
 * Those that an archive of these tasks holds: all whose every task is among them; null: all. One that cannot be read is left out,
 * with why.
 */
export function compositionsFor(
  place: Place,
  tasks: ReadonlySet<string> | null,
): { travelling: Travelling[]; leftOut: string[] } {
  const travelling: Travelling[] = [];
  const leftOut: string[] = [];
  for (const { id, composition, why } of listCompositions(place)) {
    if (composition && tasks !== null && !isOf(composition, tasks)) continue;
    if (!composition) {
      if (tasks === null) leftOut.push(`the composition “${id}”: ${why}`);
      continue;
    }
    try {
      travelling.push({ composition, events: readVerification(place, id) });
    } catch (error) {
      travelling.push({ composition, events: [] });
      leftOut.push(`the verification of “${id}”: ${errorBody(error).message}`);
    }
  }
  return { travelling, leftOut };
}

/** A file without a task of the library belongs to nothing that is known here. */
function isOf({ members }: Composition, tasks: ReadonlySet<string>): boolean {
  const named = members.flatMap(({ task }) => task ?? []);
  return named.length > 0 && named.every((task) => tasks.has(task));
}

/** The files of one, each with its place in an archive. The same composition gives the same bytes. */
export const travellingFiles = ({ composition, events }: Travelling): { path: string; text: string }[] => [
  { path: compositionPath(composition.id), text: `${JSON.stringify(composition, null, 2)}\n` },
  ...(events.length === 0
    ? []
    : [{ path: verificationPath(composition.id), text: verificationText(composition.id, events) }]),
];

/** Everybody who verified any of them, once. */
export const verifiersOf = (travelling: readonly Pick<Travelling, 'events'>[]): Traveller[] => [
  ...new Map(travelling.flatMap(({ events }) => events.map(({ person: id, name }) => [id, { id, name }]))).values(),
];

/** Reads what came in a folder, before anything of it is kept. Throws BAD_FILE, FUTURE_VERSION. */
export function readTravelling(folder: string, ids: readonly string[]): Travelling[] {
  return ids.map((id) => {
    const composition = readCompositionFile(join(folder, compositionPath(id)));
    if (composition.id !== id)
      throw new StudioError(
        'BAD_FILE',
        `The archive cannot be taken: its composition “${id}” says that it is “${composition.id}”. Nothing was kept.`,
        { composition: id },
      );
    const log = join(folder, VERIFICATION_FOLDER);
    return { composition, events: hasFile(log, `${id}.jsonl`) ? eventsIn(log, `${id}.jsonl`) : [] };
  });
}

/** Makes people of elsewhere those of this workspace, and gives what each is called here. Throws CONFLICT. */
type TakePeople = (store: Store, people: readonly Traveller[]) => Promise<(person: string) => string>;

type Here = {
  /** New ids of tasks whose own ids stand for other tasks here. */
  tasks: ReadonlyMap<string, string>;
  people: TakePeople;
};

/** Takes them; what is here already stays as it is, and what differs is told. Doing it again is as doing it once. */
export async function takeTravelling(
  workspace: Pick<Workspace, 'dir' | 'store'>,
  all: readonly Travelling[],
  { tasks, people }: Here,
): Promise<string[]> {
  const warnings: string[] = [];
  const others = new Set<string>();
  for (const { composition: was, events } of all) {
    const { id } = was;
    const members = was.members.map((member) => {
      return { ...member, task: member.task && (tasks.get(member.task) ?? member.task) };
    });
    const composition = ownContent(withTaskPlaces({ ...was, members }, tasks));
    try {
      const own = findHere(workspace, id);
      if (own && versionOfContent(own) !== versionOfContent(composition)) {
        const what = events.length > 0 ? 'another one, with its verification' : 'another one';
        others.add(id);
        warnings.push(`the composition “${id}” stays as it is here; the archive has ${what}`);
        continue;
      }
      if (!own) keepComposition(workspace, composition);
      append(warnings, await takeVerification(workspace, { composition, was, events, people }));
    } catch (error) {
      const { code, message } = errorBody(error);
      // A fault that passes is tried again by the next import of the same archive.
      if (isPassing(code) || code === 'INTERNAL') throw error;
      warnings.push(`the composition “${id}”: ${message}`);
    }
  }
  // By id an instance would be one of the template that is here, whose tasks it then shares a split with.
  for (const template of others) {
    const own = all.flatMap(({ composition: { id, origin } }) => (origin?.template === template ? [`“${id}”`] : []));
    if (own.length > 0)
      warnings.push(
        `${own.slice(0, 5).join(', ')} ${own.length === 1 ? 'is an instance' : 'are instances'} of the archive’s “${template}”, which is not the one here: import it into a workspace without that one to make more of them`,
      );
  }
  return warnings;
}

const findHere = (place: Place, id: string): Composition | null =>
  hasFile(join(place.dir, COMPOSITIONS_FOLDER), `${id}.json`) ? compositionOf(place, id) : null;

type Arriving = {
  /** As it is here, and as it was where it comes from: its tasks may be called otherwise. */
  composition: Composition;
  was: Composition;
  events: readonly VerificationEvent[];
  people: TakePeople;
};

/** Takes what people did, where it goes on after what is here. Gives in words what was not taken. Throws CONFLICT. */
export async function takeVerification(
  { dir, store }: Pick<Workspace, 'dir' | 'store'>,
  { composition, was, events, people }: Arriving,
): Promise<string[]> {
  if (events.length === 0) return [];
  const person = await store.transaction((trx) => people(trx, verifiersOf([{ events }])));
  const [then, now] = [versionOfContent(was), versionOfContent(composition)];
  const coming = events.map((event) => {
    return { ...event, person: person(event.person), of: event.of === then ? now : event.of };
  });
  const odd: string[] = [];
  await addingAll({ dir }, composition.id, (own) => {
    const isSame = own.every(({ id }, n) => coming[n] === undefined || coming[n].id === id);
    if (isSame) return coming.slice(own.length);
    const steps = plural(own.length, 'step');
    odd.push(
      `the verification of “${composition.id}” stays as it is here, with ${steps}: the one that came went on otherwise`,
    );
    return [];
  });
  return odd;
}
