import { lstatSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { firstSubtaskId, GOAL_ID, labelId } from '../../../core/annotate/ids.ts';
import { emptyLabel } from '../../../core/annotate/label.ts';
import { type CodexRecording, codexSteps } from '../../../core/import/codex.ts';
import { plural } from '../../../core/words.ts';
import { ANNOTATION_VERSION, type AnnotationRecord } from '../../../schemas/annotation.ts';
import type { RawEvent } from '../../../schemas/events.ts';
import { type CodexEvent, codexEventSchema, codexSessionSchema } from '../../../schemas/import.ts';
import { TEXT_LIMITS as WORDS } from '../../../schemas/limits.ts';
import { EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE, writeRecording } from '../../store/recording-folder.ts';
import type { Workspace } from '../../store/workspace.ts';
import { ANNOTATION_FILE } from '../annotation-file.ts';
import { firstActionsOf } from '../atif/time-line.ts';
import type { Building, Imported, ImportOptions } from '../land.ts';
import { readBoundedJson, readBoundedLines } from '../lines.ts';
import { writeLines } from '../video/import-video.ts';
import { displayOf, type ImportWishes, importedId, isoOf, landForeign, type Placed, recordingOf } from '../wishes.ts';

const [SESSION, EVENTS] = ['session.json', 'events.jsonl'];

/** A folder of Codex Record & Replay, by its two files. */
export const isCodexFolder = (folder: string): boolean =>
  [SESSION, EVENTS].every((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true);

/**
 * Takes a recording of Codex Record & Replay: what was typed as input, clicks, drags and choices as steps with their words. It has
 * no pictures and no places, which is said. Throws as landRecording.
 */
export function importCodex(
  workspace: Workspace,
  source: string,
  options: ImportOptions & ImportWishes,
): Promise<Imported> {
  return landForeign(workspace, source, options, async (building, place) => {
    const { limits, signal, report } = building;
    const session = readBoundedJson(join(source, SESSION), codexSessionSchema, limits);
    const lines: CodexEvent[] = [];
    const { torn } = await readBoundedLines(
      join(source, EVENTS),
      codexEventSchema,
      limits,
      signal,
      // Trees of accessibility are long: that there was one is enough.
      (line) => lines.push({ ...line, ax: line.ax == null ? null : true }),
      (share) => report(0.8 * share, 'reading events'),
    );
    const codex = codexSteps(lines, 1);
    const guessed: string[] = [];
    const placed = await place({ app: mostInFront(codex) }, guessed);
    write(source, session.startedAt, building, { codex, placed, wishes: options, guessed, torn });
  });
}

type Writing = { codex: CodexRecording; placed: Placed; wishes: ImportWishes; guessed: string[]; torn: boolean };

function write(
  source: string,
  startedAt: string,
  { folder }: Building,
  { codex, placed, wishes, guessed, torn }: Writing,
): void {
  // Nothing tells of a screen.
  const display = { width: 1, height: 1, scale: 1 };
  const head: RawEvent[] = [{ type: 'displays', t: 0, displays: [displayOf(display)] }];
  const at = isoOf(new Date(startedAt));
  const id = importedId(at, [join(source, SESSION), join(source, EVENTS)]);
  const { events, steps, windows } = codex;
  writeLines(join(folder, EVENTS_FILE), [...head, ...events]);
  writeLines(join(folder, FRAMES_FILE), []);
  if (windows.length > 0)
    writeLines(
      join(folder, WINDOWS_FILE),
      windows.map((window) => ({ ...window, pid: 0, id: '', bounds: null })),
    );
  const actions = firstActionsOf(id, head, { events, spans: steps });
  writeFileSync(join(folder, ANNOTATION_FILE), annotationOf(id, codex, actions, placed.task.goal));
  const lost = [
    'where clicks and drags were: it tells elements, and no places',
    ...(codex.trees > 0 ? [plural(codex.trees, 'accessibility tree')] : []),
    ...[...codex.others].map(([kind, count]) => plural(count, `event of "${kind}"`, `events of "${kind}"`)),
    ...(torn ? [`the last line of ${EVENTS}, which was cut off`] : []),
  ];
  guessed.push('what was selected in a list: that a person chose it', 'how long each step took');
  writeRecording(
    folder,
    recordingOf({
      id,
      origin: { source: 'codex', name: basename(source).slice(0, 300), lost, guessed },
      placed,
      wishes,
      // Its roles are those of a Mac.
      os: { platform: 'darwin', release: '', arch: '', session: 'import' },
      startedAt: at,
      span: { start: 0, end: Math.max(1, codex.end) },
      display,
      fps: 5,
      encoder: 'none',
      cursor: false,
      lossless: false,
      segments: [],
      frames: 0,
      events: events.filter(({ type }) => type !== 'step').length,
      sync: null,
      missing: [],
    }),
  );
}

function annotationOf(
  recording: string,
  { steps }: CodexRecording,
  actions: readonly (string | null)[],
  goal: string,
): string {
  const records: AnnotationRecord[] = [{ kind: 'goal', id: GOAL_ID, text: goal.slice(0, WORDS.text) }];
  const first = actions.find((action) => action !== null);
  if (first) records.push({ kind: 'subtask', id: firstSubtaskId(first), first, title: '' });
  for (const [at, { words, element }] of steps.entries()) {
    const action = actions[at];
    if (!action || (words === null && element === null)) continue;
    records.push({
      ...emptyLabel(action),
      id: labelId(action),
      narration: words?.slice(0, WORDS.text) ?? null,
      ...(element !== null && { element: element.slice(0, WORDS.name), elementSource: 'import' as const }),
    });
  }
  const file = { schema: 'trajectory-studio/annotation', version: ANNOTATION_VERSION, recording, records };
  return `${JSON.stringify(file, null, 1)}\n`;
}

function mostInFront({ windows, end }: CodexRecording): string | undefined {
  const times = new Map<string, number>();
  for (const [at, { t, app }] of windows.entries())
    times.set(app, (times.get(app) ?? 0) + ((windows[at + 1]?.t ?? end) - t));
  return [...times].sort((a, b) => b[1] - a[1])[0]?.[0].slice(0, 100) || undefined;
}
