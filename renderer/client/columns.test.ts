import { expect, it } from 'vitest';
import { columnsSetting } from './columns.ts';

it('each person has their own choice of columns in each workspace and list; what is no text is none', () => {
  const settings = { 'columns:library:w:ada': 'id,goal', 'columns:dataset:w:ada': ['task'] };
  expect(columnsSetting(settings, 'w', 'library', 'ada')).toBe('id,goal');
  expect(columnsSetting(settings, 'w', 'dataset', 'ada')).toBeNull();
  expect(columnsSetting(settings, 'w', 'library', null)).toBeNull();
  expect(columnsSetting(settings, 'v', 'library', 'ada')).toBeNull();
});
