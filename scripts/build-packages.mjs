import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Makes a few files of packages that consist of hundreds of modules: to find and read these takes a process longer than to run
 * them. native/process/built-packages.ts loads the files. All are built together, so that a module which several of them share
 * is there once, as it is in node_modules.
 *
 *     node scripts/build-packages.mjs      when they are missing, or other packages are installed
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'build', 'packages');
const LIST = join(FOLDER, 'packages.json');
const DAY_MS = 86_400_000;

/** The modules of them that the studio imports. Packages of few modules, and those with native parts, gain nothing. */
export const MODULES = [
  'kysely',
  'zod',
  '@orpc/client',
  '@orpc/client/fetch',
  '@orpc/contract',
  '@orpc/openapi',
  '@orpc/openapi/fetch',
  '@orpc/openapi/standard',
  '@orpc/server',
  '@orpc/server/fetch',
  '@orpc/zod/zod4',
  'commander',
  'hyparquet',
  'hyparquet-writer',
];

/** Builds them unless they were built of what is installed. Gives whether it did. */
export async function buildPackages() {
  const made = stateOf();
  if (readText(LIST) !== null && JSON.parse(readText(LIST)).made === made) return false;
  const modules = MODULES.map(placeOf);
  const part = join(FOLDER, `${made}-${process.pid}.part`);
  try {
    await bundle(modules, part);
    if (!existsSync(join(FOLDER, made))) renameSync(part, join(FOLDER, made));
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  const list = {
    made,
    versions: Object.fromEntries(modules.map((one) => [one.package, one.version])),
    modules: modules.map(({ name, package: of, from }) => ({
      name,
      package: of,
      from,
      built: `${made}/${fileOf(name)}`,
    })),
  };
  // Last, and at once: all that it names is there.
  writeFileSync(`${LIST}.${process.pid}.part`, `${JSON.stringify(list, null, 1)}\n`);
  renameSync(`${LIST}.${process.pid}.part`, LIST);
  // A program that runs meanwhile may still load what it has not needed yet.
  const isOld = (name) => statSync(join(FOLDER, name)).mtimeMs < Date.now() - DAY_MS;
  const older = readdirSync(FOLDER).filter((name) => /^[0-9a-f]{16}$/.test(name) && name !== made && isOld(name));
  for (const name of older) rmSync(join(FOLDER, name), { recursive: true, force: true });
  return true;
}

/** Changes with any installed package, and with this script. */
function stateOf() {
  const installed =
    readText(join(ROOT, 'node_modules', '.package-lock.json')) ?? readText(join(ROOT, 'package-lock.json'));
  const own = readText(fileURLToPath(import.meta.url));
  return createHash('sha256').update(`${installed}\n${own}`).digest('hex').slice(0, 16);
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** The package that a module is of, its version, and the file that Node would load, as a place in the package. */
function placeOf(name) {
  const own = name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : name.split('/')[0];
  const url = import.meta.resolve(name);
  const end = url.lastIndexOf(`/node_modules/${own}/`) + `/node_modules/${own}/`.length;
  const { version } = JSON.parse(readFileSync(new URL('package.json', url.slice(0, end)), 'utf8'));
  return { name, package: own, version, from: url.slice(end), file: fileURLToPath(url) };
}

const fileOf = (name) => `${name.replace('@', '').replaceAll('/', '-')}.mjs`;

async function bundle(modules, to) {
  // Only where something is built: to know that nothing is to be done takes some milliseconds without it.
  const { build } = await import('vite');
  mkdirSync(to, { recursive: true });
  const input = Object.fromEntries(modules.map(({ name, file }) => [fileOf(name).replace(/\.mjs$/, ''), file]));
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    mode: 'production',
    // Their modules are found by Node's own rules.
    ssr: { noExternal: true, resolve: { conditions: ['node', 'import', 'default'], mainFields: ['main'] } },
    build: {
      ssr: true,
      outDir: to,
      emptyOutDir: false,
      target: 'node22',
      minify: false,
      rollupOptions: {
        input,
        treeshake: false,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'shared-[hash].mjs' },
      },
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write((await buildPackages()) ? 'Built.\n' : 'They are built.\n');
