import { expect, test } from 'vitest';
import { type Composition, compositionSchema } from '../../schemas/composition.ts';
import { renameMember } from './edit.ts';
import { brokenLaws } from './laws.ts';
import { ownContent } from './own.ts';
import { mayHold } from './places.ts';
import { filesTaken } from './taken-files.ts';

/** Files that go over from one member to another. */

const made = (more: object): Composition =>
  compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 5,
    id: 'c',
    kind: 'scenario',
    title: 'C',
    ...more,
  });
const task = (id: string, more: object = {}) => ({ id, instructions: { base: 'Do it' }, ...more });
const stages = [{ name: 'desktop' }, { name: 'office' }];
const takes = [{ from: 'a', file: 'report.ods', to: 'in/report.ods' }];
const hard = (from: string, to: string) => ({ kind: 'hard', from, to });
const said = (composition: Composition): string[] =>
  brokenLaws(composition)
    .filter(({ law }) => law === 'CP33' || law === 'CP34')
    .map(({ law, kind, member, why }) => [law, kind, member, why].join(' '));

test('CP33: a file is of a member that is before in every order, by whatever edges, and no two come to one place', () => {
  const b = task('b', { stage: 'office', takes });
  const composition = (edges: object[], more = [task('a'), task('m'), b]) => made({ stages, members: more, edges });
  expect(said(composition([hard('a', 'b')]))).toEqual([]);
  expect(said(composition([hard('a', 'm'), hard('m', 'b')]))).toEqual([]);
  const early = ['CP33 broken b “report.ods” may not be there yet: no edge puts “a” before it.'];
  expect(said(composition([]))).toEqual(early);
  expect(said(composition([hard('b', 'a')]))).toEqual(early);
  expect(said(composition([], [b]))).toEqual(['CP33 broken b It takes “report.ods” of “a”, which is no member.']);
  const twice = task('b', { stage: 'office', takes: [...takes, { from: 'a', file: 'in/report.ods' }] });
  expect(said(composition([hard('a', 'b')], [task('a'), twice]))).toEqual([
    'CP33 broken b More than one is to come to “in/report.ods”.',
  ]);
  const within = task('b', { takes: [{ from: 'a', folder: 'in' }, ...takes] });
  expect(said(composition([hard('a', 'b')], [task('a'), within]))).toContain(
    'CP33 broken b “in/report.ods” is to come into “in”, where another one comes.',
  );
  const beside = task('b', { stage: 'office', takes: [{ from: 'a', folder: 'in/report' }, ...takes] });
  expect(said(composition([hard('a', 'b')], [task('a'), beside]))).toEqual([]);
});

test('a path that is being written in an editor breaks no law yet', () => {
  const composition = made({ members: [task('a'), task('b', { takes: [{ from: 'a', file: 'x' }] })] });
  const [a, b] = composition.members;
  const member = { ...b!, takes: [{ from: 'a', file: '' }] };
  expect(said({ ...composition, members: [a!, member] })).toEqual([]);
});

test('CP34: a file of the same stage, at the place where it is, is a note', () => {
  const at = (more: object) => made({ members: [task('a'), task('b', more)], edges: [hard('a', 'b')] });
  expect(said(at({ takes: [{ from: 'a', file: 'x' }] }))).toEqual([
    'CP34 note b It takes “x” of “a”, which is done on the same stage: it is there already.',
  ]);
  expect(said(at({ takes: [{ from: 'a', file: 'x', to: 'y' }] }))).toEqual([]);
});

test('a folder is of version 6, and one of both is named', () => {
  const of = (one: object) => made({ stages, members: [task('a'), task('b', { takes: [one] })] });
  expect(ownContent(of({ from: 'a', folder: 'in' })).version).toBe(6);
  expect(filesTaken(of({ from: 'a', folder: 'in' }).members[1]!)).toEqual([
    { from: 'a', path: 'in', to: 'in', isFolder: true },
  ]);
  for (const wrong of [{ from: 'a' }, { from: 'a', file: 'x', folder: 'y' }, { from: 'a', folder: '../x' }])
    expect(() => of(wrong)).toThrow(/must (?:name a file or a folder|not contain)/);
  expect(mayHold('members/b/takes/0/folder')).toBe(true);
});

test('a file with it is of version 5, one without is read by older programs again; a renamed member keeps its files', () => {
  const one = made({ stages, members: [task('a'), task('b', { takes })], edges: [hard('a', 'b')] });
  expect(ownContent(one).version).toBe(5);
  const [a, b] = one.members;
  const { takes: _takes, ...bare } = b!;
  expect(ownContent({ ...one, members: [a!, bare] }).version).toBe(4);
  const { stages: _stages, ...only } = one;
  expect(ownContent({ ...only, members: [a!, bare] }).version).toBe(1);
  expect(filesTaken(renameMember(one, 'a', 'first').members[1]!)).toEqual([
    { from: 'first', path: 'report.ods', to: 'in/report.ods', isFolder: false },
  ]);
  expect(['file', 'to', 'from'].map((part) => mayHold(`members/b/takes/0/${part}`))).toEqual([true, true, false]);
  expect(() => made({ members: [task('a', { takes: [{ from: 'a', file: '../x' }] })] })).toThrow(/\.\./);
});
