import type { AnnotationRecord } from '../../schemas/annotation.ts';
import type { SnapshotRecording, StepChange, VersionComparison } from '../../schemas/dataset.ts';
import { append } from '../lists.ts';
import { canonicalJson } from './canonical.ts';

type Changed = VersionComparison['recordings']['changed'][number];
type FieldChange = { field: string; from: unknown; to: unknown };

/** The parts of a recording that are compared as a whole. */
const FIELDS = [
  'task',
  'app',
  'goal',
  'recordedGoal',
  'state',
  'verdict',
  'proof',
  'split',
  'tags',
  'person',
  'agreement',
  'brief',
] as const satisfies readonly (keyof SnapshotRecording)[];

/** The differences of a recording between two versions; null when there are none. */
export function compareRecordings(before: SnapshotRecording, after: SnapshotRecording): Changed | null {
  const what: FieldChange[] = FIELDS.flatMap((field) => changeOf(field, before[field], after[field]));
  append(what, filesChange(before, after));
  append(what, framing(before, after));
  const steps = stepChanges(before, after);
  return what.length + steps.length === 0 ? null : { recording: after.id, task: after.task, what, steps };
}

function changeOf(field: string, from: unknown, to: unknown): FieldChange[] {
  return canonicalJson(from ?? null) === canonicalJson(to ?? null) ? [] : [{ field, from, to }];
}

/** Names of files that are new, gone or other. */
function filesChange(before: SnapshotRecording, after: SnapshotRecording): FieldChange[] {
  const [old, now] = [before, after].map(({ files }) => new Map(files.map((file) => [file.path, file.sha256])));
  const differing = (own: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
    [...own].filter(([path, hash]) => other.get(path) !== hash).map(([path]) => path);
  const [from, to] = [differing(old!, now!), differing(now!, old!)];
  return from.length + to.length === 0 ? [] : [{ field: 'files', from, to }];
}

/** The annotated goal and the subtasks. */
function framing(before: SnapshotRecording, after: SnapshotRecording): FieldChange[] {
  // A document that nobody has begun has no goal yet; it begins with the recorded one.
  const goalIn = ({ records, recordedGoal }: SnapshotRecording): unknown =>
    records.flatMap((record) => (record.kind === 'goal' ? [record.text] : []))[0] || recordedGoal;
  const subtasksIn = (records: readonly AnnotationRecord[]): unknown =>
    records.flatMap((record) => (record.kind === 'subtask' ? [{ first: record.first, title: record.title }] : []));
  return [
    ...changeOf('annotatedGoal', goalIn(before), goalIn(after)),
    ...changeOf('subtasks', subtasksIn(before.records), subtasksIn(after.records)),
  ];
}

function stepChanges(before: SnapshotRecording, after: SnapshotRecording): StepChange[] {
  const [old, now] = [stepsOf(before), stepsOf(after)];
  const changes: StepChange[] = [];
  for (const [action, fields] of old) {
    const other = now.get(action);
    if (!other) {
      changes.push({ action, kind: 'removed', what: [] });
      continue;
    }
    const names = [...new Set([...fields.keys(), ...other.keys()])].sort();
    const what = names.flatMap((field) => changeOf(field, fields.get(field) ?? null, other.get(field) ?? null));
    if (what.length > 0) changes.push({ action, kind: 'changed', what });
  }
  for (const action of now.keys()) if (!old.has(action)) changes.push({ action, kind: 'added', what: [] });
  return changes;
}

/** Each action's fields by name, with everything that is said of it. */
function stepsOf({ actions, keyframes, records, judged }: SnapshotRecording): Map<string, Map<string, unknown>> {
  const steps = new Map<string, Map<string, unknown>>(
    actions.map((action) => [action.id, new Map<string, unknown>([['action', action]])]),
  );
  for (const { action, role, t } of keyframes) steps.get(action)?.set(`keyframe.${role}`, t);
  for (const [action, said] of Object.entries(judged ?? {})) steps.get(action)?.set('judgement', said);
  for (const record of records) {
    if (!('action' in record)) continue;
    const fields = steps.get(record.action);
    if (!fields) continue;
    const { kind, id: _id, action: _action, ...said } = record;
    if (kind === 'label') for (const [name, value] of Object.entries(said)) fields.set(`label.${name}`, value);
    else if ('role' in said) fields.set(`${kind}.${said.role}`, said);
    else fields.set(kind, said);
  }
  return steps;
}

/** Sums up what a comparison found by task. */
export function compareTasks(
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
  recordings: VersionComparison['recordings'],
): VersionComparison['tasks'] {
  const touched = new Set([...recordings.added, ...recordings.removed, ...recordings.changed].map(({ task }) => task));
  return {
    added: [...after].filter((task) => !before.has(task)).sort(),
    removed: [...before].filter((task) => !after.has(task)).sort(),
    changed: [...touched].filter((task) => before.has(task) && after.has(task)).sort(),
  };
}
