import { isUtf8 } from 'node:buffer';
import { lstatSync, readFileSync } from 'node:fs';
import { imagesIn } from '../../../core/atif/images.ts';
import { rawValue } from '../../../core/atif/raw.ts';
import { readAtif } from '../../../core/atif/rules.ts';
import { type ScreenRun, screenRun, withoutScreen } from '../../../core/import/atif.ts';
import { parseShallow } from '../../../core/json-depth.ts';
import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Atif } from '../../../schemas/export-atif.ts';
import type { ImportLimits } from '../limits.ts';
import { pictureBeside } from '../picture-beside.ts';

/** A run as it was read: its own text, and its pictures by the paths that it gives (null: not there). */
export type FoundRun = { text: string; run: Atif; screen: ScreenRun; pictures: ReadonlyMap<string, string | null> };

/**
 * A run of ATIF with its pictures, which lie beside the file. Throws BAD_FILE with the step: for what is no ATIF, breaks its rules,
 * shows no screen, or names a picture outside of its folder.
 */
export function readAtifRun(file: string, limits: ImportLimits): FoundRun {
  const { size } = lstatSync(file);
  if (size > limits.jsonBytes) throw bad(file, '', `it is larger than ${limits.jsonBytes / 1e6} MB`);
  const bytes = readFileSync(file);
  if (!isUtf8(bytes)) throw bad(file, '', 'it is not UTF-8');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = parseShallow(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : 'damaged';
    throw bad(file, '', `it is a run in ATIF, but no whole JSON (${why}): it may have been cut off. Copy it again`);
  }
  const read = readAtif(value);
  if ('problems' in read) {
    const [first] = read.problems;
    const more = read.problems.length > 1 ? ` (and ${plural(read.problems.length - 1, 'more problem')})` : '';
    throw bad(file, first!.where, `${first!.why}${more}`); // There is at least one.
  }
  const pictures = new Map<string, string | null>();
  for (const { path, step } of imagesIn(rawValue(text))) {
    const name = String(JSON.parse(text.slice(path.from, path.to)));
    const where = step === 0 ? 'a subagent' : `step ${step}`;
    if (!pictures.has(name))
      pictures.set(
        name,
        pictureBeside(file, name, (why) => bad(file, where, why)),
      );
  }
  const screen = screenRun(read.run);
  if (screen.pictures.length === 0 || screen.steps.length === 0) throw bad(file, '', withoutScreen(screen));
  return { text, run: read.run, screen, pictures };
}

function bad(file: string, where: string, why: string): StudioError {
  const place = where === '' ? '' : `, ${where}`;
  return new StudioError('BAD_FILE', `${file}${place}: ${why.replace(/\.$/, '')}. Nothing was kept.`, { file, where });
}
