import { AIDS_SCHEMA, AIDS_VERSION, type AidElement, aidsHeadSchema, aidsLineSchema } from '../../../schemas/aids.ts';
import { badFile, textLines } from '../../files/text-lines.ts';
import { headOf, type InputProblem, isHead, parsed, problemOf, refuseProblems } from './inputs.ts';

/** A question that wants elements, and its picture by the name that it has beside unaided questions. */
export type AidedQuestion = { id: string; picture: string; width: number; height: number };
type AidsFile = { source: string; elements(question: AidedQuestion): readonly AidElement[] };

/**
 * Reads elements that a detector found (`--aids`): by question or by picture, a question's own come first. Throws BAD_FILE
 * with every line that is torn, there twice, of no question and no picture, or has a box outside; FUTURE_VERSION.
 */
export function readAidsFile(file: string, questions: readonly AidedQuestion[]): AidsFile {
  const sizes = new Map<string, { width: number; height: number }>();
  for (const { id, picture, width, height } of questions) {
    for (const name of [id, picture]) sizes.set(name, { width, height });
  }
  const found = new Map<string, readonly AidElement[]>();
  const problems: InputProblem[] = [];
  let source = 'file';
  for (const line of textLines(file)) {
    const tell = (message: string) => problems.push({ file, line: line.line, message });
    const value = parsed(line, tell);
    if (value === undefined) continue;
    if (line.line === 1 && isHead(value, AIDS_SCHEMA)) {
      source = headOf(file, value, aidsHeadSchema, AIDS_VERSION).source;
      continue;
    }
    const { success, data, error } = aidsLineSchema.safeParse(value);
    if (!success) {
      tell(`it is no {"id", "elements"}: ${problemOf(error)}`);
      continue;
    }
    const id = sizes.has(data.id) ? data.id : data.id.replace(/\.(?:png|jpe?g|webp)$/i, '');
    const size = sizes.get(id);
    const outside =
      size && data.elements.findIndex(({ box: [x, y, w, h] }) => x + w > size.width || y + h > size.height);
    if (!size) tell(`the id "${data.id}" is no click, no drag and no picture of these questions`);
    else if (found.has(id)) tell(`the id "${data.id}" stands there twice`);
    else if (outside !== undefined && outside >= 0) {
      tell(`elements.${outside}.box lies outside of its picture, which is ${size.width} x ${size.height}`);
    } else found.set(id, data.elements);
  }
  refuseProblems(problems, 'so no questions were written. Mend them and write the questions again.');
  if (found.size === 0) throw badFile(file, 'there are no elements in it; it wants lines of {"id", "elements"}');
  return { source, elements: ({ id, picture }) => found.get(id) ?? found.get(picture) ?? [] };
}
