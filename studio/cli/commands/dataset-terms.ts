import { readFileSync } from 'node:fs';
import type { DatasetTerms, TermsSource } from '../../../schemas/dataset-terms.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import type { Call } from '../calls.ts';
import type { CliContext } from '../context.ts';
import { wrongValue } from '../values.ts';

/** `dataset terms`: licence, citation and sources of the data set. */

type Given = {
  licence?: string | undefined;
  citation?: string | undefined;
  citationFile?: string | undefined;
  sources?: string[] | undefined;
};

/** Sets what is given, and says what stands then. Throws USAGE, BAD_FILE. */
export async function showTerms(
  call: Call,
  { licence, citation, citationFile, sources }: Given,
  context: CliContext,
): Promise<void> {
  const here = (await call(['dataset', 'terms'], {})) as DatasetTerms; // The contract says so, for the next line too.
  if (citation !== undefined && citationFile !== undefined) {
    throw new StudioError('USAGE', 'Give --citation or --citation-file, not both.', {});
  }
  const given = {
    ...(licence !== undefined && { licence }),
    ...(citation !== undefined && { citation }),
    ...(citationFile !== undefined && { citation: textOf(citationFile) }),
    ...(sources && { sources: sources.filter((text) => text.trim() !== '').map(sourceOf) }),
  };
  const isChange = Object.keys(given).length > 0;
  const terms = isChange
    ? ((await call(['dataset', 'setTerms'], { terms: { ...here, ...given } })) as DatasetTerms)
    : here;
  context.result(terms, termsText(terms));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = whyNot(error);
    throw new StudioError('BAD_FILE', `${file} cannot be read: ${why}. Check its path.`, { file }, { cause: error });
  }
}

function sourceOf(text: string): TermsSource {
  const parts = text.split('|').map((part) => part.trim());
  const [name = '', url = '', licence = ''] = parts;
  if (name === '' || parts.length > 3)
    throw wrongValue('--source', text, 'NAME | LINK | LICENCE, the last two if known');
  return { name, url, licence };
}

function termsText({ licence, citation, sources }: DatasetTerms): string {
  return [
    `Licence: ${licence || 'none chosen'}`,
    citation === '' ? 'Citation: none' : `Citation:\n${citation}`,
    sources.length === 0 ? 'Sources: none' : 'Sources:',
    ...sources.map((one) => `  ${[one.name, one.url, one.licence].filter(Boolean).join(' | ')}`),
  ].join('\n');
}
