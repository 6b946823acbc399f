/**
 * Licences that data sets have, by SPDX identifier (https://spdx.org/licenses), with the word that Hugging Face's cards know
 * (https://huggingface.co/docs/hub/repositories-licenses) where there is one.
 */
export type Licence = { spdx: string; name: string; card: string | null };

const licence = (spdx: string, name: string, card: string | null = spdx.toLowerCase()): Licence => ({
  spdx,
  name,
  card,
});

export const LICENCES: readonly Licence[] = [
  licence('CC-BY-4.0', 'Creative Commons Attribution 4.0'),
  licence('CC-BY-SA-4.0', 'Creative Commons Attribution-ShareAlike 4.0'),
  licence('CC-BY-NC-4.0', 'Creative Commons Attribution-NonCommercial 4.0'),
  licence('CC-BY-NC-SA-4.0', 'Creative Commons Attribution-NonCommercial-ShareAlike 4.0'),
  licence('CC-BY-NC-ND-4.0', 'Creative Commons Attribution-NonCommercial-NoDerivatives 4.0'),
  licence('CC-BY-ND-4.0', 'Creative Commons Attribution-NoDerivatives 4.0'),
  licence('CC0-1.0', 'Creative Commons Zero 1.0'),
  licence('CC-BY-3.0', 'Creative Commons Attribution 3.0'),
  licence('CC-BY-SA-3.0', 'Creative Commons Attribution-ShareAlike 3.0'),
  licence('CC-BY-NC-3.0', 'Creative Commons Attribution-NonCommercial 3.0'),
  licence('CC-BY-NC-SA-3.0', 'Creative Commons Attribution-NonCommercial-ShareAlike 3.0'),
  licence('CC-BY-2.0', 'Creative Commons Attribution 2.0'),
  licence('ODC-By-1.0', 'Open Data Commons Attribution 1.0', 'odc-by'),
  licence('ODbL-1.0', 'Open Data Commons Open Database Licence 1.0', 'odbl'),
  licence('PDDL-1.0', 'Open Data Commons Public Domain Dedication 1.0', 'pddl'),
  licence('CDLA-Permissive-1.0', 'Community Data Licence Agreement Permissive 1.0'),
  licence('CDLA-Permissive-2.0', 'Community Data Licence Agreement Permissive 2.0'),
  licence('CDLA-Sharing-1.0', 'Community Data Licence Agreement Sharing 1.0'),
  licence('C-UDA-1.0', 'Computational Use of Data Agreement 1.0', 'c-uda'),
  licence('GFDL-1.3-or-later', 'GNU Free Documentation Licence 1.3 or later', 'gfdl'),
  licence('Apache-2.0', 'Apache Licence 2.0'),
  licence('MIT', 'MIT Licence'),
  licence('BSD-2-Clause', 'BSD 2-Clause'),
  licence('BSD-3-Clause', 'BSD 3-Clause'),
  licence('ISC', 'ISC Licence'),
  licence('GPL-2.0-only', 'GNU General Public Licence 2.0', 'gpl-2.0'),
  licence('GPL-3.0-only', 'GNU General Public Licence 3.0', 'gpl-3.0'),
  licence('GPL-3.0-or-later', 'GNU General Public Licence 3.0 or later', 'gpl-3.0'),
  licence('LGPL-3.0-only', 'GNU Lesser General Public Licence 3.0', 'lgpl-3.0'),
  licence('AGPL-3.0-only', 'GNU Affero General Public Licence 3.0', 'agpl-3.0'),
  licence('MPL-2.0', 'Mozilla Public Licence 2.0'),
  licence('EUPL-1.2', 'European Union Public Licence 1.2'),
  licence('Unlicense', 'The Unlicense', 'unlicense'),
  licence('etalab-2.0', 'Etalab Open Licence 2.0'),
  licence('OGL-UK-3.0', 'Open Government Licence 3.0 (UK)', null),
  licence('DL-DE-BY-2.0', 'Data licence Germany, attribution 2.0', null),
];

const folded = (text: string): string => text.toLowerCase().replace(/[\s_]+/g, '-');

/** By its identifier, as people write it ("cc by 4.0"); null for one that is not in the list. */
export function knownLicence(text: string): Licence | null {
  const wanted = folded(text.trim());
  return LICENCES.find(({ spdx }) => folded(spdx) === wanted) ?? null;
}

/** The licence as it is stored: the identifier's own spelling where it is known, otherwise the person's words. */
export const licenceId = (text: string): string => knownLicence(text)?.spdx ?? text.trim();
