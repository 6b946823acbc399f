const part = encodeURIComponent;

/** The address of every page. */
export const paths = {
  welcome: '/',
  settings: '/settings',
  library: (ws: string): string => `/w/${part(ws)}`,
  task: (ws: string, task: string): string => `/w/${part(ws)}/tasks/${part(task)}`,
  record: (ws: string, task: string): string => `/w/${part(ws)}/tasks/${part(task)}/record`,
  recordings: (ws: string): string => `/w/${part(ws)}/recordings`,
  annotate: (ws: string, recording: string): string => `/w/${part(ws)}/recordings/${part(recording)}`,
} as const;
