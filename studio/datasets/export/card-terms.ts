import { knownLicence } from '../../../core/export/licences.ts';
import { plainWords } from '../../../core/export/plain.ts';
import { type DatasetTerms, NO_TERMS } from '../../../schemas/dataset-terms.ts';

/** Licence, citation and sources of a data set on its cards. */

/** The front matter's lines; none while no licence was chosen. Hugging Face knows a few words, all else is "other" with a name. */
export function licenceLines({ licence }: DatasetTerms): string[] {
  if (licence === '') return [];
  const known = knownLicence(licence);
  if (known?.card != null) return [`license: ${known.card}`];
  // A quoted text of JSON is one of YAML.
  return ['license: other', `license_name: ${JSON.stringify(known?.spdx ?? licence)}`];
}

/** The sections of the card behind the list of source videos. */
export function termsSections(terms: DatasetTerms = NO_TERMS): string[] {
  const { licence, citation, sources } = terms;
  return [
    ...(sources.length === 0 ? [] : ['## Made of', '', ...sources.map(sourceLine), '']),
    '## Licence',
    '',
    ...licenceText(licence),
    '',
    '## Citation',
    '',
    ...(citation === '' ? [] : [...fenced(citation), '']),
    'The layout and the figures follow VideoGUI (Lin et al., arXiv:2406.10227). To cite these data, name who',
    'publishes them, the year, and the SHA-256 of manifest.json, which stands for exactly this content.',
    '',
  ];
}

function licenceText(licence: string): string[] {
  if (licence === '') {
    return [
      'Nobody has chosen one yet: whoever publishes this names it here, and minds the terms of the sources above.',
    ];
  }
  const known = knownLicence(licence);
  return known ? [`${known.name} (SPDX: ${known.spdx}).`] : [`${plainWords(licence)}.`];
}

const sourceLine = ({ name, url, licence }: DatasetTerms['sources'][number]): string =>
  `- ${[name, url, licence && `licence: ${knownLicence(licence)?.spdx ?? licence}`].filter(Boolean).map(plainWords).join(', ')}`;

/** In a fence that is longer than any run of its signs in the text. */
function fenced(text: string): string[] {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return [fence, ...text.split(/\r\n?|\n/), fence];
}
