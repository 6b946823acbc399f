import { LETTERS, type Letter, SCROLL_ANSWERS, type ScrollAnswer, type ScrollTruth } from '../../schemas/questions.ts';
import { randomFrom, seedOf, shuffled } from './random.ts';

/** Scroll (M8): a choice of three, two questions a scroll (videogui.txt A.3, figure 15, table 27). */

/** The meaning of A, B and C in one question: shuffled by the question's own id, so that no order favours a letter. */
export function optionOrder(id: string, seed: number): ScrollTruth['order'] {
  const [a, b, c] = shuffled(SCROLL_ANSWERS, randomFrom(seedOf(id, seed)));
  return [a!, b!, c!];
}

export function goldLetter({ order, answer }: Pick<ScrollTruth, 'order' | 'answer'>): Letter {
  return LETTERS[order.indexOf(answer)]!;
}

export function chosenOption(order: ScrollTruth['order'], letter: Letter): ScrollAnswer {
  return order[LETTERS.indexOf(letter)]!;
}

export function scoreScroll(truth: ScrollTruth, letter: Letter | null): 0 | 1 {
  return letter === goldLetter(truth) ? 1 : 0;
}
