import type { RecordOf } from '../../schemas/annotation.ts';
import type { OpenedRecording, Step } from '../../schemas/api/models.ts';
import type { Records } from './document.ts';
import { type Language, narrate, stepAction } from './narration.ts';
import { framePlace, pictureRect } from './picture.ts';
import { NO_RECORDS, type StepRecords } from './step-records.ts';
import { subtaskSpans } from './subtasks.ts';

type StepState = 'open' | 'done' | 'flagged' | 'removed';

/** A step with everything that is said of it. The same object again while nothing of it changed. */
export type StepView = {
  step: Step;
  /** From 1 within its subtask; null when removed. Removed steps keep their place, so ranks after them do not change (N5). */
  rank: number | null;
  /** Its subtask's place in `subtasks`; -1 when the document has none. */
  subtask: number;
  label: RecordOf<'label'> | null;
  target: RecordOf<'box'> | null;
  /** The box at a drag's end. */
  end: RecordOf<'box'> | null;
  removal: RecordOf<'removal'> | null;
  reasoning: RecordOf<'reasoning'> | null;
  /** The text that goes out: overwritten, or made. */
  narration: string;
  /** The text as made from the fields (pattern 5). */
  narrationMade: string;
  overwritten: boolean;
  state: StepState;
  /** Places in the recording's `frames`, with moved keyframes; -1 when there is none. */
  before: number;
  after: number;
};

export type SubtaskView = {
  record: RecordOf<'subtask'>;
  /** Step indices, `to` exclusive. */
  from: number;
  to: number;
  title: string;
  /** Kept steps, and those of them that are done. */
  kept: number;
  done: number;
};

export type DocumentView = {
  steps: StepView[];
  subtasks: SubtaskView[];
  goal: string;
  /** Kept steps that are not done (open or flagged), and those that are. */
  left: number;
  done: number;
};

type ViewOptions = {
  /** The language of narrations; default `en`. */
  language?: Language;
  /** The recording's own: for positions in narrations, and to find moved keyframes when frames were lost. */
  frames?: OpenedRecording['frames'];
  views?: OpenedRecording['views'];
};

/** The last view of each step. A view depends on what is compared in `isOf` alone, so the result is a pure function's. */
const made = new WeakMap<Step, Viewed>();

/**
 * The view of a document, as a page shows it and an export takes it. A pure function: the same steps, records and options
 * give an equal view, and unchanged steps the same object. 10,000 steps take a few ms after the first time.
 */
export function viewDocument(steps: readonly Step[], records: Records, options: ViewOptions = {}): DocumentView {
  const said = saidByAction(records);
  const spans = subtaskSpans(steps, records);
  const views: StepView[] = new Array(steps.length);
  const subtasks: SubtaskView[] = [];
  const parts = spans.length > 0 ? spans : [{ record: null, from: 0, to: steps.length }];
  for (const [place, { record, from, to }] of parts.entries()) {
    let kept = 0;
    let done = 0;
    for (let at = from; at < to; at++) {
      const step = steps[at]!;
      const view = viewStep(step, said.get(step.id) ?? NO_RECORDS, record ? place : -1, at - from + 1, options);
      if (view.removal === null) kept++;
      if (view.state === 'done') done++;
      views[at] = view;
    }
    if (record) subtasks.push({ record, from, to, title: record.title, kept, done });
  }
  const done = views.reduce((sum, { state }) => sum + (state === 'done' ? 1 : 0), 0);
  const kept = views.reduce((sum, { removal }) => sum + (removal === null ? 1 : 0), 0);
  const goal = records.get('goal');
  return { steps: views, subtasks, goal: goal?.kind === 'goal' ? goal.text : '', left: kept - done, done };
}

function saidByAction(records: Records): Map<string, StepRecords> {
  const byAction = new Map<string, StepRecords>();
  for (const record of records.values()) {
    if (record.kind === 'subtask' || record.kind === 'goal' || record.kind === 'step') continue;
    let said = byAction.get(record.action);
    if (!said) {
      said = { ...NO_RECORDS };
      byAction.set(record.action, said);
    }
    if (record.kind === 'label') said.label = record;
    else if (record.kind === 'removal') said.removal = record;
    else if (record.kind === 'reasoning') said.reasoning = record;
    else if (record.kind === 'box') said[record.role] = record;
    else said[record.role] = record;
  }
  return byAction;
}

