import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Check, type Checks, checkSchema, checksSchema } from '../../schemas/checks.ts';
import { combine, type Found, judge } from './checks.ts';

const check = (fields: object): Check => checkSchema.parse({ id: 'a', ...fields });
const FILE = { kind: 'file', path: 'a.txt' };
const TEXT = { kind: 'text', path: 'a.txt' };
const MISSING: Found = { of: 'none', why: 'a.txt is not there', missing: true };
const value = (it: unknown): Found => ({ of: 'value', value: it });

test('PL9 the worst, the best or the mean by weights, from the threshold on', () => {
  const scores = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 9 })), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(scores, fc.constantFrom('all', 'any', 'weighted'), (given, how) => {
      const checks = checksSchema.parse({
        schema: 'trajectory-studio/checks',
        version: 1,
        combine: how,
        pass: 0.5,
        checks: given.map(([, weight], n) => ({ ...FILE, id: `c${n}`, weight })),
      });
      const results = given.map(([score], n) => ({ id: `c${n}`, score, why: '', screen: false, able: true }));
      const { score, passed } = combine(checks, results);
      const least = Math.min(...given.map(([one]) => one));
      const most = Math.max(...given.map(([one]) => one));
      if (how === 'all') expect(score).toBe(least);
      if (how === 'any') expect(score).toBe(most);
      expect(score).toBeGreaterThanOrEqual(least - 1e-9);
      expect(score).toBeLessThanOrEqual(most + 1e-9);
      expect(passed).toBe(score >= 0.5 - 1e-9);
      // One that got no result counts as 0.
      const { score: without } = combine(checks, results.slice(1));
      expect(without).toBeLessThanOrEqual(score + 1e-9);
      if (how === 'all') expect(without).toBe(0);
    }),
  );
});

test('PL9 weights that add up to one pass at one', () => {
  const parts = Array.from({ length: 10 }, (_, n) => ({ ...FILE, id: `c${n}`, weight: 0.1 }));
  const checks = checksSchema.parse({
    schema: 'trajectory-studio/checks',
    version: 1,
    combine: 'weighted',
    checks: parts,
  });
  const results = parts.map(({ id }) => ({ id, score: 1, why: '', screen: false, able: true }));
  expect(combine(checks, results)).toMatchObject({ passed: true });
});

describe('PL10 the score of one check', () => {
  const text = (is: string): Found => ({ of: 'text', text: is });
  test.each<[string, object, Found, number, RegExp]>([
    ['all texts are in it', { ...TEXT, contains: ['milk', 'eggs'] }, text('milk, eggs'), 1, /2 of 2/],
    ['one of two', { ...TEXT, contains: ['milk', 'eggs'] }, text('milk'), 0.5, /lacks “eggs”/],
    [
      'a line that is joined to the one before',
      { ...TEXT, contains: ['Monday\nRepeat B7'] },
      text('MondayRepeat B7\n'),
      0,
      /lacks “Monday⏎Repeat B7” \(after “Monday” comes “Repeat B7⏎”\)/,
    ],
    [
      'a line that is cut off',
      { ...TEXT, contains: ['Repeat B7'] },
      text('Repeat'),
      0,
      /\(after “Repeat” comes the end\)/,
    ],
    ['one that is not begun', { ...TEXT, contains: ['Repeat'] }, text('Rest'), 0, /lacks “Repeat”$/],
    ['what should not be there', { ...TEXT, lacks: ['milk'] }, text('milk'), 0, /holds “milk”/],
    ['another case', { ...TEXT, contains: ['MILK'], ignoreCase: true }, text('milk'), 1, /as wanted/],
    ['line ends of Windows', { ...TEXT, equals: 'a\nb' }, text('a\r\nb\r\n'), 1, /as wanted/],
    ['a number written as text', { kind: 'json', path: 'a.json', at: '/n', equals: 12 }, value('12.0'), 1, /12/],
    ['a number within', { kind: 'json', path: 'a.json', at: '', equals: 1, tolerance: 0.1 }, value(1.05), 1, /1.05/],
    ['a number beyond', { kind: 'json', path: 'a.json', at: '', equals: 1, tolerance: 0.1 }, value(1.2), 0, /± 0.1/],
    ['a text that is no number', { kind: 'json', path: 'a.json', at: '', equals: 0 }, value(''), 0, /not 0/],
    ['true as a database has it', { kind: 'json', path: 'a.json', at: '', equals: true }, value(1), 1, /1/],
    ['nothing', { kind: 'cell', path: 'a.csv', cell: 'A1', equals: null }, value(undefined), 1, /empty/],
    ['a list', { kind: 'json', path: 'a.json', at: '', equals: 'a' }, value(['a']), 0, /a list or an object/],
    ['an answer', { kind: 'answer', equals: 'Paris' }, text(' paris\n'), 1, /paris/],
    ['a set in another order', { kind: 'answer', equals: ['a', 'b'] }, text('B, a'), 1, /2 of 2/],
    ['a set with one too many', { kind: 'answer', equals: ['a', 'b'] }, text('a, b, c, d'), 0.5, /2 others/],
    ['a title', { kind: 'window', title: 'Saved' }, { of: 'titles', titles: ['x - saved'] }, 1, /x - saved/],
    ['no such title', { kind: 'window', title: 'Saved' }, { of: 'titles', titles: ['x'] }, 0, /“x”/],
    [
      'a picture of the wrong size',
      { kind: 'picture', path: 'a.png', width: 4 },
      { of: 'picture', width: 5, height: 5, other: null },
      0,
      /5 px wide, not 4/,
    ],
    [
      'a picture that cannot be compared',
      { kind: 'picture', path: 'a.png', like: 'b.png' },
      { of: 'picture', width: 5, height: 5, other: null },
      0,
      /another size/,
    ],
  ])('%s', (_name, fields, found, score, why) => {
    expect(judge(check(fields), found)).toMatchObject({ score, why: expect.stringMatching(why), able: true });
  });
});

