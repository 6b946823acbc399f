/** The rules of the public agent-skills specification for SKILL.md, and ours for what a skill of a demonstration says. */

export const SKILL_FILE = 'SKILL.md';
export const STEPS_FILE_OF_SKILL = 'references/steps.md';
const MOST_NAME = 64;
const MOST_DESCRIPTION = 1024;
const MOST_LINES = 500;
const KNOWN = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];

/** Why a name is none of a skill; null when it is. */
export function whyNoSkillName(name: string): string | null {
  if (name.length === 0 || name.length > MOST_NAME) return `it must have 1 to ${MOST_NAME} letters`;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return 'only a-z, 0-9 and single "-" between them may stand in it';
  return null;
}

/** A name of a skill for a goal; `otherwise` where the goal has no letter of a-z. */
export function skillName(goal: string, otherwise: string): string {
  const plain = (text: string): string => {
    const parts =
      text
        .normalize('NFKD')
        .toLowerCase()
        .match(/[a-z0-9]+/g) ?? [];
    const name = parts.join('-').slice(0, MOST_NAME);
    return name.endsWith('-') ? name.slice(0, -1) : name;
  };
  return plain(goal) || plain(otherwise) || 'skill';
}

export const shortDescription = (text: string): string =>
  text.length <= MOST_DESCRIPTION ? text : `${text.slice(0, MOST_DESCRIPTION - 2).trimEnd()} …`;

type FrontMatter = { fields: Map<string, string>; body: string };

/** The fields of the front matter (one a line; those below `metadata` are left to it). Null where there is none. */
function frontMatterOf(text: string): FrontMatter | null {
  const found = /^---\n([\s\S]*?)\n---\n/.exec(text);
  if (!found) return null;
  const fields = new Map<string, string>();
  for (const line of found[1]!.split('\n')) {
    const field = /^([A-Za-z-]+):[ \t]*(.*)$/.exec(line);
    if (field) fields.set(field[1]!, plainValue(field[2]!));
  }
  return { fields, body: text.slice(found[0].length) };
}

function plainValue(text: string): string {
  if (!text.startsWith('"')) return text.trim();
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

type SkillFiles = {
  /** The folder's own name. */
  folder: string;
  skill: string;
  /** references/steps.md; null when it is not there. */
  steps: string | null;
  has(file: string): boolean;
};

/** What is wrong with a skill's texts, each with its file. */
export function skillProblems({ folder, skill, steps, has }: SkillFiles): { file: string; why: string }[] {
  const problems: { file: string; why: string }[] = [];
  const report = (why: string, file = SKILL_FILE): unknown => problems.push({ file, why });
  const front = frontMatterOf(skill);
  if (!front) {
    report('it does not begin with front matter between two lines of ---');
    return problems;
  }
  const { fields, body } = front;
  const name = fields.get('name') ?? '';
  const whyName = whyNoSkillName(name);
  if (whyName) report(`the name "${name.slice(0, 80)}" is not allowed: ${whyName}`);
  else if (name !== folder) report(`the name is "${name}", its folder "${folder}": they must be one`);
  const description = fields.get('description') ?? '';
  if (description.trim() === '' || description.length > MOST_DESCRIPTION)
    report(`the description must have 1 to ${MOST_DESCRIPTION} characters, it has ${description.length}`);
  for (const field of fields.keys())
    if (!KNOWN.includes(field)) report(`the front matter has no field "${field}"; known are ${KNOWN.join(', ')}`);
  const lines = body.trimEnd().split('\n').length;
  if (lines >= MOST_LINES) report(`its body has ${lines} lines, and must have fewer than ${MOST_LINES}`);
  for (const [, file = ''] of `${body}\n${steps ?? ''}`.matchAll(/\]\((?:\.\.\/)?([\w./-]+)\)/g))
    if (!has(file)) report(`it names ${file}, which is not there`);
  if (steps === null) {
    report('it is not there', STEPS_FILE_OF_SKILL);
    return problems;
  }
  const sections = steps.split(/^## Step /m).slice(1);
  if (sections.length === 0) report('it has no step', STEPS_FILE_OF_SKILL);
  for (const section of sections) {
    const number = /^\d+/.exec(section)?.[0] ?? '?';
    if (!/^- Target: \S/m.test(section))
      report(`step ${number} names no target, and does not say that it has none`, STEPS_FILE_OF_SKILL);
  }
  const inputs = new Set([...body.matchAll(/^\| `\{([^}`]+)\}` \|/gm)].map(([, input]) => input));
  for (const [, input = ''] of steps.matchAll(/(?<!\\)\{((?:SECRET:)?[a-z0-9_]+)\}/g))
    if (!inputs.has(input)) report(`{${input}} is no input that ${SKILL_FILE} lists`, STEPS_FILE_OF_SKILL);
  return problems;
}
