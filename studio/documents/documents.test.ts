import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toRecords } from '../../core/annotate/document.ts';
import {
  confirm,
  flag,
  mergeSubtask,
  moveEdge,
  moveKeyframe,
  nameElement,
  removeSteps,
  setBox,
  setTitle,
  splitSubtask,
} from '../../core/annotate/edit.ts';
import type { Change, Transaction } from '../../schemas/annotation.ts';
import { TEXT_LIMITS } from '../../schemas/limits.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { addClicks, errorOf, ID } from './clicks-for-tests.ts';
import { type Documents, openDocuments } from './documents.ts';
import { reviewGate } from './review/gate.ts';

const folders = temporaryFolders();
let workspace: Workspace;
let documents: Documents;
let dir: string;

beforeEach(() => {
  dir = folders.make();
  workspace = openWorkspace(dir, { create: true });
  documents = openDocuments(workspace, reviewGate());
});
afterEach(async () => {
  await documents.close();
  workspace.close();
  folders.clean();
});

const addRecording = (id = ID): string => addClicks(workspace, id);

const gesture = (label: string, changes: Change[]): Transaction => ({ id: randomUUID(), label, changes });
const state = async (id = ID) => {
  const document = await documents.get(id);
  return { ...document, records: toRecords(document.records) };
};
const stepIds = async (id = ID) => (await documents.openRecording(id)).steps.map((step) => step.id);
const does = async (label: string, changes: Change[], person = 'me') =>
  documents.apply(ID, gesture(label, changes), person);
const named = async (action: string) => {
  const label = (await state()).records.get(`label:${action}`);
  return label?.kind === 'label' ? label.element : null;
};

describe('a document', () => {
  test('begins with the goal and a subtask after each mark, as version 1 that nobody can undo', async () => {
    addRecording();
    const steps = await stepIds();
    const { version, records, undo, redo } = await state();
    expect(version).toBe(1);
    expect([...records.values()]).toEqual([
      { kind: 'goal', id: 'goal', text: 'Crop the picture' },
      { kind: 'subtask', id: `subtask:${steps[0]}`, first: steps[0], title: '' },
      { kind: 'subtask', id: `subtask:${steps[2]}`, first: steps[2], title: '' },
    ]);
    expect([undo, redo]).toEqual([null, null]);
    expect(await documents.undo(ID, 'me')).toBeNull();
    expect((await documents.since(ID, 0)).map(({ person, version }) => [person, version])).toEqual([['studio', 1]]);
  });

  test('is the same when it is opened again, and by another process', async () => {
    addRecording();
    const first = await documents.get(ID);
    const other = openWorkspace(dir, { create: false });
    const otherDocuments = openDocuments(other, reviewGate());
    expect(await otherDocuments.get(ID)).toEqual(first);
    const [step] = await stepIds();
    await does('Name element', nameElement((await state()).records, step!, 'Insert tab', 'hand'));
    expect(await otherDocuments.get(ID)).toEqual(await documents.get(ID));
    other.close();
  });

  test('of a recording without a step is the goal alone', async () => {
    writeSample(workspace.recordingsDir, sampleRecording(), []);
    expect((await documents.get(ID)).records).toEqual([{ kind: 'goal', id: 'goal', text: 'Crop the picture' }]);
  });

  test('of a recording that is not there, or was not closed, says so', async () => {
    expect((await errorOf(documents.get('nothing'))).code).toBe('UNKNOWN_RECORDING');
    writeSample(workspace.recordingsDir, sampleRecording({ state: 'recording', span: null, verdict: null }), []);
    expect(await errorOf(documents.get(ID))).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('was not closed'),
    });
  });
});

