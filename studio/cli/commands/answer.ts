import { resolve } from 'node:path';
import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { ERROR_EXIT } from '../../../schemas/errors.ts';
import type { AnswerResult } from '../../datasets/evaluate/answer.ts';
import { type CliContext, examples } from '../context.ts';
import { everySoOften } from '../progress.ts';
import { untilStopped } from '../stop.ts';
import { chatOptions, type EndpointOptions, endpointOptions, parsePrice, prices } from './endpoint-options.ts';

type Options = EndpointOptions & {
  questions: string;
  endpoint: string;
  model: string;
  out: string;
  cache?: string;
  maxCost?: number;
  textOnly?: boolean;
};

/** `answer`: asks a model all questions. Status 13 when some are left. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('answer')
    .description('ask a model the questions, over any OpenAI-compatible endpoint; continues where it was stopped')
    .requiredOption('--questions <file>', 'what `questions` wrote')
    .requiredOption('--endpoint <url>', 'such as http://127.0.0.1:8000/v1; nothing is sent anywhere else')
    .requiredOption('--model <name>', "the model's name there")
    .requiredOption('--out <file>', 'the predictions; run the same command again to continue')
    .option('--cache <file>', 'where answers are kept; default: beside the predictions')
    .option('--max-cost <amount>', 'stop before the cost exceeds this', (text) => parsePrice('--max-cost', text))
    .option('--text-only', 'send no pictures: for a model that reads text alone, such as with --aid ocr')
    .action(async (options: Options) => {
      const { answerQuestions } = await import('../../datasets/evaluate/answer.ts');
      const out = resolve(options.out);
      const isTime = everySoOften();
      const result = await untilStopped((signal) =>
        answerQuestions({
          ...chatOptions(options.endpoint, options.model, options, context.progress),
          questions: resolve(options.questions),
          out,
          cache: resolve(options.cache ?? `${out}.cache`),
          concurrency: options.concurrency,
          prices: prices(options),
          maxCost: options.maxCost ?? null,
          signal,
          textOnly: options.textOnly === true,
          onProgress: ({ done, total, cost }) => {
            if (isTime()) context.progress(`${done} of ${total} answered, cost ${cost.toFixed(4)}`);
          },
        }),
      );
      if (result.remaining > 0) context.setStatus(ERROR_EXIT.ENDPOINT_FAILED);
      context.result(result, describe(result));
    });
  endpointOptions(command);
  examples(command, [
    [
      'answer --questions Q.jsonl --endpoint http://127.0.0.1:8000/v1 --model my-model --out P.jsonl',
      'a model on this machine',
    ],
    [
      'answer --questions Q.jsonl --endpoint https://host/v1 --model m --out P.jsonl --key-env API_KEY --rate 60 --price-input 2.5 --price-output 10 --max-cost 5',
      'with a key, sixty requests a minute, and no more than 5',
    ],
  ]);
}

function describe(result: AnswerResult): string {
  const { questions, before, answered, cached, failed, remaining, tokens, cost, guessed } = result;
  return [
    `${before + answered} of ${plural(questions, 'question')} have an answer in ${result.out}: ${before} from before, ${answered} now (${cached} from the cache).`,
    `${tokens.input} tokens asked, ${tokens.output} answered${guessed > 0 ? ` (${guessed} requests did not say; guessed)` : ''}; cost ${cost.toFixed(4)}.`,
    ...failed.slice(0, 10).map(({ id, message }) => `  failed: ${id}: ${message}`),
    ...(result.stopped === 'max-cost' ? ['Stopped before the cost would go over --max-cost.'] : []),
    ...(remaining > 0 ? [`${remaining} are left. Run the same line again to go on.`] : []),
  ].join('\n');
}
