import type { AskedSetup } from '../../schemas/consent.ts';
import { plural } from '../words.ts';

/** What somebody else's recipe or checks ask for, in a sentence. */
export function askedLine({ kind, programs, files, network, checks }: AskedSetup): string {
  if (kind === 'checks') {
    return `The checks look at ${plural(checks.length, 'thing')} (${[...new Set(checks.map((one) => one.kind))].join(', ')}).`;
  }
  const started = programs.length === 0 ? 'no program' : programs.map(commandLine).join('; ');
  const put = files.length === 0 ? '' : `, puts ${plural(files.length, 'file')} into its home`;
  return `The recipe starts ${started}${put}, ${network ? 'may use the network' : 'has no network'}.`;
}

/** A program with its arguments as one would type them. */
export function commandLine({ command, args, env }: AskedSetup['programs'][number]): string {
  const set = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  return [...set, ...[command, ...args].map(quoted)].join(' ');
}

const quoted = (word: string): string => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** All of it, a line each. */
export function askedLines(asked: AskedSetup): string[] {
  if (asked.kind === 'checks') {
    return [
      `The checks of ${asked.task} (${asked.hash.slice(0, 16)}) look at:`,
      ...asked.checks.map(({ id, kind, at }) => `  ${id} (${kind}): ${at}`),
    ];
  }
  return [
    `The recipe of ${asked.task} (${asked.hash.slice(0, 16)}) starts:`,
    ...asked.programs.map((one) => `  ${commandLine(one)}`),
    ...(asked.programs.length === 0 ? ['  no program'] : []),
    ...asked.files.flatMap(({ to, from, bytes, text, as }) => [
      as === 'folder'
        ? `  makes the folder ~/${to}`
        : `  ${as === 'unpacked' ? 'unpacks' : 'puts'} ${from === null ? 'a text' : `“${from}”`} ${as === 'unpacked' ? 'in' : 'at'} ~/${to} (${sizeOf(bytes)})`,
      ...(text === null
        ? []
        : text
            .trimEnd()
            .split('\n')
            .map((line) => `    | ${line}`)),
    ]),
    `  ${asked.network ? 'its programs may use the network' : 'no network'}`,
    ...(asked.ownServers === true
      ? ['  with it they reach the servers on this machine, too: slirp4netns is missing']
      : []),
  ];
}

const sizeOf = (bytes: number | null): string => (bytes === null ? 'missing' : plural(bytes, 'byte'));
