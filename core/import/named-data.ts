import { plural } from '../words.ts';

/**
 * Data of other tools by what it holds, so that a person is told what a file is and what becomes of it, whatever its name is.
 * The forms are those of their repositories (docs/importing.md).
 */

/** `what`: "an OSWorld task", as it goes on after "This is". `advice`: what a person can do; null where nothing is known. */
export type NamedData = { what: string; advice: string | null };

const UNPACK = 'Unpack it first, and import the folder or file that was in it.';
const MAKE_VIDEO = 'Make an .mp4, .mkv or .webm of it first (ffmpeg -i FILE film.mkv).';
const ITS_FOLDER = 'Import the folder that it lies in.';

/** [what it begins with, as latin1, where, what it is, advice] */
type Magic = readonly [begin: string, at: number, what: string, advice: string | null];

const MAGIC: readonly Magic[] = [
  ['7z\xbc\xaf\x27\x1c', 0, 'a 7z archive', UNPACK],
  ['Rar!', 0, 'a RAR archive', UNPACK],
  ['BZh', 0, 'a file packed by bzip2', UNPACK],
  ['\xfd7zXZ\0', 0, 'a file packed by xz', UNPACK],
  ['\x28\xb5\x2f\xfd', 0, 'a file packed by Zstandard', UNPACK],
  ['GIF87a', 0, 'a GIF', MAKE_VIDEO],
  ['GIF89a', 0, 'a GIF', MAKE_VIDEO],
  ['\x89PNG\r\n', 0, 'a PNG picture', null],
  ['\xff\xd8\xff', 0, 'a JPEG picture', null],
  ['ftypheic', 4, 'a HEIC picture', null],
  ['ftypmif1', 4, 'a HEIF picture', null],
  ['ftypavif', 4, 'an AVIF picture', null],
  ['WEBP', 8, 'a WebP picture', null],
  ['AVI ', 8, 'an AVI video', MAKE_VIDEO],
  ['WAVE', 8, 'sound (WAV)', null],
  ['OggS', 0, 'an Ogg file', MAKE_VIDEO],
  ['FLV\x01', 0, 'a Flash video', MAKE_VIDEO],
  ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', 0, 'a Windows Media file', MAKE_VIDEO],
  ['ID3', 0, 'sound (MP3)', null],
  ['fLaC', 0, 'sound (FLAC)', null],
  ['PAR1', 0, 'a Parquet table, as LeRobot and Hugging Face data sets hold them', null],
  ['SQLite format 3\0', 0, 'an SQLite database', null],
  ['\x89HDF\r\n', 0, 'an HDF5 file', null],
  ['%PDF-', 0, 'a PDF', null],
  ['\x93NUMPY', 0, 'a NumPy array', null],
];

/** What a file is by its first bytes (4,096 of them, or all); null for what is told otherwise: tar, videos that are taken, text. */
export function namedBytes(head: Uint8Array, size: number): NamedData | null {
  const text = latin1(head);
  if (text.startsWith('PK\x03\x04') || text.startsWith('PK\x05\x06')) return zipOf(text);
  if (text.startsWith('\x89MCAP0\r\n')) {
    const advice = 'Of MCAP the recordings of open-world-agents are imported: those of the profile "owa".';
    return { what: isOwamcap(head) ? 'an OWAMcap recording (open-world-agents)' : 'an MCAP recording', advice };
  }
  const known = MAGIC.find(([begin, at]) => text.startsWith(begin, at) && (at !== 8 || text.startsWith('RIFF')));
  if (known) return { what: known[2], advice: known[3] };
  return isTfRecord(head, size)
    ? { what: 'a TFRecord file, as AndroidControl and AITW are published', advice: null }
    : null;
}

/** An MCAP whose first record says the profile of open-world-agents. */
export function isOwamcap(head: Uint8Array): boolean {
  const text = latin1(head.subarray(0, 60));
  return text.startsWith('\x89MCAP0\r\n\x01') && text.includes('\x03\0\0\0owa');
}

/** Character by character: a spread of many would not fit on the stack. */
const latin1 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes.subarray(0, 4096)) text += String.fromCharCode(byte);
  return text;
};

function zipOf(text: string): NamedData {
  const made = [
    ['trace.trace', 'a Playwright trace', null],
    ['word/', 'a Word document', null],
    ['xl/', 'an Excel sheet', null],
    ['ppt/', 'a PowerPoint file', null],
    ['AndroidManifest.xml', 'an Android app', null],
  ] as const;
  const found = made.find(([name]) => text.includes(name));
  return found ? { what: `${found[1]} (a zip)`, advice: found[2] } : { what: 'a zip archive', advice: UNPACK };
}

/** A record: its length in 8 bytes, their checksum in 4, and a protocol buffer that begins with its first field. */
function isTfRecord(head: Uint8Array, size: number): boolean {
  if (head.length < 32) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const length = view.getUint32(0, true);
  return (
    view.getUint32(4, true) === 0 &&
    length > 8 &&
    length + 16 <= size &&
    view.getUint32(8, true) === masked(head.subarray(0, 8))
  );
}

