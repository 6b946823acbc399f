import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import { findFile } from '../../files/inside.ts';

/** The data that texts are read with, one file a language: from a folder of the user, or from the packages of npm. */

/** `eng`, `deu`, `chi_sim`: as the program tesseract calls them. */
const LANGUAGE = /^[a-z]{3}(?:_[a-z]{2,10}){0,2}$/;
const MOST_LANGUAGES = 6;

/** The package's own choice for screens first: as good there, and a quarter of the size. */
const INSIDE = ['4.0.0_best_int', '4.0.0'];

type LanguageFile = { language: string; folder: string; file: string };

/** Languages in words (`eng`, `deu+eng`, `eng, jpn`) as a list, each once. Throws USAGE for what is none. */
export function parseLanguages(text: string): string[] {
  const languages = [...new Set(text.split(/[\s,+]+/).filter((one) => one !== ''))];
  const wrong = languages.find((one) => !LANGUAGE.test(one));
  if (wrong === undefined && languages.length > 0 && languages.length <= MOST_LANGUAGES) return languages;
  throw new StudioError(
    'USAGE',
    `"${text.slice(0, 100)}" names no languages to read texts in: write them as tesseract calls them, at most ${MOST_LANGUAGES}, such as eng or eng+deu or chi_sim.`,
    { languages: text.slice(0, 100) },
  );
}

/** The data of each language: in `own`, else in its package. Throws NO_LIBRARY with what to install. */
export function findLanguages(languages: readonly string[], own: string | null): LanguageFile[] {
  return languages.map((language) => {
    const found = (own === null ? null : inFolder(language, resolve(own))) ?? inPackage(language);
    if (found) return found;
    throw new StudioError(
      'NO_LIBRARY',
      `Texts in the language "${language}" cannot be read: its data is not here. Run \`npm install @tesseract.js-data/${language}\`, or put ${language}.traineddata.gz into ${own === null ? 'a folder and name that in the settings (Text data)' : own}.`,
      { language, folder: own },
    );
  });
}

const NAMES = (language: string): string[] => [`${language}.traineddata.gz`, `${language}.traineddata`];

function inFolder(language: string, folder: string): LanguageFile | null {
  const file = NAMES(language).find((name) => findFile(folder, name) !== null);
  return file === undefined ? null : { language, folder, file };
}

function inPackage(language: string): LanguageFile | null {
  const place = packageFolder(`@tesseract.js-data/${language}`);
  if (place === null) return null;
  for (const inside of INSIDE) {
    const found = inFolder(language, join(place, inside));
    if (found) return found;
  }
  return null;
}

const packages = createRequire(import.meta.url);

/** Where a package that may be absent is installed; null where it is not. */
function packageFolder(name: string): string | null {
  try {
    return dirname(packages.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

/** Whether the program that reads texts is installed: it is an optional package. */
export const hasTextReader = (): boolean => packageFolder('tesseract.js') !== null;
