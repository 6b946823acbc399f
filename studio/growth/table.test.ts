import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Nobody adds a reader of what comes from outside without its place in the growth table: a file that parses, or reads a
 * file, an answer or a stream, is imported by one of the lists `…-readers-for-tests.ts` beside this file, or stands below
 * with the reason why it is none of them.
 */

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * The signs of a reader: it opens something, also by a gate, decodes something, listens to another process or a sender, or is
 * called a reader.
 */
const READS = new RegExp(
  [
    String.raw`\bJSON\.parse\(|\breadFile(?:Sync)?\(|\bcreateReadStream\(|\breadSync\(|\bcreateInterface\(`,
    String.raw`\bread(?:In|Given|Found|Bounded|BoundedIn)\(|\bopen(?:In|Given|Found)\(|\blastBytesIn\(`,
    String.raw`\bparquet(?:Read|Metadata)\w*\(|\bnew TextDecoder\(|\.(?:text|json)\(\)`,
    String.raw`\.on\('data'|\bfor await \(const \w+ of (?:child|request|response|body|input)\b|\bspawnSync\(`,
    String.raw`^export (?:async )?(?:function\*? |const )(?:read|parse)[A-Z]\w*`,
  ].join('|'),
  'm',
);

/** Files that are read by what is in the table, through its entries: what they cost is judged there. */
const THROUGH: Readonly<Record<string, string>> = {
  'studio/documents/joined/carried-compositions.ts': 'by composition-files and verification-log',
  'studio/documents/joined/carried-runs.ts': 'by run-files',
  'studio/play/instances.ts': 'a composition that composition-files has read; files of tasks are only copied',
  'core/evaluate/reading/tool-acts.ts': 'answers of a model, through scoreCase',
  'core/export/osworld/original.ts': 'a run that readOsworldRun has taken',
  'studio/datasets/export/came-as-run.ts': 'a run that readOsworldRun or readAtifRun has taken, by parseShallow',
  'core/evaluate/answers.ts': 'answers of a model, through scoreCase',
  'core/evaluate/critic.ts': 'answers of a model, through readCritic',
  'core/evaluate/keys/parse.ts': 'answers of a model, through scoreCase',
  'core/evaluate/keys/score.ts': 'keys, through HOSTILE_KEYS',
  'core/import/naturalgaia.ts': 'through readTrajectories',
  'core/atif/raw.ts': 'through readAtifRun',
  'core/atif/rules.ts': 'through readAtifRun',
  'core/export/atif/original.ts': 'a run that readAtifRun has taken',
  'studio/datasets/export/validate/formats/atif.ts': 'through parseShallow and the rules that readAtifRun has',
  'studio/api/page-files.ts': 'what the build of the pages wrote beside them',
  'studio/recordings/derived.ts': 'through openFolder; recording.json, as readRecording has it',
  'studio/datasets/evaluate/answer.ts': 'lines by textLines, checked one by one',
  'studio/datasets/export/validate/jsonl.ts': 'through eachLine',
  'studio/datasets/export/validate/mp4.ts':
    'the head of a video up to 16 MB, at most 10,000 boxes a level, each looked at once',
  'studio/datasets/export/validate/formats/lerobot.ts': 'rows through readParquet, files through readJson',
  'studio/import/archive/import-archive.ts': 'through openArchive and parseLine',
  'studio/import/archive/arriving-version.ts': 'through readVersion',
  'studio/import/archive/confirm.ts': 'through openArchive; recording.json of an archive that was taken',
  'studio/import/ducktrack/target-names.ts': 'through readBoundedLines',
  'studio/import/owamcap/mcap.ts': 'through readOwamcap',
  'studio/import/check-recording.ts': 'through readBoundedLines and readBoundedJson',
  'studio/import/what-is-it.ts': 'through kindOfImport',
  'studio/import/video/find-transcript.ts': 'through readTranscript',
  'studio/files/lines.ts': 'through readEvents',
  'studio/play/task-contents.ts': 'through recipeOfTask and checksOfTask',
  'native/screen/by-ffmpeg/segment.ts': 'through parseShowinfo',
  'native/mkv/cut.ts': 'through readMkvIndex; the rest copies bytes',
};

