import { english, tr } from '../language/tr.ts';

const KINDS: Readonly<Record<string, string>> = {
  import: english('Import {subject}'),
  arrival: english('Take annotation and history of {subject}'),
  task: english('Another task for {subject}'),
  export: english('Export {subject}'),
  archive: english('Write the archive {subject}'),
  keyframes: english('Keyframes of {subject}'),
  prepare: english('Pictures of {subject}'),
  playback: english('Playback copy of {subject}'),
  keep: english('Send large files of {subject} to their place'),
  push: english('Send {subject} to the server'),
  material: english('Fetch the files of {subject}'),
  texts: english('Texts in the pictures of {subject}'),
  duplicates: english('Search near duplicates of the {subject}'),
  freeze: english('Freeze {subject}'),
  instances: english('Make instances of {subject}'),
  validate: english('Validate {subject}'),
  count: english('Count the {subject}'),
  play: english('Play {subject}'),
  verify: english('Verify {subject}'),
  questions: english('Questions {subject}'),
  score: english('Score {subject}'),
  judge: english('Judge the plans of {subject}'),
  'model-run': english('A model does {subject}'),
  'ask-judges': english('Ask judges about {subject}'),
  sample: english('Candidates of the steps of {subject}'),
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NAMELESS: Readonly<Record<string, string>> = {
  export: english('Export'),
  validate: english('Validate an export'),
  questions: english('Make questions'),
  score: english('Score answers'),
  judge: english('Judge plans'),
};

/** The work of a job and what it is done to, in words; a kind that has no words yet is its own name. */
export function jobWords(kind: string, subject: string): string {
  const words = KINDS[kind] ?? KINDS[kind.split(/[.\-:]/)[0] ?? ''];
  // An id that nobody has seen names nothing.
  if (UUID.test(subject)) return NAMELESS[kind] ? tr(NAMELESS[kind]) : jobWords(kind, subject.slice(0, 8));
  return words ? tr(words, { subject }) : `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${subject}`;
}
