import { expect, it } from 'vitest';
import { renamedView, searchOfView, viewsSetting, withView } from './saved-views.ts';

const open = { name: 'Open', search: 'state=open' };
const night = { name: 'Night', search: 'tags=night' };

it('a view is saved under its name, in the place of one that had it, and renamed', () => {
  const both = withView(withView([], open), { ...night, name: ' Night ' });
  expect(both).toEqual([open, night]);
  expect(withView(both, { name: 'Open', search: 'q=a' })).toEqual([{ name: 'Open', search: 'q=a' }, night]);
  expect(renamedView(both, 'Open', ' Mine ')).toEqual([{ ...open, name: 'Mine' }, night]);
  expect(renamedView(both, 'Open', 'Night')).toEqual([{ ...open, name: 'Night' }]);
});

it('each person has their own in each workspace and list; what is no view is left out', () => {
  const settings = { 'views:library:w:ada': [open, { name: 1 }, null], 'views:library:w:': 'no list' };
  expect(viewsSetting(settings, 'w', 'library', 'ada')).toEqual([open]);
  expect(viewsSetting(settings, 'w', 'library', null)).toEqual([]);
  expect(viewsSetting(settings, 'w', 'recordings', 'ada')).toEqual([]);
  expect(viewsSetting(settings, 'v', 'library', 'ada')).toEqual([]);
});

it('a view leads to its own columns; one without has those at first, whatever is shown now', () => {
  const wide = { name: 'Wide', search: 'state=open&columns=task%2Cgoal' };
  expect(searchOfView(wide, null)).toBe(wide.search);
  expect(searchOfView(wide, 'task')).toBe(wide.search);
  expect(searchOfView(open, null)).toBe('state=open');
  expect(searchOfView(open, 'task,goal')).toBe('state=open&columns=default');
});

it('a name of any signs is kept whole, or cut between two of them', () => {
  const emoji = '\u{1F600}';
  const [long] = withView([], { name: emoji.repeat(70), search: '' });
  expect(long?.name).toBe(emoji.repeat(60));
  for (const name of ['<script>alert(1)</script>', '__proto__', 'constructor', '../..', 'ä\u202Egnp'])
    expect(withView([open], { name, search: 'q=a' })).toEqual([open, { name, search: 'q=a' }]);
  expect(viewsSetting(JSON.parse('{"views:library:w:__proto__":[]}'), 'w', 'library', '__proto__')).toEqual([]);
});
