import { missingWords } from '../../../core/annotate/missing.ts';
import { familyLeakWords } from '../../../core/curate/leaks.ts';
import { plural } from '../../../core/words.ts';
import type {
  DataRow,
  DatasetStatistics,
  DatasetVersion,
  Distribution,
  Duplicates,
  Leak,
  VersionComparison,
} from '../../../schemas/dataset.ts';
import { textTable } from '../table.ts';

/** The data set in words, for terminals. */

export function rowsText(rows: readonly DataRow[]): string {
  if (rows.length === 0) return 'No matching recordings.';
  const percent = (share: number | null): string => (share === null ? '' : String(Math.round(share * 100)));
  const head = [
    ...['RECORDING', 'TASK', 'APP', 'STATE', 'PROOF', 'STEPS', 'SECONDS', 'BOXES %'],
    ...['MISSING', 'SPLIT', 'TAGS', 'GOAL'],
  ];
  const lines = rows.map((row) => [
    row.recording,
    row.task,
    row.software,
    row.state,
    row.proof === 'untried' ? '' : row.proof,
    String(row.steps ?? ''),
    row.seconds === null ? '' : row.seconds.toFixed(0),
    percent(row.boxes),
    row.missing === null ? '' : missingWords(row.missing),
    row.split ?? '',
    row.tags.join(','),
    row.goal.length > 60 ? `${row.goal.slice(0, 59)}…` : row.goal,
  ]);
  return `${textTable([head, ...lines], [5, 6, 7])}\n${plural(rows.length, 'recording')}.`;
}

export function duplicatesText({ goals, screens, skipped }: Duplicates): string {
  const mark = ({ dismissed }: { dismissed: boolean }): string => (dismissed ? ' (dismissed)' : '');
  const lines = [
    ...goals.flatMap((group) => [
      `tasks ${group.id}${mark(group)}: keep ${group.members[0]?.task}`,
      ...group.members.map(({ task, goal, similarity }) => `  ${task} ${similarity.toFixed(2)} ${goal}`),
    ]),
    ...screens.map(
      (group) =>
        `screens ${group.id}${mark(group)}: ${group.members.length} in ${plural(group.tasks, 'task')}${group.exact ? ', equal' : ''}: ${[...new Set(group.members.map(({ task }) => task))].join(', ')}`,
    ),
    ...skipped.map(({ recording, reason }) => `not looked at: ${recording}: ${reason}`),
    `${plural(goals.length, 'group')} of tasks, ${screens.length} of screens.`,
  ];
  return lines.join('\n');
}

type Versions = { versions: readonly DatasetVersion[]; unreadable: readonly { name: string; message: string }[] };

export function versionsText({ versions, unreadable }: Versions): string {
  const lines = [
    ...versions.map(
      ({ name, createdAt, counts, hash, changelog }) =>
        `${name}  ${createdAt.slice(0, 10)}  ${plural(counts.tasks, 'task')}, ${plural(counts.recordings, 'recording')}, ${plural(counts.actions, 'action')}  ${hash.slice(0, 12)}${changelog ? `\n  ${changelog.replaceAll('\n', '\n  ')}` : ''}`,
    ),
    ...unreadable.map(({ name, message }) => `${name} cannot be read: ${message}`),
  ];
  return lines.join('\n') || 'No versions yet.';
}

export function leakLine(leak: Leak): string {
  if (leak.kind === 'task') return `task ${leak.task} stands in ${leak.splits.join(', ')}`;
  if (leak.kind === 'family') return familyLeakWords(leak);
  const between = `(${leak.splits.join(' | ')})`;
  if (leak.kind === 'goal') {
    return `goals ${leak.tasks.join(' ~ ')} ${between} ${leak.similarity.toFixed(2)}: ${leak.goals.join(' | ')}`;
  }
  const [a, b] = leak.screens;
  return `screens ${a.task} ~ ${b.task} ${between}: ${leak.pairs} alike, the nearest by ${plural(leak.distance, 'bit')} (${a.action}, ${b.action})`;
}

export function comparisonText({ from, to, equal, tasks, recordings }: VersionComparison): string {
  if (equal) return `${from} and ${to} hold the same.`;
  const steps = (changed: VersionComparison['recordings']['changed'][number]): string[] =>
    changed.steps.map(({ action, kind, what }) => `    ${kind} ${action} ${what.map(({ field }) => field).join(', ')}`);
  return [
    `tasks: ${tasks.added.length} added, ${tasks.removed.length} removed, ${tasks.changed.length} changed`,
    ...tasks.added.map((task) => `  + ${task}`),
    ...tasks.removed.map((task) => `  - ${task}`),
    `recordings: ${recordings.added.length} added, ${recordings.removed.length} removed, ${recordings.changed.length} changed`,
    ...recordings.added.map(({ recording, task }) => `  + ${recording} (${task})`),
    ...recordings.removed.map(({ recording, task }) => `  - ${recording} (${task})`),
    ...recordings.changed.flatMap((changed) => [
      `  ~ ${changed.recording} (${changed.task}) ${changed.what.map(({ field }) => field).join(', ')}`,
      ...steps(changed),
    ]),
  ].join('\n');
}

export function statisticsText(statistics: DatasetStatistics): string {
  const { tasks, recordings, subtasks, actions, seconds, uncounted, software, kinds, resolutions } = statistics;
  const share = (value: number): string => (value * 100).toFixed(1);
  return [
    `${plural(tasks, 'task')}, ${plural(recordings, 'recording')}, ${plural(subtasks, 'subtask')}, ${plural(actions, 'action')}, ${(seconds / 60).toFixed(1)} min.`,
    ...(uncounted > 0 ? [`${plural(uncounted, 'recording')} could not be counted.`] : []),
    '',
    textTable(
      [
        ['SOFTWARE', 'TASKS', 'SUBTASKS', 'ACTIONS', 'PER TASK', 'PER SUBTASK'],
        ...software.map((one) => [
          one.name,
          String(one.tasks),
          String(one.subtasks),
          String(one.actions),
          one.actionsPerTask.toFixed(1),
          one.actionsPerSubtask.toFixed(1),
        ]),
      ],
      [1, 2, 3, 4, 5],
    ),
    '',
    textTable(
      [
        ['ACTION', '#', '%'],
        ...kinds.map((kind) => [kind.name, String(kind.count), share(kind.share)]),
        ['RESOLUTION', '#', '%'],
        ...resolutions.map((one) => [one.name, String(one.count), share(one.share)]),
      ],
      [1, 2],
    ),
    '',
    textTable(
      [
        ['', 'N', 'MIN', 'MEDIAN', 'MEAN', 'MAX'],
        spreadRow('actions a task', statistics.actionsPerTask),
        spreadRow('actions a subtask', statistics.actionsPerSubtask),
        spreadRow('seconds a task', statistics.secondsPerTask),
        spreadRow('seconds a subtask', statistics.secondsPerSubtask),
        spreadRow('words of a goal', statistics.words.goals),
        spreadRow('words of a subtask', statistics.words.subtasks),
        spreadRow('words of a narration', statistics.words.narrations),
      ],
      [1, 2, 3, 4, 5],
    ),
  ].join('\n');
}

function spreadRow(name: string, { spread }: Distribution): string[] {
  if (!spread) return [name, '0', '', '', '', ''];
  const { n, min, median, mean, max } = spread;
  return [name, String(n), ...[min, median, mean, max].map((value) => value.toFixed(1))];
}
