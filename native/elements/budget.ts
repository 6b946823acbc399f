/** The most that one question of the studio may cost: calls to a program, and ms until nobody is asked any more. */
export const MOST_CALLS = 150;
export const MOST_MS = 400;

/** A question ran out of calls or time. */
export class TooMuch extends Error {}
