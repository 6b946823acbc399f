/**
 * Who may import whom one level down. For a top folder: each of its folders (a room) with the rooms that it may import, from
 * the ground up: a room may name only rooms listed before it, so there is no circle and no arrow back. The files that are
 * directly in the top folder are the room `.`. Imports of types alone and `import()` count; tests are free.
 * A folder that is not in this table is not checked; of one that is, every folder must be listed. A folder inside a room has a table
 * of its own where the order inside it matters. `'.': null`: what is directly in the folder may import any of its rooms and be
 * imported by each.
 */
export const ROOMS = {
  native: {
    memory: [],
    disk: [],
    clock: [],
    log: [],
    // The only place that starts a process or a thread of ours.
    process: ['log'],
    input: [],
    mkv: [],
    ffmpeg: ['disk', 'mkv'],
    screen: ['memory', 'disk', 'clock', 'log', 'process', 'mkv', 'ffmpeg'],
    platform: ['input', 'screen'],
    // D-Bus, by which Linux desktops are asked.
    bus: ['memory'],
    elements: ['bus'],
    // The adapters, one a system: none leans on another.
    linux: ['memory', 'clock', 'process', 'input', 'screen', 'platform', 'bus', 'elements'],
    wayland: ['memory', 'clock', 'process', 'input', 'screen', 'platform', 'bus'],
    macos: ['clock', 'input', 'screen', 'platform', 'elements'],
    windows: ['memory', 'clock', 'input', 'screen', 'platform', 'elements'],
    // index.ts: the door that knows the adapters.
    '.': ['clock', 'platform', 'elements', 'linux', 'wayland', 'macos', 'windows'],
  },
  studio: {
    // Plain files and folders: whole writes, locks, lines, what data names. Its users stand above it, the store too.
    files: [],
    // The database, with the index of recordings/; its backups, and its jobs, of which what one does is told to it.
    store: ['files'],
    // Endpoints of models, with their keys and prices; no file of ours.
    models: [],
    // A closed recording: what its folder says, and the texts in its pictures. Capture, which writes such folders, closes them
    // by the same reading.
    recordings: ['files', 'store'],
    capture: ['files', 'store', 'recordings'],
    // Documents that people write of recordings and compositions, and their review.
    documents: ['files', 'store', 'recordings'],
    // Tasks that are chosen, what is exported of them, and predictions that are scored on them.
    datasets: ['files', 'store', 'models', 'recordings', 'documents'],
    import: ['files', 'store', 'recordings', 'capture', 'documents', 'datasets'],
    // An open workspace: wires all of the above. With whoever records for it, and sends its recordings to a team's server.
    session: ['files', 'store', 'recordings', 'capture', 'documents', 'datasets', 'import'],
    // Demonstrations performed again on stages, and their checks.
    play: ['files', 'store', 'recordings', 'capture', 'documents'],
    // Runs of models: episodes whose script is written as they go; and compositions, tasks done one after another on one stage.
    agents: ['files', 'store', 'models', 'recordings', 'documents', 'datasets', 'play'],
    // The HTTP interface of pages and scripts, and a team's server.
    api: ['files', 'store', 'recordings', 'documents', 'datasets', 'import', 'session', 'play', 'agents'],
    cli: [
      ...['files', 'store', 'models', 'recordings', 'capture', 'documents', 'datasets', 'import', 'session', 'play'],
      ...['agents', 'api'],
    ],
    // Tests alone: how the time of each reader grows with its input.
    growth: [],
  },
  'studio/store': {
    '.': null,
    migrations: [],
    postgres: ['migrations'],
    // One suite over SQLite, PGlite and PostgreSQL; tests alone.
    contract: [],
    // Queue, hub and hash threads.
    jobs: [],
    backups: [],
  },
  'studio/recordings': {
    '.': [],
    texts: ['.'],
  },
  'studio/documents': {
    // The review decides who may write, and is given to them (Gate).
    '.': [],
    review: ['.'],
    // Files of compositions and of their verification, which archives carry too.
    joined: [],
  },
  'studio/datasets': {
    '.': [],
    export: ['.'],
    evaluate: ['.'],
  },
  'studio/session': {
    '.': [],
    doctor: [],
    recorder: ['.', 'doctor'],
    push: ['.'],
  },
  'studio/play': {
    stage: [],
    checks: ['stage'],
    '.': ['stage', 'checks'],
  },
  'studio/agents': {
    '.': null,
    judge: [],
    draft: [],
    // Answers to single steps.
    candidates: [],
    compositions: [],
  },
  'studio/api': {
    '.': null,
    // Members of a team's server and their rights.
    members: [],
    // Uploads to a team's server, which come in pieces.
    uploads: [],
    routes: ['members', 'uploads'],
    team: ['members', 'uploads', 'routes'],
  },
  renderer: {
    language: [],
    // The design system: no feature, no request.
    ui: ['language'],
    // Talks to the studio.
    client: ['language', 'ui'],
    // What several lists show: columns that are chosen, saved views, small pictures, a preview beside them.
    lists: ['language', 'ui', 'client'],
    figures: ['language'],
    jobs: ['language', 'ui', 'client'],
    desktop: ['language', 'ui', 'client'],
    imports: ['language', 'ui', 'client', 'jobs', 'desktop'],
    // One recording: stage, timeline, list, form, its document and its review log.
    workbench: ['language', 'ui', 'client', 'imports'],
    comments: ['language', 'ui', 'client', 'workbench'],
    // The pages.
    recordings: ['language', 'ui', 'client', 'lists', 'jobs', 'desktop', 'imports'],
    datasets: ['language', 'ui', 'client', 'lists', 'jobs'],
    library: ['language', 'ui', 'client', 'lists', 'imports'],
    task: ['language', 'ui', 'client', 'imports', 'recordings'],
    skill: ['language', 'ui', 'client', 'desktop'],
    exports: ['language', 'ui', 'client', 'jobs', 'desktop', 'datasets'],
    annotate: ['language', 'ui', 'client', 'workbench', 'comments'],
    review: ['language', 'ui', 'client', 'workbench', 'comments'],
    compare: ['language', 'ui', 'client', 'figures', 'workbench', 'comments'],
    play: ['language', 'ui', 'client', 'workbench'],
    runs: ['language', 'ui', 'client', 'play', 'jobs'],
    compositions: ['language', 'ui', 'client', 'jobs'],
    team: ['language', 'ui', 'client'],
    work: ['language', 'ui', 'client', 'lists'],
    welcome: ['language', 'ui', 'client', 'desktop'],
    recorder: ['language', 'ui', 'client', 'desktop'],
    insights: ['language', 'ui', 'client', 'figures'],
    evaluate: ['language', 'ui', 'client', 'jobs', 'desktop', 'workbench'],
    settings: ['language', 'ui', 'client', 'desktop'],
    // The only room that knows the pages.
    shell: [
      ...['language', 'ui', 'client', 'jobs', 'desktop', 'recordings', 'datasets', 'library', 'task', 'exports'],
      ...[
        'annotate',
        'review',
        'compare',
        'play',
        'runs',
        'work',
        'welcome',
        'recorder',
        'insights',
        'evaluate',
        'settings',
      ],
      ...['workbench', 'comments', 'skill', 'compositions', 'team'],
    ],
    '.': [],
  },
  core: {
    '.': null,
    actions: [],
    annotate: ['actions'],
    keyframes: [],
    review: ['annotate'],
    curate: ['actions', 'annotate'],
    atif: [],
    team: [],
    export: ['actions', 'annotate', 'review', 'atif'],
    skill: ['actions', 'export'],
    evaluate: ['annotate', 'export'],
    import: ['annotate', 'review', 'evaluate'],
    play: ['actions', 'annotate', 'keyframes', 'evaluate'],
    osworld: ['evaluate', 'import', 'play'],
    tasks: ['play'],
    compositions: ['evaluate', 'play'],
    agents: ['actions', 'annotate', 'review', 'export', 'evaluate', 'import', 'play', 'compositions'],
  },
  'renderer/workbench': {
    // The page's frame and the state of it.
    '.': null,
    document: [],
    log: ['document'],
    frames: [],
    video: ['frames'],
    timeline: ['frames', 'video'],
    stage: ['frames', 'video'],
    list: ['frames', 'stage'],
    form: ['frames', 'stage', 'list'],
    sheet: ['stage', 'list', 'form'],
    acts: ['document', 'stage', 'list', 'sheet'],
  },
};
