import { expect, test } from 'vitest';
import { SCENARIO_A, TABLE_3 } from './papers-for-tests.ts';
import { catalogueTable, designTable, levelsTable, levelTable, platformTable } from './tables.ts';

test('NaturalGAIA’s tables 3 and 4 come back from the pathway that they print', () => {
  const design = new Map(designTable(TABLE_3).rows.map(([name, value]) => [name, value]));
  expect(design.get('Task')).toMatch(/^Search for Leonardo Dicaprio on Douban .* what era the story takes place in\?$/);
  expect(design.get('Level')).toBe('1');
  expect(design.get('Steps (human)')).toMatch(
    /^1\. Open the Douban app\. .* 6\. Open the IMDB app\. .* 10\. Read, find/,
  );
  expect(design.get('Ground truth')).toBe('1. Killers of the Flower Moon 2. 1920s');
  expect(design.get('Tools')).toBe('Douban app, IMDB APP');
  expect(design.get('Number of atomic tasks')).toBe('2');
  const answers = ['Android', 'Windows'].flatMap((platform) =>
    ['movie', 'era'].map((member) => ({ platform, member, matches: true })),
  );
  expect(platformTable(TABLE_3, answers).rows).toEqual([
    ['Operating system', 'Android', 'Windows'],
    ['Tools', 'Douban app, IMDB APP', 'https://www.douban.com/, https://www.imdb.com/'],
    ['Ground truth', ...Array<string>(2).fill('1. Killers of the Flower Moon 2. 1920s')],
    ['Answer of atomic task 1', '✓', '✓'],
    ['Answer of atomic task 2', '✓', '✓'],
  ]);
  const twice = [...answers.slice(1), { platform: 'Android', member: 'movie', matches: false }];
  expect(platformTable(TABLE_3, twice).rows[3]).toEqual(['Answer of atomic task 1', '✗', '✓']);
  expect(platformTable(TABLE_3).rows[4]).toEqual(['Answer of atomic task 2', 'not verified', 'not verified']);
});

test('table 5 counts pathways by level, scenarios not, and those of no level in the whole alone', () => {
  const [first, second] = TABLE_3.members;
  const of = (members: typeof TABLE_3.members) => ({ ...TABLE_3, members });
  const more = { ...second!, apps: { Android: ['a', 'b', 'c', 'd'] } };
  const four = of([first!, { ...more, id: 'm2' }, { ...more, id: 'm3' }, { ...more, id: 'm4' }]);
  const alone = { ...of([first!]), members: [{ ...first!, apps: {} }] };
  expect(levelTable([TABLE_3, of([first!]), four, alone, SCENARIO_A]).rows.slice(1)).toEqual([
    ['1', '2', '1.5', '1~2', '1.5', '1~2'],
    ['2', '1', '5.0', '5~5', '4.0', '4~4'],
    ['3', '0', '–', '–', '–', '–'],
    ['Overall', '4', '2.0', '0~5', '2.0', '1~4'],
  ]);
});

test('ScenDroid’s B.1 and B.2 come back from the scenario', () => {
  const catalogue = catalogueTable(SCENARIO_A);
  expect(catalogue.title).toBe('B.1: Alex’s Busy Monday');
  expect(catalogue.rows).toHaveLength(12);
  expect(catalogue.rows[4]).toEqual([
    '11:20',
    'Office',
    'Alex wants to remind everyone about the in-person meeting location.',
    'Use Simple SMS Messenger to remind them to attend the meeting (include time and location).',
    'attendees (hard)',
  ]);
  const levels = levelsTable(SCENARIO_A).rows;
  expect(levels).toHaveLength(1 + 4 * 11);
  expect(levels.slice(1, 5).map(([time, level]) => [time, level])).toEqual(
    ['base', 'L0', 'L1', 'L2'].map((level) => ['10:40', level]),
  );
});