/** CRC-32C, masked as TFRecord does it. */
function masked(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const steps = (value: unknown): string => plural(Array.isArray(value) ? value.length : 0, 'step');

/** [fields that it has, what it is, advice] by the first that fits. */
type Form = readonly [fields: readonly string[], what: (one: Fields) => string, advice: string | null];

/** How the file is called that every export has. */
export const OUR_MANIFEST = 'the manifest of an export of ours';
const EXPORT_OF_OURS = 'It is an export: import the recordings that it was made of, or an archive of them.';

const FORMS: readonly Form[] = [
  [
    ['id', 'instruction', 'evaluator'],
    () => 'an OSWorld task',
    'It says what is to be done, and becomes a task: `tasks import-osworld FILE`, or a folder of them. A run of it, or a video, shows how.',
  ],
  [
    ['task_id', 'instruction', 'traj'],
    ({ traj }) => `a published AgentNet trajectory of ${steps(traj)}`,
    'What is imported of AgentNet is the folder that its tool recorded (events.jsonl, metadata.json, video).',
  ],
  [['task_id', 'user_task_description', 'steps'], ({ steps: all }) => `an AgentNetBench task of ${steps(all)}`, null],
  [['example_id', 'task_id', 'content'], () => 'a trajectory in the form of OpenCUA', null],
  [['goal', 'is_successful', 'steps'], ({ steps: all }) => `an AndroidControl episode of ${steps(all)}`, null],
  [['episode_id', 'goal', 'actions'], () => 'an AndroidControl episode', null],
  [['annotation_id', 'confirmed_task', 'actions'], () => 'a Mind2Web task', null],
  [['require_login', 'intent', 'eval'], () => 'a WebArena task', null],
  [
    ['codebase_version', 'features'],
    ({ codebase_version: version }) =>
      `the head of a LeRobot data set ${typeof version === 'string' ? version : ''}`.trim(),
    null,
  ],
  [['eventsPath', 'startedAt', 'id'], () => 'a session of Codex Record & Replay', ITS_FOLDER],
  [['kind', 'timestamp', 'id'], () => 'events of Codex Record & Replay', ITS_FOLDER],
  [['time_stamp', 'action'], () => 'the events of a DuckTrack or AgentNet recording', ITS_FOLDER],
  [['screen_width', 'screen_height', 'system'], () => 'the metadata of a DuckTrack or AgentNet recording', ITS_FOLDER],
  [['split', 'action_type', 'action_narration'], () => 'rows of VideoGUI-Action', EXPORT_OF_OURS],
  [['split', 'subtask_query', 'action_sequence'], () => 'rows of VideoGUI-Mid-Plan', EXPORT_OF_OURS],
  [['fulltask_query', 'task_id', 'app'], () => 'rows of VideoGUI-High-Plan', EXPORT_OF_OURS],
  [['img_filename', 'bbox', 'instruction'], () => 'rows of ScreenSpot', null],
  [['images', 'annotations', 'categories'], () => 'a COCO data set', null],
  [['file_name', 'task_id', 'action_type'], () => 'the metadata of an image folder', EXPORT_OF_OURS],
  [['type', 't'], () => 'a file of a recording of ours', ITS_FOLDER],
  [['i', 'pts', 't'], () => 'a file of a recording of ours', ITS_FOLDER],
  [['log', 'entries'], () => 'an HTTP archive (HAR)', null],
  [['title', 'steps'], () => 'a recording of the Chrome Recorder', null],
  [['tests', 'suites', 'url'], () => 'a Selenium IDE project', null],
  [['type', 'data', 'timestamp'], () => 'a session of rrweb', null],
  [['version', 'width', 'height', 'timestamp'], () => 'a recording of asciinema', null],
];

/** What a JSON value is, or the first line of JSON Lines; null for what nobody here knows. A list is what its first entry is. */
export function namedJson(value: unknown): NamedData | null {
  const one = Array.isArray(value) ? value[0] : value;
  if (!isFields(one)) return null;
  const has = (name: string): boolean => Object.hasOwn(one, name);
  const { schema } = one;
  if (typeof schema === 'string' && schema.startsWith('trajectory-studio/')) {
    const kind = schema.slice('trajectory-studio/'.length, 60);
    if (kind === 'export') return { what: OUR_MANIFEST, advice: EXPORT_OF_OURS };
    return { what: `a file of ours (${kind})`, advice: ITS_FOLDER };
  }
  const form = FORMS.find(([fields]) => fields.every(has));
  if (form) return { what: form[1](one), advice: form[2] };
  return chatOf(one);
}

function chatOf(one: Fields): NamedData | null {
  const { messages, conversations } = one;
  const list = Array.isArray(messages) ? messages : Array.isArray(conversations) ? conversations : null;
  if (list === null || !list.every(isFields)) return null;
  const advice =
    'Of such data NaturalGAIA trajectories are imported: `messages` whose contents hold "=== Step1 ===", and `images`.';
  return { what: `chat data of ${plural(list.length, 'message')}`, advice };
}

const STEP = /^={2,}[ \t]*Step[ \t]*\d+[ \t]*=/im;

/** NaturalGAIA's form: what its reader takes, well or not. */
export function isTrajectory(value: unknown): boolean {
  const one = Array.isArray(value) ? value[0] : value;
  if (!isFields(one) || !Array.isArray(one.messages)) return false;
  return one.messages.some((each) => isFields(each) && typeof each.content === 'string' && STEP.test(each.content));
}

/** A run of ATIF, of whatever version it says. */
export const isAtif = (value: unknown): boolean =>
  isFields(value) && typeof value.schema_version === 'string' && value.schema_version.startsWith('ATIF');

/** A line of a run of OSWorld. */
export const isOsworldLine = (value: unknown): boolean =>
  isFields(value) && ['step_num', 'action_timestamp', 'action'].every((name) => Object.hasOwn(value, name));

/** The log of a task of VideoCUA. */
export const isVideocuaLog = (value: unknown): boolean =>
  isFields(value) && ['task_id', 'task_instruction', 'action_log'].every((name) => Object.hasOwn(value, name));