/** Read whole, once, and only up to a size that is written there. */
const BOUNDED: Readonly<Record<string, string>> = {
  'native/ffmpeg/microphone.ts': 'samples that are handed on as they come; of its words the last 2,000 characters',
  'native/linux/record.ts': 'one event of the X server, of 32 bytes',
  'studio/store/backups/place.ts': 'a list of at most 500 MB, by parseShallow and its schema',
  'studio/play/osworld-tasks.ts': 'tasks, through readOsworldTask',
  'studio/store/osworld-task-file.ts': 'tasks of 2 MB, through their schema',
  'studio/documents/joined/composition-files.ts': 'a composition of 32 MB, through its schema, of at most 500 members',
  'studio/documents/joined/run-files.ts': 'a run of 64 MB, through its schema, of a composition of at most 500 members',
  'studio/documents/joined/verification-log.ts':
    'lines of 16 MB at most, each through its schema: of as many acts as people did',
  'studio/api/team/json-body.ts': 'a question of 10 kB, through its schema',
  'studio/api/team/listen-team.ts': 'nothing: it hears that pieces of a body come',
  'studio/api/team/oidc-routes.ts': 'a cookie of 4 kB, through its schema',
  'studio/files/below.ts':
    'entries of a folder up to the most that its caller says; their bytes are only packed and hashed',
  'studio/cli/commands/oidc-options.ts': 'the first line of a file of 4 kB',
  'studio/api/team/member-settings.ts': 'settings of 1 MB, which this program wrote',
  'studio/session/push/wire.ts': 'an answer of 64 MB, through its schema; of a page its first 20,000 bytes',
  'studio/play/agreed.ts': 'the last 4 MB of a file of this program',
  'studio/play/consent.ts': 'a file of a task, only hashed',
  'studio/datasets/export/skill.ts': 'a recipe or checks of a task, and pictures that are only hashed',
  'studio/datasets/export/validate/skill.ts': 'texts of 4 MB',
  'core/skill/rules.ts': 'texts of 4 MB, as studio/datasets/export/validate/skill.ts reads them',
  'studio/store/evidence.ts': 'a report of the size of a file of a task',
  'electron/host/channels.ts': 'paths of 4,096 letters and a menu of bounded length',
  'core/import/pynput-keys.ts': 'a name of 100 letters, and what pynput prints of a key, 200',
  'native/wayland/evdev.ts': 'events of 24 bytes from the kernel, and what a device says of itself',
  'native/bus/gio.ts': 'values of the desktop’s own settings and its portal',
  'native/bus/dbus-values.ts': 'the first 10,000 values of one message, which libdbus has checked',
  'native/wayland/input-devices.ts': 'devices of the kernel; files beside them are written by tests',
  'native/wayland/keyboard.ts': 'one number for each light of the keyboard',
  'native/wayland/settings.ts': 'settings of the desktop, one by one',
  'studio/api/long-answers.ts': 'a question of 10 kB',
  'electron/host/open.ts': 'the head of a manifest, 64 kB',
  'studio/datasets/evaluate/prompt-files.ts': 'prompts of the person who runs the command',
  'studio/datasets/export/validate/bounds.ts': 'texts of 256 MB and pictures of 268 MB, in a process that may be ended',
  'studio/import/exact-bytes.ts': 'as many bytes as were asked for',
  'studio/files/mime.ts': 'the first 4,096 bytes of a file',
  'studio/files/read-holder.ts': 'at most 4,096 bytes of a note of a process',
  'studio/capture/torn.ts': 'the end of a file, in steps of a fixed size',
  'studio/files/picture.ts': 'pictures have bounds of their own (picture.test.ts)',
  'native/ffmpeg/run.ts': 'the last words of ffmpeg, of a length that is written there',
  'native/ffmpeg/decode.ts': 'pictures of a size that is known, and the last words of ffmpeg',
  'native/ffmpeg/feed.ts': 'the last words of ffmpeg',
  'native/screen/outside-listen.ts': 'a body of as many bytes as its picture has',
  'studio/play/checks/folder.ts': 'a folder of 50,000 entries, each looked at once',
  'studio/play/checks/query.ts': 'a database of 256 MB; its process is ended after a time',
  'studio/play/checks/session.ts': 'a session of 64 MB, through pagesOfSession',
  'studio/play/checks/sound.ts': 'a sound of 32 MB, of which ffmpeg prints 4 MB in 10 s at most',
  'studio/play/checks/setting.ts': 'settings of 4 MB, of which gsettings prints 1 MB',
  'studio/store/task-files.ts': 'a file of a task, only hashed',
  'schemas/model-requests.ts': 'an answer of 4,000,000 characters, as studio/models/model.ts reads it',
  'studio/models/model.ts': 'an answer of 4,000,000 characters, each looked at once (chat-reply.ts)',
  'studio/models/transcription.ts': 'an answer of 8,000,000 characters, looked at once',
  'studio/models/protocols/anthropic.ts': 'the same answer',
  'studio/models/protocols/gemini.ts': 'the same answer',
  'studio/models/protocols/openai.ts': 'the same answer',
  'studio/models/protocols/responses.ts': 'the same answer',
  'studio/files/versioned.ts': 'one file of a bounded size, by its schema',
  'studio/recordings/log-lines.ts': 'lines by readJsonLines, each looked at once',
  'studio/recordings/agent-log.ts': 'the same',
  'studio/recordings/judge-log.ts': 'the same',
  'studio/recordings/draft-log.ts': 'the same',
  'studio/recordings/candidate-log.ts': 'the same',
  'studio/recordings/append-line.ts': 'of a file only the last byte',
  'core/agents/judge/read-answer.ts': 'the answer that one-answer.ts reads',
  'core/agents/draft/draft.ts': 'the same answer',
  'core/agents/candidates/ask.ts': 'the same answer',
  'core/agents/one-answer.ts': 'an answer of 40,000 characters at most, which is looked at first',
  'studio/agents/replay.ts': 'pictures of the size of a screen',
  'studio/recordings/agent-report.ts': 'one report of at most 64 MB, by its schema',
  'studio/store/ballots.ts': 'rankings of 64 MB, line by line',
  'studio/datasets/export/to-bucket.ts': 'files of an export that was just written, handed on in pieces',
  'studio/files/blobs/folder.ts': 'pieces of a megabyte, and the names of one folder',
  'studio/agents/film.ts': 'pictures of a run of this program, 300 at most',
  'schemas/screen-source.ts': 'a fixed number of fields of one request',
  'studio/play/installed.ts': 'entries of the system’s menu, 256 kB each, at most 3,000 of a folder, line by line',
};

