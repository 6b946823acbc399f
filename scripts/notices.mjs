import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Writes THIRD-PARTY-NOTICES.md: every package that the studio ships with, its licence and its text, from node_modules.
 * Packages that only developing needs are not shipped and not named. With --check nothing is written: status 1 when the
 * file does not name the packages of package.json and all that they need. Optional ones differ from machine to machine (its
 * system's binaries, a download that was blocked), so they are not asked for.
 */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FILE = join(ROOT, 'THIRD-PARTY-NOTICES.md');
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Where Node finds a package from a folder: its own node_modules, then those above. */
function find(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return place;
    if (dirname(folder) === folder || folder === ROOT) return null;
  }
}

/** All packages that ship, by name and version; `optional`: also those that only some machines have. */
function shipped({ optional: withOptional }) {
  const found = new Map();
  const visit = (name, from, optional) => {
    const folder = find(name, from);
    if (folder === null) {
      // Another platform's binary, or a download that is blocked.
      if (optional) return;
      throw new Error(`${name} is not installed: run \`npm install\` first.`);
    }
    const manifest = read(join(folder, 'package.json'));
    const key = `${manifest.name}@${manifest.version}`;
    if (found.has(key)) return;
    found.set(key, { folder, manifest });
    for (const next of Object.keys(manifest.dependencies ?? {})) {
      // npm lists an optional package among the others, too.
      const optional = next in (manifest.optionalDependencies ?? {});
      if (withOptional || !optional) visit(next, folder, optional);
    }
    if (withOptional) for (const next of Object.keys(manifest.optionalDependencies ?? {})) visit(next, folder, true);
  };
  const { dependencies, optionalDependencies = {} } = read(join(ROOT, 'package.json'));
  for (const name of Object.keys(dependencies)) visit(name, ROOT, false);
  if (withOptional) for (const name of Object.keys(optionalDependencies)) visit(name, ROOT, true);
  return [...found.values()].sort((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1));
}

function licenceOf({ license, licenses }) {
  if (typeof license === 'string') return license;
  if (license?.type) return license.type;
  return licenses?.map((one) => one.type).join(' OR ') ?? 'not stated';
}

function homepageOf({ homepage, repository }) {
  const address = homepage ?? (typeof repository === 'string' ? repository : repository?.url) ?? '';
  return address
    .replace(/^git\+/, '')
    .replace(/^git:/, 'https:')
    .replace(/\.git$/, '');
}

function section({ folder, manifest }) {
  const files = readdirSync(folder).filter((name) => LICENCE_FILE.test(name));
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8').trim().replaceAll('\r\n', '\n'));
  const head = `## ${manifest.name} ${manifest.version}\n\nLicence: ${licenceOf(manifest)}. ${homepageOf(manifest)}`;
  return [head.trimEnd(), ...texts.map((text) => `\`\`\`\`text\n${text}\n\`\`\`\``)].join('\n\n');
}

const HEAD = `# Third-party notices

Trajectory Studio is under the MIT licence (LICENSE). It uses the packages below, each under its own licence. Made by
\`npm run notices\` from the packages as installed here; packages with the binaries of other platforms, and
\`ffmpeg-static\` where its download was blocked, carry the licence of their main package.

## ffmpeg, a separate program

The studio runs ffmpeg as a program of its own and is not linked with it: the system's, the one that FFMPEG_PATH names, or
the one that the optional package \`ffmpeg-static\` downloads. ffmpeg is under the GNU Lesser General Public License 2.1 or
later; builds with x264, which the studio prefers, are under the GNU General Public License 2 or later (those of
ffmpeg-static: 3 or later). Its sources: https://ffmpeg.org.

## Node.js, a separate program

The package \`node\` brings the Node.js program, under the MIT licence with the notices in
https://github.com/nodejs/node/blob/main/LICENSE.
`;

if (process.argv.includes('--check')) {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const missing = shipped({ optional: false })
    .map(({ manifest }) => `## ${manifest.name} ${manifest.version}`)
    .filter((line) => !text.includes(`${line}\n`));
  if (missing.length > 0) {
    process.stderr.write(`THIRD-PARTY-NOTICES.md lacks ${missing.join(', ')}: run \`npm run notices\`.\n`);
    process.exitCode = 1;
  }
} else {
  writeFileSync(FILE, `${[HEAD, ...shipped({ optional: true }).map(section)].join('\n')}\n`);
}
