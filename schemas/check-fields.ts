import { z } from 'zod';

/** Fields that kinds of checks share (schemas/checks.ts). */

export const every = {
  /** Names the check in reports. */
  id: z.string().regex(/^[A-Za-z0-9][\w.-]{0,59}$/, 'must be a short name of letters, digits, "_", "." and "-"'),
  /** Its part of the score where checks are weighted. */
  weight: z.number().positive().max(1000).default(1),
};

/** The name of one of the task's files. */
export const attachment = z.string().min(1).max(300);

/** How far a number may be from the wanted one. */
export const tolerance = z.number().min(0).default(0);

export const colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour like #ff8800');

const texts = z.array(z.string().min(1).max(10_000)).max(100).default([]);
/** A text that must be, or must not be, in another. */
export const wanted = { contains: texts, lacks: texts, ignoreCase: z.boolean().default(false) };

/** Whether a text is a regular expression. */
export function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'm');
    return true;
  } catch {
    return false;
  }
}
/** A regular expression of JavaScript. It is tried in the process that looks, which is ended when one takes too long. */
export const pattern = z.string().min(1).max(1000).refine(isPattern, 'must be a regular expression');

/** How alike two texts must be, 0 to 1: the part of their words that both have in the same order. */
export const alike = z.number().gt(0).max(1);
