import { readFileSync, realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Loads the packages that consist of hundreds of modules as the few files that the set-up made of them
 * (scripts/build-packages.mjs). To import this module is to use it from now on, so it comes first: in the command line, and by
 * with-built-packages.ts in processes and threads. One that loaded a package before would have it twice. Where nothing was
 * built, or one of the packages is installed in another version, all are loaded as they are installed.
 */

type List = {
  /** The version of each package that was built. */
  versions: Record<string, string>;
  /** The file of a package that Node would load, and the built one. */
  modules: { package: string; from: string; built: string }[];
};

const FOLDER = new URL('../../build/packages/', import.meta.url);

/** Asked at the first package: many processes load none. */
let places: Map<string, string> | null = null;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    // A test runner imports the file that it has found by itself.
    if (/^(?:\.|node:)/.test(specifier) || !resolved.url.includes('/node_modules/')) return resolved;
    places ??= builtInPlaceOf();
    const url = places.get(resolved.url);
    return url === undefined ? resolved : { ...resolved, url, format: 'module' };
  },
});

/** The built file in place of each file of a package; none unless every package is of the version that was built. */
function builtInPlaceOf(): Map<string, string> {
  try {
    const { versions, modules }: List = JSON.parse(readFileSync(new URL('packages.json', FOLDER), 'utf8'));
    const folders = new Map(Object.entries(versions).map(([name, version]) => [name, installed(name, version)]));
    return new Map(
      modules.map((one) => [new URL(one.from, folders.get(one.package)).href, new URL(one.built, FOLDER).href]),
    );
  } catch {
    return new Map();
  }
}

/** The folder of a package, found from here as Node does. Throws where none of this version is installed. */
function installed(name: string, version: string): string {
  // From the built files upwards: a folder that is named beside this module would be taken into packages of the program.
  for (let folder = FOLDER, above = folder; ; folder = above) {
    const place = new URL(`node_modules/${name}/`, folder);
    const manifest = textOf(new URL('package.json', place));
    if (manifest !== null) {
      if (JSON.parse(manifest).version !== version) throw new Error(`${name} is not ${version}`);
      return `${pathToFileURL(realpathSync(fileURLToPath(place))).href}/`;
    }
    above = new URL('../', folder);
    if (above.href === folder.href) throw new Error(`${name} is not installed`);
  }
}

function textOf(file: URL): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