/** Written by this program, and read where nobody else writes: other files of the machine's user, its own processes. */
const OWN: Readonly<Record<string, string>> = {
  'studio/api/members/sessions.ts': 'the rights of a token, which this program wrote',
  'studio/api/uploads/notes.ts': 'notes of this program, and bytes that are only stored',
  'studio/session/push/journal.ts': 'notes of this program, of a few lines',
  'studio/session/push/parcel.ts': 'a list that this program wrote, and bytes that are only sent',
  'studio/session/push/server-file.ts': 'a note of this program, of a few lines',
  'native/process/built-packages.ts': 'a list that our set-up wrote, and the manifests of installed packages',
  'native/linux/server-process.ts': 'what the kernel says of a process',
  'native/linux/terminals.ts': 'what the kernel says of processes and their terminals',
  'native/linux/young-programs.ts': 'what the kernel says of a process',
  'studio/datasets/export/preview-skill.ts': 'the text of a skill that this program has just written, 4 MB',
  'studio/play/read-times.ts': 'words of our own process that reads texts',
  'studio/play/stage/cage.ts': 'words of bubblewrap and of our own process',
  'studio/play/stage/display-number.ts': 'a lock of an X server, and what the kernel says of sockets',
  'studio/play/stage/limits.ts': 'what the kernel says of control groups',
  'studio/play/stage/own-network.ts': 'words of bubblewrap',
  'studio/play/stage/uncaged.ts': 'words of our own process',
  'studio/store/made-task.ts': 'a note of the task that an import makes, 16 MB',
  'studio/recordings/by-hand.ts': 'only compared with what is to stand there; readByHand reads it',
  'core/play/frame-reader.ts': 'frames of the studio to its own page, each of at most 64 MB',
  'core/play/live-frames.ts': 'frames that this program made',
  'electron/host/memory.ts': 'where the window was',
  'electron/host/pipe.ts': 'answers of the studio to its own desktop app',
  'electron/host/recent.ts': 'answers of the studio to its own desktop app',
  'electron/host/recorder-state.ts': 'answers of the studio to its own desktop app',
  'electron/host/studio-process.ts': 'words of the studio to its own desktop app',
  'native/screen/encoders.ts': 'words of ffmpeg while it encodes our own pictures',
  'native/process/start-process.ts': 'the last 2,000 bytes of what our own process prints',
  'native/process/start-thread.ts': 'the last 2,000 bytes of what our own thread prints',
  'studio/session/doctor/read-log.ts': 'the last 2.1 MB of each log of this program',
  'studio/play/learnt.ts': 'a file in derived/ that this program made of the same files, 16 MB',
  'studio/play/stage/isolation.ts': 'whether a tool of the system works',
  'studio/play/stage/set-stage.ts': 'what the servers of a stage say, the end of it',
  'studio/play/stage/clock.ts': 'the first eight thousand bytes of a program of this machine',
  'studio/play/stage/launch.ts': 'the end of what a program on a stage printed, four thousand bytes',
  'studio/play/stage/copies.ts': 'what this program wrote of a home, a line for each file',
  'studio/play/stage/halt.ts': 'what the kernel says of processes',
  'studio/play/stage/place.ts': 'the end of a log of the display, a thousand bytes',
  'studio/play/stage/seen.ts': 'what this program wrote of a home beside its stage',
  'native/macos/stage.ts': 'words of our own process that proves a Mac',
  'studio/play/stage/home.ts': 'the state of a stage that this program began',
  'studio/play/stage/services.ts': 'what the kernel says of the sockets of a stage',
  'studio/play/stage/processes.ts': 'what the kernel says of processes',
  'native/wayland/token.ts': 'a token that this program keeps',
  'native/macos/patch-process.ts': 'words of the process that paints the check',
  'studio/files/own-key.ts': 'a key of 64 digits that this program made',
  'studio/cli/running.ts': 'the entry of a running server, and its answers',
  'studio/session/recorder/preflight.ts': 'what our own process for the look writes, 16 MB',
  'studio/session/recorder/recover-all.ts': 'recording.json, as readRecording has it',
  'studio/capture/forget.ts': 'two numbers in a marker of this program',
  'studio/capture/recover.ts': 'the pid file of a recording',
  'studio/capture/start.ts': 'the last lines of the capture process’s log',
  'studio/api/pages.ts': 'pages that were built here',
  'studio/session/workspaces.ts': 'the list of workspaces, through openRecent',
};

