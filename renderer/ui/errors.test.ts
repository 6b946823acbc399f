import { describe, expect, it } from 'vitest';
import { isAbort, OFFLINE, toError } from './errors.ts';

describe('an error on the page', () => {
  it('keeps what the API said', () => {
    const sent = Object.assign(new Error('No task "X" is here.'), { code: 'UNKNOWN_TASK' });
    expect(toError(sent)).toEqual({ code: 'UNKNOWN_TASK', message: 'No task "X" is here.' });
  });

  it('prefers the studio’s own code over the transport’s', () => {
    const sent = { code: 'BAD_REQUEST', message: 'Bad request', data: { code: 'USAGE', message: 'Give a name.' } };
    expect(toError(sent)).toEqual({ code: 'USAGE', message: 'Give a name.' });
  });

  it('is OFFLINE with what to do when the studio was not reached, in every browser’s words', () => {
    for (const words of ['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed']) {
      expect(toError(new TypeError(words)).code).toBe(OFFLINE);
    }
    expect(toError(new TypeError('Failed to fetch')).message).toContain('npm start');
  });

  it('is a defect of the page otherwise', () => {
    expect(toError(new TypeError('x is undefined'))).toEqual({ code: 'INTERNAL', message: 'x is undefined' });
    expect(toError('odd')).toEqual({ code: 'INTERNAL', message: 'odd' });
  });
});

it('knows a request that was given up by its name', () => {
  expect(isAbort(new DOMException('stopped', 'AbortError'))).toBe(true);
  expect(isAbort(new Error('stopped'))).toBe(false);
});
