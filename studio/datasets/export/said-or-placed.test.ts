import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FORMATS } from '../../../core/export/formats.ts';
import type { DragWords, ExportAction, ExportTask } from '../../../core/export/model.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { collectedSample, exportTasks } from './export-for-tests.ts';
import { requestOf } from './formats.ts';

/**
 * Each kind of words that a person can add to a step, one at a time: the export's files hold them, or the export reports that it
 * has no place for them.
 */

const folders = temporaryFolders();
let sample: ExportTask;
beforeAll(async () => {
  [sample] = (await collectedSample(folders.make())) as [ExportTask];
});
afterAll(() => folders.clean());

/** Nothing else says this, and none of the files. */
const MARK = 'Zanzibar';
type Words = Pick<ExportAction, 'thought' | 'actionThought' | 'observation'>;
const SAID: {
  what: keyof Words | keyof DragWords;
  words?: Partial<Words>;
  drag?: Partial<DragWords>;
  mark?: string;
}[] = [
  { what: 'thought', words: { thought: MARK } },
  { what: 'actionThought', words: { actionThought: MARK } },
  { what: 'observation', words: { observation: MARK } },
  { what: 'startName', drag: { startName: MARK } },
  { what: 'endName', drag: { endName: MARK } },
  { what: 'purpose', drag: { purpose: MARK } },
  { what: 'kind', drag: { kind: 'resizing' }, mark: '"resizing"' },
];
const NO_WORDS: Words = { thought: null, actionThought: null, observation: null };
const NO_DRAG: DragWords = { startName: null, endName: null, purpose: null, kind: null, endBox: null };

/** The sample, in which its drag alone says this and nothing more; it has the box that some formats ask for. */
function taskThatSays({ words, drag }: (typeof SAID)[number]): ExportTask {
  const task = structuredClone(sample);
  const steps = task.subtasks.flatMap(({ actions }) => actions);
  for (const step of steps) Object.assign(step, NO_WORDS, { drag: null });
  const dragged = steps.find(({ action }) => action.kind === 'drag')!; // There is one in the sample.
  const [x, y] = dragged.positions!.start;
  const element = { name: 'Canvas', box: { x: x - 2, y: y - 2, width: 5, height: 5 } };
  Object.assign(dragged, words, { element }, drag && { drag: { ...NO_DRAG, ...drag } });
  return task;
}

/** Everything that an export says of its steps: its files of lines, of JSON and of tables. */
async function saidIn(folder: string): Promise<string> {
  const texts: string[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (name.endsWith('.parquet')) {
      const rows = await parquetReadObjects({ file: Uint8Array.from(readFileSync(path)).buffer });
      // JSON in a cell is said as it stands there.
      const text = JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? Number(value) : value));
      texts.push(text.replaceAll('\\"', '"'));
    } else if (/\.(?:jsonl?|tar)$/.test(name) && !name.endsWith('manifest.json'))
      texts.push(readFileSync(path, 'utf8'));
  }
  return texts.join('\n');
}

const REQUESTS = FORMATS.flatMap(({ name, parts }) => {
  const names = parts.map((part) => part.name);
  return [names, ...names.map((one) => [one])].map((chosen) => ({ name, chosen, called: chosen.join(' ') }));
});

test.each(REQUESTS)(
  '$name $called',
  async ({ name, chosen }) => {
    for (const one of SAID) {
      const out = join(folders.make(), 'out');
      const request = requestOf(name, chosen.length > 0 ? { parts: chosen } : {});
      const { leftOut } = await exportTasks([taskThatSays(one)], out, request, {
        toolVersion: '0',
        filters: { all: true },
      });
      const isThere = (await saidIn(out)).includes(one.mark ?? MARK);
      const told = leftOut.some(({ reason }) =>
        /^no place for (what was said|the (thought|observation|name))/.test(reason),
      );
      expect({ ...one, isThere, told }).toMatchObject(isThere ? {} : { told: true });
      // An export of several parts may hold it in one and report it for another.
      if (chosen.length < 2) expect({ ...one, isThere, told }).toMatchObject({ told: !isThere });
    }
  },
  60_000,
);