/** Rows of a database. What they hold was checked when it was written; a workspace from others is a small one's work. */
const ROWS: readonly string[] = [
  'studio/store/own-mark.ts',
  'core/review/compare-read.ts',
  'studio/datasets/duplicates.ts',
  'studio/datasets/export/exports.ts',
  'studio/datasets/rows.ts',
  'studio/datasets/terms.ts',
  'studio/datasets/brief.ts',
  'studio/documents/review/figures.ts',
  'studio/documents/review/policy.ts',
  'studio/documents/review/view.ts',
  'studio/store/database.ts',
  'studio/store/jobs.ts',
  'studio/store/meta.ts',
  'studio/store/software.ts',
  'studio/store/crops.ts',
  'studio/store/curation.ts',
  'studio/store/documents.ts',
  'studio/store/facts.ts',
  'studio/store/review-events.ts',
  'studio/store/transactions.ts',
  'studio/store/postgres/rows.ts',
  'studio/store/postgres/work.ts',
];

/** The system's displays, windows and keys, by calls that give a bounded number of them. */
const SYSTEM: readonly string[] = [
  'native/linux/client-message.ts',
  'native/linux/displays.ts',
  'native/linux/pointer.ts',
  'native/linux/windows.ts',
  'native/macos/displays.ts',
  'native/macos/layout.ts',
  'native/windows/displays.ts',
  'native/windows/layout.ts',
];

