/** Half a sign (an emoji that was cut through) has no place in an address. */
const part = (value: string): string => encodeURIComponent(value.toWellFormed());

/** The address of every page. */
export const paths = {
  welcome: '/',
  settings: '/settings',
  signIn: '/sign-in',
  invitation: '/invitation',
  recordingBar: '/desktop/bar',
  screenShare: '/desktop/screen',
  library: (ws: string): string => `/w/${part(ws)}`,
  task: (ws: string, task: string): string => `/w/${part(ws)}/tasks/${part(task)}`,
  record: (ws: string, task: string): string => `/w/${part(ws)}/tasks/${part(task)}/record`,
  /** A person does the task on a stage in the page. */
  stage: (ws: string, task: string): string => `/w/${part(ws)}/tasks/${part(task)}/stage`,
  /** `recording`: the one that is shown first. */
  skill: (ws: string, task: string, recording: string | null = null): string =>
    `/w/${part(ws)}/tasks/${part(task)}/skill${recording === null ? '' : `?recording=${part(recording)}`}`,
  recordings: (ws: string): string => `/w/${part(ws)}/recordings`,
  /** `document`: somebody's blind replica; left out = the one that the person would work in. */
  annotate: (ws: string, recording: string, document: string | null = null): string =>
    `/w/${part(ws)}/recordings/${part(recording)}${document === null ? '' : `?document=${part(document)}`}`,
  review: (ws: string, recording: string): string => `/w/${part(ws)}/recordings/${part(recording)}/review`,
  compare: (ws: string, recording: string): string => `/w/${part(ws)}/recordings/${part(recording)}/compare`,
  play: (ws: string, recording: string): string => `/w/${part(ws)}/recordings/${part(recording)}/play`,
  /** Answers of models to its steps. */
  candidates: (ws: string, recording: string): string => `/w/${part(ws)}/recordings/${part(recording)}/candidates`,
  runs: (ws: string): string => `/w/${part(ws)}/runs`,
  liveRun: (ws: string, run: string): string => `/w/${part(ws)}/runs/${part(run)}`,
  arena: (ws: string): string => `/w/${part(ws)}/arena`,
  compositions: (ws: string): string => `/w/${part(ws)}/compositions`,
  /** `run`: one that is shown on its line. */
  composition: (ws: string, composition: string, run: string | null = null): string =>
    `/w/${part(ws)}/compositions/${part(composition)}${run === null ? '' : `?run=${part(run)}`}`,
  editComposition: (ws: string, composition: string): string => `/w/${part(ws)}/compositions/${part(composition)}/edit`,
  verify: (ws: string, composition: string): string => `/w/${part(ws)}/compositions/${part(composition)}/verify`,
  /** Compositions that somebody can verify. */
  verification: (ws: string): string => `/w/${part(ws)}/verification`,
  members: (ws: string): string => `/w/${part(ws)}/members`,
  work: (ws: string): string => `/w/${part(ws)}/work`,
  insights: (ws: string): string => `/w/${part(ws)}/insights`,
  dataset: (ws: string, view?: 'statistics' | 'duplicates' | 'versions'): string =>
    `/w/${part(ws)}/dataset${view === undefined ? '' : `/${view}`}`,
  exports: (ws: string): string => `/w/${part(ws)}/export`,
  evaluate: (ws: string): string => `/w/${part(ws)}/evaluate`,
  cases: (ws: string, run: string): string => `/w/${part(ws)}/evaluate/${part(run)}`,
} as const;