function viewStep(step: Step, said: StepRecords, subtask: number, place: number, options: ViewOptions): StepView {
  const rank = said.removal ? null : place;
  const last = made.get(step);
  if (last?.isOf(said, subtask, rank, options)) return last;
  const view = new Viewed(step, said, subtask, rank, options, last);
  made.set(step, view);
  return view;
}

/** A view that makes its sentence when somebody looks: a list shows some dozens of ten thousand steps. */
class Viewed implements StepView {
  readonly step: Step;
  readonly subtask: number;
  readonly rank: number | null;
  readonly label: StepView['label'];
  readonly target: StepView['target'];
  readonly end: StepView['end'];
  readonly removal: StepView['removal'];
  readonly reasoning: StepView['reasoning'];
  readonly overwritten: boolean;
  readonly state: StepState;
  readonly before: number;
  readonly after: number;
  readonly #said: StepRecords;
  readonly #options: ViewOptions;
  #sentence: string | null;

  constructor(
    step: Step,
    said: StepRecords,
    subtask: number,
    rank: number | null,
    options: ViewOptions,
    last: Viewed | undefined,
  ) {
    this.step = step;
    this.subtask = subtask;
    this.rank = rank;
    this.label = said.label;
    this.target = said.target;
    this.end = said.end;
    this.removal = said.removal;
    this.reasoning = said.reasoning;
    this.overwritten = said.label?.narration != null;
    this.state = stateOf(said);
    this.before = placeOf(said.before, step.before, options);
    this.after = placeOf(said.after, step.after, options);
    this.#said = said;
    this.#options = options;
    const same = last?.label === this.label && last.before === this.before && sameOptions(last.#options, options);
    this.#sentence = same ? last.#sentence : null;
  }

  get narration(): string {
    return this.label?.narration ?? this.narrationMade;
  }

  get narrationMade(): string {
    this.#sentence ??= narrationOf(this.step, this.label, this.before, this.#options);
    return this.#sentence;
  }

  /** Whether it is still what there is to say. */
  isOf(now: StepRecords, subtask: number, rank: number | null, options: ViewOptions): boolean {
    const said = this.#said;
    return (
      this.subtask === subtask &&
      this.rank === rank &&
      said.label === now.label &&
      said.target === now.target &&
      said.end === now.end &&
      said.removal === now.removal &&
      said.reasoning === now.reasoning &&
      said.before === now.before &&
      said.after === now.after &&
      sameOptions(this.#options, options)
    );
  }
}

function sameOptions(a: ViewOptions, b: ViewOptions): boolean {
  return (a.language ?? 'en') === (b.language ?? 'en') && a.frames === b.frames && a.views === b.views;
}

/** The sentence that the fields make; a corrected text is what was typed. */
function narrationOf(step: Step, label: StepRecords['label'], before: number, options: ViewOptions): string {
  const { language, frames, views } = options;
  const rect = frames && views ? pictureRect({ frames, views }, before) : null;
  const action = stepAction(step);
  return narrate(label?.text == null ? action : { ...action, text: label.text }, narrationFields(label), {
    ...(language && { language }),
    ...(rect && { origin: rect }),
  });
}

/** The parts of a label that go into the sentence. */
export function narrationFields(label: RecordOf<'label'> | null) {
  const { element = null, startName = null, endName = null, purpose = null } = label ?? {};
  return { element, start: startName, end: endName, purpose };
}

function stateOf({ removal, label }: StepRecords): StepState {
  if (removal) return 'removed';
  if (label?.flagged) return 'flagged';
  return label?.confirmed ? 'done' : 'open';
}

/** Where a moved keyframe's frame lies; one that is not among the frames leaves the chosen one. */
function placeOf(moved: RecordOf<'keyframe'> | null, chosen: number, { frames }: ViewOptions): number {
  if (!moved) return chosen;
  const place = frames ? framePlace(frames, moved.frame) : moved.frame;
  return place < 0 ? chosen : place;
}