/** Files that are copied, hashed or sent and not looked into, and the gate that opens them. */
const BYTES: readonly string[] = [
  'studio/files/hash.ts',
  'studio/files/take-body.ts',
  'studio/store/backups/make.ts',
  'studio/store/backups/restore.ts',
  'studio/api/serve-file.ts',
  'studio/datasets/hashes.ts',
  'studio/datasets/evaluate/data-set.ts',
  'studio/datasets/evaluate/question-pictures.ts',
  'studio/datasets/evaluate/question-sets.ts',
  'studio/recordings/stills.ts',
  'studio/datasets/export/grounding.ts',
  'studio/datasets/export/pictures.ts',
  'studio/datasets/export/target.ts',
  'studio/files/inside.ts',
  'studio/store/jobs/hash-worker.ts',
];

/** Words that the person typed for a command. */
const TYPED: readonly string[] = [
  'studio/cli/ask.ts',
  'studio/cli/run-filter.ts',
  'studio/cli/commands/on-stage.ts',
  'studio/cli/commands/annotate.ts',
  'studio/cli/commands/dataset-terms.ts',
  'studio/cli/commands/endpoint-options.ts',
  'studio/cli/commands/tasks.ts',
  'studio/cli/commands/voice.ts',
  'studio/cli/main.ts',
  'studio/cli/values.ts',
  'studio/recordings/texts/languages.ts',
];

test('every reader of what comes from outside is in the growth table, or says here why not', () => {
  const files = globSync('{core,native,studio,electron,schemas}/**/*.ts', { cwd: ROOT })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !/\.test\.ts$|-for-tests\.ts$/.test(name));
  const readers = files.filter((name) => READS.test(readFileSync(join(ROOT, name), 'utf8')));
  const inTable = new Set(
    globSync('*-readers-for-tests.ts', { cwd: import.meta.dirname }).flatMap((list) =>
      [...readFileSync(join(import.meta.dirname, list), 'utf8').matchAll(/ from '(\.\.?\/[^']+)'/g)].map((found) =>
        posix.join(dirname('studio/growth/x'), found[1]!),
      ),
    ),
  );
  const elsewhere = [THROUGH, BOUNDED, OWN].flatMap((group) => Object.keys(group));
  elsewhere.push(...ROWS, ...SYSTEM, ...BYTES, ...TYPED);
  expect(readers.filter((name) => !inTable.has(name) && !elsewhere.includes(name))).toEqual([]);
  // What is named here is still there, still a reader, and not in the table as well.
  expect(elsewhere.filter((name) => !readers.includes(name) || inTable.has(name))).toEqual([]);
  expect(new Set(elsewhere).size).toBe(elsewhere.length);
  expect(readers.length).toBeGreaterThan(100);
});

test('what measures growth is called so: vitest.config.ts lets nothing else run beside it', () => {
  const tests = globSync('{core,native,studio,electron,schemas,renderer,scripts}/**/*.test.{ts,tsx}', { cwd: ROOT });
  const measuring = tests
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\/support\/growth\.ts'/.test(readFileSync(join(ROOT, name), 'utf8')));
  expect(measuring.length).toBeGreaterThan(4);
  expect(measuring.filter((name) => !/^(?:core|studio|renderer)\/.*[/.]growth\.test\.ts$/.test(name))).toEqual([]);
});
