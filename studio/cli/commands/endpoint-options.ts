import { type Command, Option } from 'commander';
import { StudioError } from '../../../schemas/errors.ts';
import type { ChatOptions } from '../../models/chat.ts';
import type { Prices } from '../../models/spending.ts';
import { askYes, canAsk } from '../ask.ts';
import type { CliContext } from '../context.ts';
import { parseDuration, parseWhole, wrongValue } from '../values.ts';

/** How an endpoint is talked to: the same for the model under test and for the critic. */
export type EndpointOptions = {
  keyEnv?: string;
  concurrency: number;
  rate?: number;
  timeout: number;
  tries: number;
  maxTokens?: number;
  stream?: boolean;
  priceInput: number;
  priceOutput: number;
};

export function endpointOptions(command: Command): Command {
  return command
    .option('--key-env <name>', 'the environment variable that holds the key; it is never written anywhere')
    .option('--concurrency <n>', 'requests at once', (text) => parseWhole('--concurrency', text, 1, 64), 4)
    .option('--rate <n>', 'most requests a minute', (text) => parseWhole('--rate', text, 1, 1_000_000))
    .addOption(
      new Option('--timeout <time>', 'the longest wait for an answer')
        .argParser((text) => parseDuration('--timeout', text))
        .default(120_000, '2m'),
    )
    .option('--tries <n>', 'tries of one question', (text) => parseWhole('--tries', text, 1, 20), 6)
    .option('--max-tokens <n>', 'longest answer', (text) => parseWhole('--max-tokens', text, 1, 1_000_000))
    .option('--stream', 'ask for a stream (either kind of answer is read)')
    .option('--price-input <price>', 'of a million tokens asked', (text) => parsePrice('--price-input', text), 0)
    .option('--price-output <price>', 'of a million tokens answered', (text) => parsePrice('--price-output', text), 0);
}

export const prices = ({ priceInput, priceOutput }: EndpointOptions): Prices => ({
  input: priceInput,
  output: priceOutput,
});

/** Throws USAGE when the variable is not set. */
export function chatOptions(
  endpoint: string,
  model: string,
  options: EndpointOptions,
  progress: (text: string) => void,
): ChatOptions {
  const key = keyOf(options.keyEnv, endpoint, progress);
  return {
    endpoint,
    model,
    key,
    rate: options.rate ?? null,
    timeoutMs: options.timeout,
    tries: options.tries,
    backoffMs: 1000,
    maxTokens: options.maxTokens ?? null,
    stream: options.stream === true,
    onRetry: (why, waitMs) => progress(`Again in ${(waitMs / 1000).toFixed(1)} s: ${why}`),
  };
}

/** The key in the environment; null where none is named. Throws USAGE when the variable is not set. */
export function keyOf(keyEnv: string | undefined, endpoint: string, progress: (text: string) => void): string | null {
  const key = keyEnv === undefined ? null : (process.env[keyEnv] ?? '');
  if (key === '') {
    throw new StudioError(
      'USAGE',
      `--key-env ${keyEnv}: the environment has no such variable, or it is empty. Set it.`,
      {
        variable: keyEnv,
      },
    );
  }
  if (key !== null && isPlainText(endpoint)) progress('The key goes over http, which others on the way can read.');
  return key;
}

function isPlainText(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'http:' && !/^(?:localhost|127\.|\[::1\])/.test(hostname);
}

/** A price or an amount: a number of at least 0. */
export function parsePrice(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number) && number >= 0) return number;
  throw wrongValue(option, text, 'a number of at least 0, such as 2.50');
}

/** What commands that ask a model about recordings take beside the model itself. */
export type AskedOptions = {
  keyEnv?: string;
  budget?: number;
  priceIn?: number;
  priceOut?: number;
  maxTokens?: number;
  timeout: number;
  tries: number;
  yes?: true;
};

/** Limits of money, length, time and tries; `budget` describes --budget. */
export function spendingOptions(command: Command, budget: string): Command {
  const whole = (name: string, most: number) => (text: string) => parseWhole(name, text, 1, most);
  const price = (name: string) => (text: string) => parsePrice(name, text);
  return command
    .option('--budget <amount>', budget, price('--budget'))
    .option('--price-in <price>', 'of a million tokens asked', price('--price-in'))
    .option('--price-out <price>', 'of a million tokens answered', price('--price-out'))
    .option('--max-tokens <n>', 'longest answer', whole('--max-tokens', 1_000_000))
    .addOption(
      new Option('--timeout <time>', 'the longest wait for an answer')
        .argParser((text) => parseDuration('--timeout', text))
        .default(120_000, '2m'),
    )
    .option('--tries <n>', 'tries of one request', whole('--tries', 20), 6);
}

export const askedOptions = (command: Command, budget: string): Command =>
  spendingOptions(
    command.option('--key-env <name>', 'the environment variable that holds the key; it is never written anywhere'),
    budget,
  ).option('--yes', 'send what the command says that it sends, without being asked');

/** Of a million tokens; null: nobody said. Throws USAGE for one of the two. */
export function pricesOf({ priceIn, priceOut }: Pick<AskedOptions, 'priceIn' | 'priceOut'>): Prices | null {
  if (priceIn === undefined && priceOut === undefined) return null;
  if (priceIn !== undefined && priceOut !== undefined) return { input: priceIn, output: priceOut };
  throw new StudioError('USAGE', '--price-in and --price-out belong together: give both.', {});
}

/** Says what it may cost, and asks whether it may be sent. Throws NOT_AGREED, CANCELLED. */
export async function agreeToSend(
  { budget, prices, yes }: { budget: number | null; prices: Prices | null; yes: true | undefined },
  context: CliContext,
): Promise<void> {
  const money = prices
    ? `a million tokens cost ${prices.input} asked and ${prices.output} answered`
    : 'its price is not known (--price-in, --price-out)';
  context.progress(`Money: ${budget === null ? 'no limit' : `at most ${budget}`}; ${money}.`);
  if (yes === true) return;
  if (context.json() || !canAsk())
    throw new StudioError('NOT_AGREED', 'Nothing was sent, since nobody is there to agree. Agree with --yes.', {});
  if (!(await askYes('Send it?'))) throw new StudioError('CANCELLED', 'Nothing was sent.', {});
}

/** How a model that is asked about recordings is talked to. */
export const askedModel = (
  { timeout, tries }: Pick<AskedOptions, 'timeout' | 'tries'>,
  key: string | null,
  progress: (text: string) => void,
) => ({
  key,
  rate: null,
  timeoutMs: timeout,
  tries,
  backoffMs: 1000,
  onRetry: (why: string, waitMs: number): void => progress(`Again in ${(waitMs / 1000).toFixed(1)} s: ${why}`),
});
