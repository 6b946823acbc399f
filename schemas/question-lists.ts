/**
 * The kinds of questions, what they ask from and how they are answered. Apart from the schemas: a page that only offers the
 * choices need not load them.
 */

export const QUESTION_LEVELS = ['action', 'mid', 'high'] as const;
export type QuestionLevel = (typeof QUESTION_LEVELS)[number];

/** Help for models that cannot find positions (videogui.txt tables 21, 22, 24, 25): marks on the picture, texts with boxes. */
export const AIDS = ['som', 'ocr'] as const;
export type Aid = (typeof AIDS)[number];

export const QUESTION_KINDS = ['click', 'drag', 'scroll', 'keys', 'mid', 'high'] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** The query that a plan is asked from (videogui.txt 3.2, table 4). */
export const PLAN_QUERIES = ['vision', 'text', 'vision+text'] as const;
export type PlanQuery = (typeof PLAN_QUERIES)[number];

export const SCROLL_ANSWERS = ['none', 'down', 'up'] as const;
export type ScrollAnswer = (typeof SCROLL_ANSWERS)[number];
export const LETTERS = ['A', 'B', 'C'] as const;
export type Letter = (typeof LETTERS)[number];
