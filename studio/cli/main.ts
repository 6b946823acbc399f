#!/usr/bin/env node
import '../../native/process/built-packages.ts';
import { readFileSync } from 'node:fs';
import { log, openLogFile } from '../../native/log/log.ts';
import { logFolder } from '../session/home.ts';
import { keepCompiled } from './compiled.ts';
import { endWithReader } from './reader-gone.ts';

// Before anything large is loaded.
keepCompiled();
openLogFile(logFolder(), ['start', 'serve'].includes(process.argv[2] ?? '') ? 'studio' : 'commands');
process.on('uncaughtExceptionMonitor', (error) => log.error('crashed', { error }));
const [{ runCli }, { untilAnswered }] = await Promise.all([import('./program.ts'), import('./until-answered.ts')]);

endWithReader();

const manifest: { version: string } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** Texts name commands as they are typed in a clone. Plain JavaScript is the npm package, where they have another name. */
const packaged = import.meta.url.endsWith('.js');
const named = (text: string) => (packaged ? text.replaceAll('npm run studio --', 'npx trajectory-studio') : text);

process.exitCode = await untilAnswered(
  runCli(process.argv.slice(2), manifest.version, {
    out: (text) => process.stdout.write(named(text)),
    err: (text) => process.stderr.write(named(text)),
  }),
);
