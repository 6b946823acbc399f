import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * No way around the gate unnoticed: whoever takes a function of Node that opens, copies, moves or removes a file is listed here
 * with the reason why the path is not one that data names. A path that data names goes through studio/files.
 */

const OWN = 'a temporary place or result of its own, named by the program';
const GIVEN = 'a file or folder that the person chose, looked at before it is opened';
const FOUND = 'a path that studio/files has found, or that was looked at just before';
const OPENED = 'a copy by opened folders and files, none of which a link leads away from';
const STAGED = 'a copy that the import made itself, of plain files alone';

const REASONS: Readonly<Record<string, string>> = {
  'agents/log.ts': OWN,
  'agents/asked-log.ts': OWN,
  'recordings/append-line.ts': OWN,
  'api/build-main.ts': OWN,
  'api/page-files.ts': OWN,
  'api/pages.ts': OWN,
  'api/pipe.ts': OWN,
  'store/backups/make.ts': OWN,
  'store/backups/restore.ts': FOUND,
  'datasets/freeze.ts': OWN,
  'datasets/hashes.ts': FOUND,
  'datasets/versions.ts': FOUND,
  'datasets/evaluate/answer-cache.ts': OWN,
  'datasets/evaluate/case-file.ts': OWN,
  'datasets/evaluate/judge-run.ts': OWN,
  'datasets/evaluate/prediction-log.ts': GIVEN,
  'datasets/evaluate/prompt-files.ts': GIVEN,
  'datasets/evaluate/query-frames.ts': OWN,
  'datasets/evaluate/question-sets.ts': OWN,
  'datasets/evaluate/receive.ts': OWN,
  'datasets/evaluate/runs.ts': OWN,
  'datasets/evaluate/write-questions.ts': OWN,
  'datasets/export/atif.ts': FOUND,
  'datasets/export/came-as-run.ts': FOUND,
  'datasets/export/grounding.ts': OWN,
  'datasets/export/osworld.ts': FOUND,
  'datasets/export/parquet.ts': FOUND,
  'datasets/export/pictures.ts': OWN,
  'datasets/export/preview-skill.ts': OWN,
  'datasets/export/preview.ts': OWN,
  'datasets/export/skill.ts': FOUND,
  'datasets/export/target.ts': FOUND,
  'datasets/export/to-bucket.ts': OWN,
  'datasets/export/text-file.ts': OWN,
  'datasets/export/webdataset.ts': OWN,
  'datasets/export/validate/media.ts': GIVEN,
  'datasets/export/validate/mp4.ts': GIVEN,
  'import/archive/export-archive.ts': OWN,
  'import/atif/read.ts': GIVEN,
  'import/archive/import-archive.ts': STAGED,
  'import/archive/read-archive.ts': GIVEN,
  'import/archive/vouched.ts': STAGED,
  'import/check-recording.ts': STAGED,
  'import/codex/import-codex.ts': GIVEN,
  'import/ducktrack/import-ducktrack.ts': OWN,
  'import/ducktrack/read.ts': GIVEN,
  'import/exact-bytes.ts': FOUND,
  'import/export-recording.ts': OWN,
  'import/import-any.ts': GIVEN,
  'import/land.ts': STAGED,
  'import/leftovers.ts': OWN,
  'import/lines.ts': STAGED,
  'import/naturalgaia/read.ts': GIVEN,
  'import/land-run.ts': OWN,
  'import/osworld/import-osworld.ts': OWN,
  'import/owamcap/mcap.ts': GIVEN,
  'import/owamcap/read.ts': GIVEN,
  'import/take-carried.ts': FOUND,
  'import/unpack.ts': GIVEN,
  'import/video/find-transcript.ts': GIVEN,
  'import/video/import-video.ts': GIVEN,
  'import/video/preview.ts': OWN,
  'import/what-is-it.ts': GIVEN,
  'documents/joined/composition-files.ts': FOUND,
  'play/checks/evaluate.ts': OWN,
  'play/checks/outcome.ts': OWN,
  'play/checks/query.ts': OWN,
  'play/checks/setting.ts': OWN,
  'play/checks/sound.ts': OWN,
  'play/perform-keys.ts': OWN,
  'play/read-times.ts': OWN,
  'session/push/journal.ts': OWN,
  'session/push/parcel.ts': OWN,
  'session/push/push.ts': OWN,
  'session/push/server-file.ts': OWN,
  'recordings/cut.ts': OWN,
  'recordings/frames.ts': OWN,
  'recordings/playback.ts': OWN,
  'recordings/voice-file.ts': FOUND,
  'recordings/whole-png.ts': FOUND,
  'session/recent.ts': OWN,
  'session/retention.ts': FOUND,
  'session/settings.ts': OWN,
  'session/workspaces.ts': OWN,
  'play/stage/cage.ts': OWN,
  'play/stage/clock.ts': 'its own file, and the first bytes of programs that this machine has, by their whole paths',
  'play/stage/copies.ts': OWN,
  'play/stage/display-number.ts': OWN,
  'play/stage/halt.ts': OWN,
  'play/stage/home-copy.ts': OPENED,
  'play/stage/home.ts': OWN,
  'play/stage/limits.ts': OWN,
  'play/stage/place.ts': OWN,
  'play/stage/processes.ts': OWN,
  'play/stage/services.ts': 'what the kernel says of the sockets of a stage',
  'store/attachments.ts': OWN,
  'recordings/texts/reader.ts': OWN,
  'api/uploads/uploads.ts': FOUND,
};

const TOUCHES =
  /^(?:copyFile|cp|readFile|open|rm|unlink|rename|link|truncate)(?:Sync)?$|^(?:createReadStream|openAsBlob)$/;
/** The store and the recorder write folders of their own; commands take what the person typed. */
const ELSEWHERE = /^(?:capture|cli|files|session\/(?:doctor|recorder))\/|^store\/(?!(?:backups|jobs)\/)/;

test('files that data names are read, copied, moved and removed by studio/files alone', () => {
  const root = join(import.meta.dirname, '..');
  const sources = globSync('**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.ts$|-for-tests\.ts$/.test(file) && !ELSEWHERE.test(file));
  expect(sources.length).toBeGreaterThan(100);
  const touching = sources.filter((file) => {
    const imports = readFileSync(join(root, file), 'utf8').matchAll(
      /import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g,
    );
    const names = [...imports].flatMap((found) =>
      (found[1] ?? '').split(',').map((name) => name.trim().split(' ')[0]!),
    );
    return names.some((name) => TOUCHES.test(name));
  });
  const unexplained = touching.filter((file) => REASONS[file] === undefined);
  expect(unexplained, 'Use studio/files for paths that data names, else say here why it is none.').toEqual([]);
  const all = sources.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  expect(all.match(/import \* as \w+ from 'node:fs|import \w+ from 'node:fs|import\('node:fs|require\(/g)).toBeNull();
});
