import type { SoftwareInfo, TaskRow } from '../../schemas/api/models.ts';

export const software: SoftwareInfo[] = [
  { id: 'ppt', name: 'PowerPoint', prefix: 'PPT', platforms: '', aliases: [], executables: [], category: '', tasks: 0 },
  {
    id: 'vlc',
    name: 'VLC media player',
    prefix: 'VLC',
    platforms: '',
    aliases: [],
    executables: [],
    category: '',
    tasks: 0,
  },
];

/** A task's row as the studio gives it. */
export const row = (id: string, of: string, goal: string, rest: Partial<TaskRow> = {}): TaskRow => ({
  id,
  software: of,
  goal,
  platform: 'Windows 11',
  state: 'open',
  recordings: 0,
  furthest: null,
  picture: null,
  progress: 0,
  createdAt: '2026-11-01T00:00:00.000Z',
  ...rest,
});
