import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksSchema } from '../../schemas/checks.ts';
import { recipeSchema } from '../../schemas/play.ts';
import { type TaskFacts, wholeTask } from './task-state.ts';

const recipe = (more: object = {}) => recipeSchema.parse({ schema: 'trajectory-studio/recipe', version: 1, ...more });
const checks = (...list: object[]) =>
  checksSchema.parse({ schema: 'trajectory-studio/checks', version: 4, checks: list });
const NOTE = { id: 'saved', kind: 'text', path: 'note.txt', contains: ['milk'] };
const proven: NonNullable<TaskFacts['demonstrations'][number]['verdict']> = {
  report: { proven: true, problems: [], weak: [] },
  current: true,
  shown: true,
  by: null,
};

/** A task of which nothing is missing. */
const WHOLE: TaskFacts = {
  id: 'T_1',
  goal: 'Write a note',
  recipe: recipe({ files: [{ attachment: 'note.txt', to: 'note.txt' }], programs: [{ command: 'mousepad' }] }),
  recipeError: null,
  checks: checks(NOTE),
  checksError: null,
  files: ['note.txt'],
  programsMissing: [],
  demonstrations: [{ id: 'D', verdict: proven }],
};
const missing = (facts: Partial<TaskFacts>): string[] => {
  const { complete, sound, proven: said } = wholeTask({ ...WHOLE, ...facts });
  return [complete, sound, said].flatMap((part) => part.missing.map(({ rule, why }) => `${rule}: ${why}`));
};
const verdict = (more: object, problems: string[] = []) => [
  { id: 'D', verdict: { ...proven, report: { proven: problems.length === 0, problems, weak: [] }, ...more } },
];

test('of a whole task nothing is missing (TK1 to TK10)', () => {
  expect(wholeTask(WHOLE)).toEqual({
    complete: { holds: true, missing: [] },
    sound: { holds: true, missing: [] },
    proven: { holds: true, missing: [] },
  });
});

const bad = { id: 'shown', kind: 'shown', contains: ['milk'] };
test.each<[string, Partial<TaskFacts>, RegExp[]]>([
  ['TK1: no goal', { goal: ' ' }, [/^TK1: It has no goal/]],
  ['TK2: no recipe', { recipe: null, files: [] }, [/^TK2: It has no recipe.*tasks attach T_1/]],
  ['TK2: a recipe that cannot be read', { recipe: null, recipeError: 'it is no JSON.' }, [/^TK2: .*it is no JSON/]],
  [
    'TK3: no checks',
    { checks: null, demonstrations: verdict({ current: false }) },
    [/^TK3: It has no checks/, /^TK10: There are no checks/],
  ],
  [
    'TK4: files that are named and not there',
    { files: [], checks: checks({ id: 'a', kind: 'text', path: 'a', like: 'want.txt' }) },
    [/^TK4: .*“note.txt”/, /^TK4: .*“want.txt”/],
  ],
  ['TK5: no demonstration', { demonstrations: [] }, [/^TK5: Nobody demonstrated/, /^TK10: There is no demonstration/]],
  ['TK6: a program that is not here', { programsMissing: ['gimp'] }, [/^TK6: .*“gimp”/]],
  [
    'TK7: two files at one place, one in another',
    {
      recipe: recipe({
        files: [
          { text: '', to: 'a' },
          { text: '', to: 'a' },
          { text: '', to: 'a/b' },
          { text: '', to: 'ab' },
        ],
      }),
    },
    [/^TK7: .*two files at “a”/, /^TK7: .*“a” and another into it \(“a\/b”\)/],
  ],
  [
    'TK7: a folder where a file is; one that holds files is none of these',
    {
      recipe: recipe({
        files: [
          { text: '', to: 'a' },
          { folder: true, to: 'a/b' },
          { folder: true, to: 'c' },
          { attachment: 'note.txt', to: '.', unpack: true },
          { text: '', to: 'c/d' },
        ],
      }),
    },
    [/^TK7: .*file at “a” and a folder at “a\/b”/],
  ],
  ['TK8: checks of the screen alone', { checks: checks(bad) }, [/^TK8: .*screen alone/]],
  [
    'TK9: a check that passed before anything was done',
    {
      demonstrations: [
        {
          id: 'D',
          verdict: {
            ...proven,
            report: {
              proven: true,
              problems: [],
              weak: [
                { id: 'saved', why: 'passes before anything was done' },
                { id: 'b', why: 'looks at the screen alone' },
              ],
            },
          },
        },
      ],
    },
    [/^TK9: Its check “saved” passes before/],
  ],
  [
    'TK10: not verified',
    { demonstrations: [{ id: 'D', verdict: null }] },
    [/^TK10: No demonstration was verified yet \(`verify D`\)/],
  ],
  [
    'TK10: by other checks',
    { demonstrations: verdict({ current: false }) },
    [/^TK10: D was verified with other checks/],
  ],
  [
    'TK10: by the word of others',
    { demonstrations: verdict({ shown: false, by: 'Ada' }) },
    [/^TK10: D is proven by the word of Ada alone/],
  ],
  [
    'TK10: not proven',
    { demonstrations: verdict({}, ['1 of 3 plays good.']) },
    [/^TK10: D is not proven: 1 of 3 plays good\./],
  ],
])('%s', (_name, facts, wanted) => {
  const said = missing(facts);
  expect(said).toEqual(wanted.map((one) => expect.stringMatching(one)));
});

test('one proven demonstration is enough, wherever it stands among others (TK10)', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(null, { current: false }, { shown: false })), fc.nat(), (others, at) => {
      const all: TaskFacts['demonstrations'][number][] = others.map((more, n) => ({
        id: `D${n}`,
        verdict: more && { ...proven, ...more },
      }));
      all.splice(at % (all.length + 1), 0, { id: 'P', verdict: proven });
      expect(wholeTask({ ...WHOLE, demonstrations: all }).proven.holds).toBe(true);
    }),
  );
});
