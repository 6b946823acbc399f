import { expect, test } from 'vitest';
import { checkSchema, checksSchema } from '../../schemas/checks.ts';
import { CHECKS_VERSION } from '../../schemas/checks-plain.ts';
import { osworldTaskSchema } from '../../schemas/osworld.ts';
import { judge } from '../play/checks.ts';
import { osworldOf } from './out.ts';
import { mapOsworldTask } from './task.ts';

/** Tasks of OSWorld whose right answer depends on the day on which they are done. */

const mapped = (result: object, rules: object) =>
  mapOsworldTask(
    osworldTaskSchema.parse({
      id: 'a',
      instruction: 'Do it.',
      config: [],
      evaluator: { func: 'check_direct_json_object', result, expected: { type: 'rule_relativeTime', rules } },
    }),
  );
const trains = mapped(
  { type: 'active_tab_url_parse', parse_keys: ['fromStation', 'departing'], replace: { departing: 'time' } },
  {
    relativeTime: { from: 'next Monday' },
    expected: { fromStation: 'B M', time: '{Year}-{Month0D}-{Day0D}' },
  },
);

test('become checks of the address in front, with the day in its place', () => {
  expect(trains).toMatchObject({
    missingChecks: [],
    checks: {
      checks: [
        { kind: 'pages', by: 'pattern', active: '[?&]fromStation=B%20M(?:&|#|$)', day: 'next monday' },
        {
          kind: 'pages',
          by: 'pattern',
          active: String.raw`[?&]departing={YYYY}\-{MM}\-{DD}(?:&|#|$)`,
          day: 'next monday',
        },
      ],
    },
  });
  const weather = mapped(
    { type: 'url_dashPart', partIndex: -2, key: 'time' },
    { relativeTime: { from: 'this month' }, expected: { time: '{month}-weather' } },
  );
  expect(weather.checks?.checks).toMatchObject([{ active: String.raw`/{month}\-weather(?:/|\?|$)`, day: 'today' }]);
});

test('are judged by the day on which it is looked at', () => {
  const [, departing] = trains.checks!.checks.map((check) => checkSchema.parse(check));
  const scoreOn = (day: number, address: string): number =>
    judge(departing!, { of: 'pages', open: [address], active: address, today: { year: 2026, month: 11, day } }).score;
  const address = 'https://example.org/?fromStation=B%20M&departing=2026-11-30';
  expect([27, 28, 29].map((day) => scoreOn(day, address))).toEqual([1, 1, 1]);
  expect(scoreOn(30, address)).toBe(0);
  expect(scoreOn(28, 'https://example.org/?departing=2026-12-01')).toBe(0);
});

test('of our own are not said as one of OSWorld’s, and a day that is none is refused', () => {
  const check = { id: 'a', kind: 'pages', active: 'example.org/{YYYY}', by: 'pattern', day: 'next friday' };
  expect(checkSchema.safeParse({ ...check, day: 'soon' }).success).toBe(false);
  const checks = checksSchema.parse({ schema: 'trajectory-studio/checks', version: CHECKS_VERSION, checks: [check] });
  const out = osworldOf({ id: 'A_1', goal: 'Do', source: '', app: 'chrome', recipe: null, checks, original: null });
  expect(out.missing.join('\n')).toContain('pages');
});

test.each<[string, object, object, string]>([
  [
    'a day without a name here',
    { type: 'active_tab_url_parse' },
    { relativeTime: { from: 'first monday four months later' }, expected: { time: '{Year}' } },
    'depends on the day',
  ],
  [
    'two days',
    { type: 'active_tab_url_parse' },
    { relativeTime: { from: 'next Monday', to: 'next Friday' }, expected: { from: '{Year}', to: '{Year}' } },
    'depends on the day',
  ],
  [
    'a form of the day that is not known',
    { type: 'active_tab_url_parse' },
    { relativeTime: { from: 'tomorrow' }, expected: { time: '{DoW}, {Month} {DayD}' } },
    'writes the day in a form',
  ],
  [
    'a live page',
    { type: 'active_tab_html_parse' },
    { relativeTime: { from: 'tomorrow' }, expected: { time: '{Year}' } },
    'it looks at active_tab_html_parse',
  ],
])('%s has no check, and says so', (_name, result, rules, why) => {
  const { checks, missingChecks } = mapped(result, rules);
  expect(checks).toBeNull();
  expect(missingChecks.join('\n')).toContain(why);
});
