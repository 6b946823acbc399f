import { z } from 'zod';

/** A publisher's word on a data set: licence, citation, what it was made of. Empty: nobody said. */

const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^\P{C}*$/u, 'is one line without control characters');

const termsSourceSchema = z.object({
  /** Whose work it is, or what it is called. */
  name: line(300).min(1),
  url: line(2000).default(''),
  licence: line(200).default(''),
});
export type TermsSource = z.infer<typeof termsSourceSchema>;

export const datasetTermsSchema = z.object({
  /** An SPDX identifier where there is one (`CC-BY-4.0`), else the licence's name. */
  licence: line(200).default(''),
  /** The citation that others are to use, BibTeX for instance. */
  citation: z
    .string()
    .trim()
    .max(20_000)
    .regex(/^[^\0-\x08\x0b\x0c\x0e-\x1f\x7f]*$/, 'has no control characters')
    .default(''),
  /** Beside the links of tasks, which every card lists by itself. */
  sources: z.array(termsSourceSchema).max(1000).default([]),
});
export type DatasetTerms = z.infer<typeof datasetTermsSchema>;

export const NO_TERMS: DatasetTerms = { licence: '', citation: '', sources: [] };
export const hasTerms = ({ licence, citation, sources }: DatasetTerms): boolean =>
  licence !== '' || citation !== '' || sources.length > 0;
