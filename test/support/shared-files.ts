/**
 * Test files whose modules keep nothing from one test to the next share their processes: loading the modules anew takes longer
 * than most of them run.
 */
export const SHARED = [
  '{schemas,core,renderer}/**/*.test.{ts,tsx}',
  'studio/{api,capture,datasets,documents,files,import,recordings,session}/**/*.test.ts',
  'studio/{agents,play,store}/*.test.ts',
  'studio/{agents/{draft,judge},play/checks,store/{contract,migrations,postgres}}/**/*.test.ts',
];

/** Those among them that put something in place of a module, a global or the clock; each has a process of its own. */
export const OWN_PROCESS = [
  'renderer/client/connection.test.ts',
  'renderer/client/follow.test.ts',
  'renderer/client/outbox.test.ts',
  'renderer/compare/actions.test.ts',
  'renderer/workbench/actions.test.ts',
  'renderer/workbench/document/sync.test.ts',
  'renderer/workbench/form/follow.test.ts',
  'renderer/workbench/frames/first.test.ts',
  'renderer/workbench/list/crops.test.ts',
  'renderer/workbench/with-document.test.ts',
  'studio/api/kept-files.test.ts',
  'studio/api/members/oidc.test.ts',
  'studio/api/play-differences.test.ts',
  'studio/api/threads.test.ts',
  'studio/capture/drops.test.ts',
  'studio/capture/elements.test.ts',
  'studio/capture/order-of-writing.test.ts',
  'studio/capture/say-lost.test.ts',
  'studio/capture/silence.test.ts',
  'studio/capture/start.test.ts',
  'studio/capture/voice.test.ts',
  'studio/capture/write-soon.test.ts',
  'studio/datasets/export/to-bucket.test.ts',
  'studio/documents/review/writers.test.ts',
  'studio/import/archive/flushed.test.ts',
  'studio/import/killed.test.ts',
  'studio/import/leftovers.test.ts',
  'studio/play/look.test.ts',
  'studio/recordings/derived.test.ts',
  'studio/recordings/finish.test.ts',
  'studio/recordings/kept-files.test.ts',
  'studio/session/background.test.ts',
  'studio/session/database-faults.test.ts',
  'studio/session/list-news.test.ts',
  'studio/session/open-workspace.test.ts',
  'studio/session/recorder/ear.test.ts',
  'studio/session/retention.test.ts',
  'studio/store/attachments.test.ts',
  'studio/store/postgres/place.test.ts',
  'studio/store/recordings.test.ts',
];