describe('a transaction', () => {
  test('is stored with its version, its person and its time, and told to those who listen', async () => {
    addRecording();
    const [step] = await stepIds();
    const told: unknown[] = [];
    const stop = documents.onTransaction((recording, transaction) => told.push([recording, transaction]));
    const stored = await does('Name element', nameElement((await state()).records, step!, ' Insert  tab ', 'hand'));
    stop();
    await does('Flag', flag((await state()).records, step!, true));
    expect(stored).toMatchObject({ version: 2, person: 'me', label: 'Name element', undoes: null, redoes: null });
    expect(told).toEqual([[ID, stored]]);
    expect(await named(step!)).toBe('Insert tab');
    expect(await documents.vocabulary('gimp')).toEqual([{ name: 'Insert tab', count: 1 }]);
  });

  test('that comes twice is applied once', async () => {
    addRecording();
    const [step] = await stepIds();
    const transaction = gesture('Confirm', confirm((await state()).records, step!, true));
    const first = await documents.apply(ID, transaction, 'me');
    expect(await documents.apply(ID, transaction, 'me')).toEqual(first);
    expect((await state()).version).toBe(2);
  });

  test("with another recording's id is refused", async () => {
    addRecording();
    addRecording('other');
    const transaction = gesture('Goal', [
      {
        op: 'change',
        before: { kind: 'goal', id: 'goal', text: 'Crop the picture' },
        after: { kind: 'goal', id: 'goal', text: 'x' },
      },
    ]);
    await documents.apply(ID, transaction, 'me');
    expect((await errorOf(documents.apply('other', transaction, 'me'))).code).toBe('USAGE');
  });

  test('made on what somebody else has changed since is refused whole, naming the record', async () => {
    addRecording();
    const [step, second] = await stepIds();
    const { records } = await state();
    const mine = [...flag(records, second!, true), ...nameElement(records, step!, 'Mine', 'hand')];
    await does('Name element', nameElement(records, step!, 'Hers', 'hand'), 'anna');
    const error = await errorOf(does('Both', mine));
    expect([error.code, error.details.record]).toEqual(['CONFLICT', `label:${step}`]);
    expect((await state()).records.has(`label:${second}`)).toBe(false);
    expect((await state()).version).toBe(2);
  });

  test('with a name of 10,000 letters is refused with the field and the limit', async () => {
    addRecording();
    const [step] = await stepIds();
    const error = await errorOf(does('Name', nameElement((await state()).records, step!, 'x'.repeat(10_000), 'hand')));
    expect(error.code).toBe('USAGE');
    expect(error.message).toContain(`The element's name has 10,000 characters; at most ${TEXT_LIMITS.name} are kept`);
    expect(error.details).toMatchObject({ field: 'changes.0.record.element', limit: TEXT_LIMITS.name, found: 10_000 });
  });

  test('with a box outside of the picture is refused with the box and the size', async () => {
    addRecording();
    const [step] = await stepIds();
    const outside = { x: 1270, y: 10, width: 20, height: 20 };
    const error = await errorOf(does('Box', setBox((await state()).records, step!, 'target', outside, 'hand', 1)));
    expect([error.code, error.message]).toEqual([
      'USAGE',
      "The box (1270, 10, 20 x 20) lies outside of the step's picture of 1280 x 720. Draw it inside.",
    ]);
    await does('Box', setBox((await state()).records, step!, 'target', { ...outside, width: 10 }, 'hand', 1));
  });

  test('about a step that is not there is refused (N2)', async () => {
    addRecording();
    const error = await errorOf(does('Flag', flag((await state()).records, 'nothing', true)));
    expect([error.code, error.details.step]).toEqual(['UNKNOWN_STEP', 'nothing']);
  });

  test('that would leave steps without a subtask is refused', async () => {
    addRecording();
    const { records } = await state();
    const first = [...records.values()].find(({ kind }) => kind === 'subtask')!;
    const error = await errorOf(does('Remove', [{ op: 'remove', record: first }]));
    expect([error.code, error.message]).toEqual([
      'USAGE',
      expect.stringContaining('No subtask begins at the first step'),
    ]);
  });

  test('to a frame that was not recorded moves no keyframe', async () => {
    addRecording();
    const [step] = await stepIds();
    const { records } = await state();
    expect((await errorOf(does('Move', moveKeyframe(records, step!, 'before', { frame: 1, t: 5 })))).code).toBe(
      'USAGE',
    );
    await does('Move', moveKeyframe(records, step!, 'before', { frame: 1, t: 2e6 }));
  });

  test('by nobody, or by the studio itself, is refused', async () => {
    addRecording();
    const [step] = await stepIds();
    const { records } = await state();
    for (const person of ['', 'studio']) {
      expect((await errorOf(does('Flag', flag(records, step!, true), person))).code).toBe('USAGE');
    }
  });
});

