import { expect, test } from 'vitest';
import { limitTrials } from './try-recipe.ts';

test('so many trials run at once; the next is refused with a sentence, and may run once one has ended, well or not', async () => {
  const inTurn = limitTrials(2);
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const running = [inTurn(() => first.promise), inTurn(() => second.promise)];
  const third = inTurn(async () => 'third');
  await expect(third).rejects.toMatchObject({
    code: 'WORKSPACE_BUSY',
    message: expect.stringMatching(/^2 other recipes are being tried just now.*this studio tries 2 at once. Wait/),
  });
  second.reject(new Error('its window never came'));
  await expect(running[1]).rejects.toThrow('its window never came');
  await expect(inTurn(async () => 'fourth')).resolves.toBe('fourth');
  first.resolve('first');
  await expect(running[0]).resolves.toBe('first');
});