test('PL11 checks of the screen alone are weak', () => {
  const of = (combineBy: Checks['combine'], ...kinds: object[]) =>
    combine(
      checksSchema.parse({
        schema: 'trajectory-studio/checks',
        version: 1,
        combine: combineBy,
        checks: kinds.map((kind, n) => ({ ...kind, id: `c${n}` })),
      }),
      [],
    ).weak;
  const seen = { kind: 'window', title: 'Saved' };
  const region = { kind: 'region', x: 0, y: 0, width: 1, height: 1, colour: '#ffffff' };
  expect(of('all', seen, region)).toMatch(/looks at the screen alone/);
  expect(of('all', seen, FILE)).toBeNull();
  expect(of('any', seen, FILE)).toMatch(/enough to pass/);
});

test('PL12 what is missing or unreadable scores 0, but a file that should be absent', () => {
  expect(judge(check(FILE), MISSING)).toMatchObject({ score: 0, able: true, why: 'a.txt is not there' });
  expect(judge(check({ ...FILE, is: 'absent' }), MISSING)).toMatchObject({ score: 1 });
  expect(judge(check({ ...FILE, is: 'absent' }), { of: 'none', why: 'a link' })).toMatchObject({
    score: 0,
    able: false,
    why: 'a link',
  });
  expect(judge(check({ ...TEXT, lacks: ['x'] }), MISSING)).toMatchObject({ score: 0 });
});

test.each([
  ['a path outside', { ...FILE, path: '../a' }],
  ['an absolute path', { ...FILE, path: '/etc/passwd' }],
  ['a check that cannot fail', TEXT],
  ['a query that writes', { kind: 'sqlite', path: 'a.db', query: 'DELETE FROM a', equals: 1 }],
  ['absent and equal', { ...FILE, is: 'absent', equals: 'b.txt' }],
  ['a colour and a picture', { kind: 'region', x: 0, y: 0, width: 1, height: 1, colour: '#ffffff', like: 'a.png' }],
  ['a command', { kind: 'shell', command: 'rm -rf /' }],
  ['an unknown word', { ...FILE, run: 'x' }],
])('refuses %s', (_name, fields) => {
  expect(checkSchema.safeParse({ id: 'a', ...fields }).success).toBe(false);
});

describe('an element', () => {
  const box = { role: 'check box', name: 'Express delivery', states: ['showing', 'checked'], value: null };
  const entry = { role: 'entry', name: 'Tins', states: ['showing', 'editable'], value: '3' };
  const seen = (whole = true): Found => ({ of: 'elements', elements: [box, entry], whole });
  const look = (fields: object, found = seen()) => judge(check({ kind: 'element', ...fields }), found);

  test('PL21 is there when one has the role, the name, the state and the value together', () => {
    expect(look({ role: 'check box' })).toMatchObject({ score: 1, screen: true });
    expect(look({ name: 'Tins', equals: 3 })).toMatchObject({ score: 1 });
    expect(look({ name: 'Express delivery', state: 'checked' }).why).toBe(
      'the element “Express delivery” is there, checked',
    );
    expect(look({ role: 'entry', name: 'Express delivery' })).toMatchObject({
      score: 0,
      why: 'no entry “Express delivery” is shown',
    });
    expect(look({ name: 'Tins', state: 'checked' })).toMatchObject({
      score: 0,
      why: 'the element “Tins” is not checked',
    });
    expect(look({ name: 'Tins', equals: '4' }).why).toBe('the element “Tins” has the value “3”, not “4”');
    expect(look({ name: 'Tins' }, { of: 'text', text: 'Tins' })).toMatchObject({ score: 0, able: false });
  });

  test('PL21 is absent only when all that are shown were looked at', () => {
    expect(look({ name: 'Error', is: 'absent' })).toMatchObject({ score: 1 });
    expect(look({ name: 'Error', is: 'absent' }, seen(false))).toMatchObject({
      score: 0,
      why: expect.stringContaining('not all elements'),
    });
    expect(look({ name: 'Express delivery', state: 'checked', is: 'absent' })).toMatchObject({ score: 0 });
    expect(look({ name: 'Express delivery', state: 'selected', is: 'absent' })).toMatchObject({ score: 1 });
  });

  test('says something that could be wrong, in a state that there is', () => {
    const said = (fields: object): boolean => checkSchema.safeParse({ id: 'a', kind: 'element', ...fields }).success;
    expect([said({}), said({ state: 'checked' }), said({ name: 'A', state: 'happy' })]).toEqual([false, false, false]);
    expect(said({ role: 'label' })).toBe(true);
  });
});

test('checks of earlier versions are read, those of a later one are not', () => {
  const of = (version: number) => ({ schema: 'trajectory-studio/checks', version, checks: [{ ...FILE, id: 'a' }] });
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((version) => checksSchema.safeParse(of(version)).success)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
});