describe('undo and redo', () => {
  async function nameAll(names: string[], person = 'me'): Promise<string> {
    const [step] = await stepIds();
    for (const name of names) {
      await does(`Name ${name}`, nameElement((await state()).records, step!, name, 'hand'), person);
    }
    return step!;
  }

  test('go back to the beginning and forward to the end, over a restart', async () => {
    addRecording();
    const before = (await state()).records;
    const step = await nameAll(['a', 'b', 'c']);
    const after = (await state()).records;
    await documents.undo(ID, 'me');
    await documents.undo(ID, 'me');
    expect(await named(step)).toBe('a');
    await documents.close();
    workspace.close();
    workspace = openWorkspace(dir, { create: false });
    documents = openDocuments(workspace, reviewGate());
    expect(await state()).toMatchObject({ undo: 'Name a', redo: 'Name b' });
    await documents.undo(ID, 'me');
    expect((await state()).records).toEqual(before);
    expect(await documents.undo(ID, 'me')).toBeNull();
    for (const _ of 'abc') await documents.redo(ID, 'me');
    expect((await state()).records).toEqual(after);
    expect(await documents.redo(ID, 'me')).toBeNull();
  });

  test('are lines of the log that say what they take back', async () => {
    addRecording();
    await nameAll(['a']);
    const [done] = await documents.since(ID, 1);
    expect(await documents.undo(ID, 'me')).toMatchObject({ undoes: done!.id, redoes: null, label: 'Name a' });
    expect(await documents.redo(ID, 'me')).toMatchObject({ undoes: null, redoes: done!.id, changes: done!.changes });
    expect((await documents.since(ID, 0)).map(({ version }) => version)).toEqual([1, 2, 3, 4]);
  });

  test('something new ends redo, and undo then goes over what was done before', async () => {
    addRecording();
    const step = await nameAll(['a', 'b']);
    await documents.undo(ID, 'me');
    await nameAll(['c']);
    expect(await state()).toMatchObject({ undo: 'Name c', redo: null });
    await documents.undo(ID, 'me');
    expect(await named(step)).toBe('a');
    await documents.undo(ID, 'me');
    expect(await named(step)).toBeNull();
    expect(await documents.undo(ID, 'me')).toBeNull();
  });

  test("are each person's own", async () => {
    addRecording();
    const [first, second] = await stepIds();
    await does('Mine', nameElement((await state()).records, first!, 'mine', 'hand'), 'me');
    await does('Hers', nameElement((await state()).records, second!, 'hers', 'hand'), 'anna');
    await documents.undo(ID, 'me');
    expect([await named(first!), await named(second!)]).toEqual([null, 'hers']);
    expect((await documents.get(ID, 'anna')).undo).toBe('Hers');
    expect((await documents.get(ID, 'me')).redo).toBe('Mine');
  });

  test('what somebody else has changed since is not undone, and the message says who', async () => {
    addRecording();
    const step = await nameAll(['mine']);
    await nameAll(['hers'], 'anna');
    const error = await errorOf(documents.undo(ID, 'me'));
    expect(error.code).toBe('CONFLICT');
    expect(error.message).toContain('"Name mine" cannot be undone: anna has changed the same since ("Name hers")');
    expect(await named(step)).toBe('hers');
    expect((await state()).undo).toBe('Name mine');
  });

  test('an undo that would make two subtasks begin at one step is a conflict', async () => {
    addRecording();
    const { steps } = await documents.openRecording(ID);
    const second = `subtask:${steps[2]!.id}`;
    await does('Move edge', moveEdge((await state()).records, steps, second, steps[1]!.id), 'me');
    await does('Split', splitSubtask((await state()).records, steps, steps[2]!.id, 'new', ''), 'anna');
    expect(await errorOf(documents.undo(ID, 'me'))).toMatchObject({ code: 'CONFLICT', details: { by: 'anna' } });
  });

  test('split, title and merge come back one by one', async () => {
    addRecording();
    const { steps } = await documents.openRecording(ID);
    const begin = (await state()).records;
    await does('Split', splitSubtask(begin, steps, steps[1]!.id, 'new', 'Second'));
    await does('Title', setTitle((await state()).records, 'new', 'The second'));
    await does('Merge', mergeSubtask((await state()).records, steps, 'new'));
    expect((await state()).records).toEqual(begin);
    await documents.undo(ID, 'me');
    expect((await state()).records.get('new')).toMatchObject({ title: 'The second', first: steps[1]!.id });
    await documents.undo(ID, 'me');
    await documents.undo(ID, 'me');
    expect((await state()).records).toEqual(begin);
  });
});

describe('what others ask of documents', () => {
  test('the history of a step has its gestures alone, the newest first', async () => {
    addRecording();
    const [first, second] = await stepIds();
    await does('One', flag((await state()).records, first!, true));
    await does('Two', flag((await state()).records, second!, true));
    await does('Three', flag((await state()).records, first!, false));
    const labels = async (options: { action?: string; limit: number }) =>
      (await documents.history(ID, options)).map(({ label }) => label);
    expect(await labels({ action: first!, limit: 10 })).toEqual(['Three', 'One']);
    expect(await labels({ limit: 2 })).toEqual(['Three', 'Two']);
    expect(await labels({ limit: 10 })).toEqual(['Three', 'Two', 'One', 'Begin']);
  });

  test('progress counts kept steps and those that are confirmed and not flagged', async () => {
    addRecording();
    expect(await documents.progress(ID)).toBeNull();
    const steps = await stepIds();
    await documents.get(ID);
    expect(await documents.progress(ID)).toEqual({ steps: 4, done: 0 });
    for (const step of steps.slice(0, 3)) await does('Confirm', confirm((await state()).records, step, true));
    await does('Flag', flag((await state()).records, steps[0]!, true));
    await does('Remove', removeSteps((await state()).records, [steps[1]!], 'mistake', ''));
    expect(await documents.progress(ID)).toEqual({ steps: 3, done: 1 });
    expect(await documents.progressOfAll()).toEqual(new Map([[ID, { steps: 3, done: 1 }]]));
    expect((await documents.openRecording(ID)).row).toMatchObject({ id: ID, steps: 3, done: 1, software: 'gimp' });
  });

  test('without a video names are still proposed, from the vocabulary and what followed before', async () => {
    addRecording();
    const steps = await stepIds();
    for (const [at, name] of ['Insert tab', 'Pictures', 'Insert tab'].entries()) {
      await does('Name', nameElement((await state()).records, steps[at]!, name, 'hand'));
    }
    const proposals = await documents.proposals(ID, steps[3]!);
    expect(proposals.map(({ name, box, source }) => [name, box, source])).toEqual([
      ['Pictures', null, 'vocabulary'],
      ['Insert tab', null, 'vocabulary'],
    ]);
    expect((await errorOf(documents.proposals(ID, 'nothing'))).code).toBe('UNKNOWN_STEP');
  });
});
