import { describe, expect, test } from 'vitest';
import { folderName } from '../file-names.ts';
import { emptyTask } from '../task-for-tests.ts';
import { rawLogOf, stampOf } from './raw.ts';

const TASK = emptyTask({
  app: { id: 'ppt', name: 'Power/Point', prefix: 'PPT' },
  visualQuery: { start: null, end: { path: '/r/last.MP4' } },
});

describe('names of the raw log', () => {
  test('a stamp has six digits of the second', () => {
    expect(stampOf('2024-05-01T09:30:00.125Z', new Set())).toBe('2024-05-01_09-30-00-125000');
    expect(stampOf('2024-05-01T09:30:00Z', new Set())).toBe('2024-05-01_09-30-00-000000');
  });

  test('two recordings of one moment get two stamps', () => {
    const taken = new Set<string>();
    expect([1, 2].map(() => stampOf('2024-05-01T09:30:00.125Z', taken))).toEqual([
      '2024-05-01_09-30-00-125000',
      '2024-05-01_09-30-00-125001',
    ]);
  });

  test('a time of another form is refused', () => {
    expect(() => stampOf('yesterday', new Set())).toThrow('yesterday');
  });

  test('a folder name is one segment on every system', () => {
    expect(['VLC player', 'a/b\\c:d', '..', 'x. ', ''].map(folderName)).toEqual([
      'VLC player',
      'a_b_c_d',
      '_',
      'x',
      '_',
    ]);
  });

  test('project files never fall onto the visual query, the log or each other', () => {
    const attachments = ['/a/end.mp4', '/b/deck.pptx', '/c/Deck.pptx', '/d/keylog'].map((path) => ({ path }));
    expect(rawLogOf({ ...TASK, attachments }).files.map(({ to }) => to)).toEqual([
      'Power_Point/PPT_1/end.mp4',
      'Power_Point/PPT_1/end-2.mp4',
      'Power_Point/PPT_1/deck.pptx',
      'Power_Point/PPT_1/Deck-2.pptx',
      'Power_Point/PPT_1/keylog-2',
    ]);
  });

  test('a title of blanks is none', () => {
    const task = emptyTask({
      subtasks: ['Crop', '', ' \n '].map((query, at) => ({
        id: at + 1,
        query,
        startImage: null,
        endImage: null,
        actions: [],
      })),
    });
    expect(rawLogOf(task).task.value).toMatchObject({
      subtasks: [{ title: 'Crop' }, { title: null }, { title: null }],
    });
  });

  test('a recording without its video says so', () => {
    const recordings = [{ id: 'r1', startedAt: '2024-05-01T09:30:00Z', video: null }];
    expect(rawLogOf({ ...TASK, recordings }).missing).toEqual([
      { item: 'PPT_1', reason: 'the video of recording r1 is not there' },
    ]);
  });
});
