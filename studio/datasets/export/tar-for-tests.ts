import { execFileSync } from 'node:child_process';

/** The texts of the .json files in an archive, by the machine's own tar. */
export function jsonInTar(file: string): string[] {
  const text = execFileSync('tar', ['-xOf', file, '--wildcards', '*.json'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return text.trimEnd().split('\n');
}

/** A file of an archive, by the machine's own tar. */
export const fileInTar = (file: string, name: string): Buffer =>
  execFileSync('tar', ['-xOf', file, name], { maxBuffer: 1 << 28 });
