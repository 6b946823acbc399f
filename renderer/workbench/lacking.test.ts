import { expect, test } from 'vitest';
import { begun } from '../../core/annotate/gestures-for-tests.ts';
import { stepFrom } from '../../core/annotate/steps-for-tests.ts';
import { viewDocument } from '../../core/annotate/view.ts';
import { lackingWords } from './lacking.ts';

test('what a confirmed step lacks is said by its number; nothing of one that lacks nothing', () => {
  const steps = [
    stepFrom('c', 1e6),
    stepFrom('d', 2e6, { kind: 'drag', start: [10, 20, 2e6], end: [300, 40, 2.1e6] }),
    stepFrom('t', 3e6, { kind: 'type', text: 'f(1, 2)' }),
  ];
  const [click, drag, type] = viewDocument(steps, begun(steps)).steps;
  expect(lackingWords(click!, 1)).toMatch(/^Step 1 says a place in pixels: [^.]+\.$/);
  expect(lackingWords(drag!, 2)).toMatch(/^Step 2 says a place in pixels: .* Step 2 is a drag without both boxes/);
  expect(lackingWords(type!, 3)).toBeNull();
});
