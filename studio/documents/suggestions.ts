import { boxId, labelId } from '../../core/annotate/ids.ts';
import { isInPicture, type Pixel, pictureRect, stepPlace, toPicture } from '../../core/annotate/picture.ts';
import { elementProposal, lacksName } from '../../core/annotate/proposals/element.ts';
import { stepIndex } from '../../core/annotate/subtasks.ts';
import type { Change, Proposal } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { framePictures } from '../recordings/frames.ts';
import { textAt } from '../recordings/texts/read-texts.ts';
import { knownCrops, readFollowers, readVocabulary } from '../store/crops.ts';
import type { DocumentState } from '../store/documents.ts';
import type { Store } from '../store/store.ts';
import { beforePlace } from './check.ts';
import type { Context } from './contexts.ts';
import { learner } from './learner.ts';
import { mostPixels, pictureReader } from './pictures.ts';
import { growAt, propose } from './propose.ts';

type Frames = ReturnType<typeof framePictures>;

/** Names and boxes that are offered for a step: out of its picture, of the program's own words, and of what was named before. */
export class Suggestions {
  readonly #store: Store;
  readonly #frames: Frames;
  readonly #readPicture = pictureReader();
  readonly #lessons: ReturnType<typeof learner>;

  constructor(store: Store, frames: Frames) {
    this.#store = store;
    this.#frames = frames;
    this.#lessons = learner({ store, picture: (...step) => this.#pictureIfAny(...step) });
  }

  /** Learns of these changes, aside. */
  note(context: Context, state: DocumentState, changes: readonly Change[]): void {
    this.#lessons.note(context, state, changes);
  }

  /** Best first, at most 9. Throws UNKNOWN_STEP. */
  async proposals(context: Context, state: DocumentState, action: string): Promise<Proposal[]> {
    const { opened, owner } = context;
    const step = stepIn(context, action);
    // A name that was given a moment ago is to be offered now.
    await this.#lessons.settled();
    const store = this.#store;
    const software = context.entry.app;
    const image = await this.#pictureIfAny(context, state, action);
    const rect = pictureRect(opened.page, beforePlace(opened, state.records, action));
    const place = stepPlace(step.start);
    const point = rect && place && toPicture(place, rect);
    const last = lastName(context, state, action);
    const element = rect && opened.elementOf(step);
    return propose({
      picture: image && point && isInPicture(point, image) ? { image, point } : null,
      element: element ? elementProposal(element, rect) : null,
      text: lacksName(element) ? textAt(opened, action) : null,
      known: await knownCrops(store, software, { document: context.document, action, owner }),
      vocabulary: await readVocabulary(store, software, owner),
      followers: last === null ? [] : await readFollowers(store, software, last, owner),
      hasBox: state.records.has(boxId(action, 'target')),
    });
  }

  /** The box at a place of the step's picture. Throws USAGE outside of it, RECORDING_DAMAGED without it. */
  async grow(context: Context, state: DocumentState, action: string, point: Pixel): Promise<Proposal | null> {
    const { document, owner } = context;
    const image = await this.#picture(context, state, action);
    if (image === null) return null;
    checkInside(point, image);
    await this.#lessons.settled();
    return growAt(image, point, await knownCrops(this.#store, context.entry.app, { document, action, owner }));
  }

  close(): Promise<void> {
    return this.#lessons.close();
  }

  /** The picture that a step's box is drawn in; null where no frame was recorded before it. */
  async #picture({ entry, opened }: Context, { records }: DocumentState, action: string): Promise<RgbImage | null> {
    const place = beforePlace(opened, records, action);
    if (place < 0) return null;
    return this.#readPicture(await this.#frames.get(entry.folder, opened, place), mostPixels(opened.meta.segments));
  }

  /** The same; null too when its video is gone. */
  async #pictureIfAny(context: Context, state: DocumentState, action: string): Promise<RgbImage | null> {
    try {
      return await this.#picture(context, state, action);
    } catch (error) {
      if (error instanceof StudioError) return null;
      throw error;
    }
  }
}

/** Throws UNKNOWN_STEP. */
export function stepIn({ opened, id }: Context, action: string): Step {
  const step = opened.page.steps[stepIndex(opened.page.steps).get(action) ?? -1];
  if (step) return step;
  throw new StudioError('UNKNOWN_STEP', `Recording ${id} has no step "${action}".`, { recording: id, step: action });
}

/** The name of the nearest earlier step that has one: what comes next often comes after it. */
function lastName({ opened }: Context, { records }: DocumentState, action: string): string | null {
  const { steps } = opened.page;
  const label = records.get(labelId(steps[(stepIndex(steps).get(action) ?? 0) - 1]?.id ?? ''));
  return label?.kind === 'label' ? label.element : null;
}

function checkInside(point: Pixel, image: RgbImage): void {
  if (isInPicture(point, image)) return;
  throw new StudioError(
    'USAGE',
    `(${point.x}, ${point.y}) lies outside of the step's picture of ${image.width} x ${image.height}.`,
    { point, picture: { width: image.width, height: image.height } },
  );
}
