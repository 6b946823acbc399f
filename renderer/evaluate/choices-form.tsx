import { NumberInput, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QuestionSet } from '../../schemas/api/evaluate.ts';
import type { PageOptions } from './choices.ts';
import classes from './evaluate.module.css';

type Values = readonly { value: string; label: string }[];
type Choice = { key: keyof PageOptions; label: string; values: Values };
type Amount = { key: 'threshold' | 'passScore' | 'clarificationCost'; label: string; most: number; step: number };
type Choosable = { amounts: readonly Amount[]; choices: readonly Choice[] };

const QUESTIONS: Choosable = {
  amounts: [{ key: 'threshold', label: 'A hit lies within (px of the picture)', most: 100_000, step: 1 }],
  choices: [
    {
      key: 'answerForms',
      label: 'Answers are read',
      values: [
        { value: 'any', label: 'in every form that models write' },
        { value: 'paper', label: 'strictly, as the paper’s prompts ask' },
      ],
    },
    {
      key: 'coordinates',
      label: 'Numbers of positions count',
      values: [
        { value: 'guess', label: 'what all answers together suggest' },
        { value: 'pixels', label: 'pixels of the picture' },
        { value: '0-1', label: '0 to 1' },
        { value: '0-100', label: '0 to 100' },
        { value: '0-1000', label: '0 to 1000' },
      ],
    },
    {
      key: 'planScore',
      label: 'Score of plans in the overall table',
      values: [
        { value: 'stepF1', label: 'Step F1, without a critic' },
        { value: 'critic', label: 'A critic’s only (empty until one is asked)' },
      ],
    },
    {
      key: 'comparator',
      label: 'At exactly the distance',
      values: [
        { value: '<=', label: 'it is a hit (≤)' },
        { value: '<', label: 'it is not (<)' },
      ],
    },
    {
      key: 'boxRecall',
      label: 'A predicted box hits',
      values: [
        { value: 'corners', label: 'by its corners’ mean distance' },
        { value: 'contains', label: 'when the truth lies inside' },
      ],
    },
    {
      key: 'missingDist',
      label: 'Distance without a position',
      values: [
        { value: 'skip', label: 'is left out' },
        { value: 'one', label: 'is the farthest there is' },
      ],
    },
    {
      key: 'keysReading',
      label: 'Keys are compared',
      values: [
        { value: 'contained', label: 'as one run of keys' },
        { value: 'multiset', label: 'without their order' },
        { value: 'orderedLcs', label: 'by the longest common order' },
      ],
    },
    {
      key: 'markPlace',
      label: 'A chosen mark stands for',
      values: [
        { value: 'centre', label: 'its middle' },
        { value: 'box', label: 'its box' },
      ],
    },
  ],
};
const TRAJECTORIES: Choosable = {
  amounts: [],
  choices: [
    {
      key: 'benchmark',
      label: 'Step limits',
      values: [
        { value: 'task', label: 'of each task’s own benchmark' },
        { value: 'mobile-agent-v', label: 'Mobile-Agent-V (10, 15, 20)' },
        { value: 'naturalgaia', label: 'NaturalGAIA (none)' },
        { value: 'none', label: 'none' },
      ],
    },
    {
      key: 'difficulty',
      label: 'A task’s difficulty',
      values: [
        { value: 'product', label: 'nodes × applications' },
        { value: 'sum', label: 'nodes + applications' },
      ],
    },
    {
      key: 'positionWeight',
      label: 'Weight of the i-th atomic task',
      values: [
        { value: 'i', label: 'i' },
        { value: 'i/n', label: 'i / n' },
        { value: '2^(i-1)', label: '2^(i − 1)' },
      ],
    },
  ],
};
const SCENARIO: Choosable = {
  amounts: [
    { key: 'passScore', label: 'A task is passed from the score', most: 1, step: 0.01 },
    { key: 'clarificationCost', label: 'What a question to the user costs', most: 100, step: 0.1 },
  ],
  choices: [
    {
      key: 'scenarioMean',
      label: 'Rates over several scenarios',
      values: [
        { value: 'scenarios', label: 'each scenario has the same weight' },
        { value: 'tasks', label: 'each task has the same weight' },
      ],
    },
  ],
};

type Props = { tasks: QuestionSet['tasks']; options: PageOptions; onChange: (to: PageOptions) => void };

/** The choices that the papers leave open; written into the result. */
export function Choices({ tasks, options, onChange }: Props): ReactNode {
  const { amounts, choices } = tasks === null ? QUESTIONS : tasks === 'trajectories' ? TRAJECTORIES : SCENARIO;
  return (
    <details className={classes.options}>
      <summary>Scoring options</summary>
      <div className={classes.choices}>
        {amounts.map(({ key, label, most, step }) => (
          <NumberInput
            key={key}
            label={label}
            min={0}
            max={most}
            step={step}
            value={options[key]}
            onChange={(value) => typeof value === 'number' && onChange({ ...options, [key]: value })}
          />
        ))}
        {choices.map(({ key, label, values }) => (
          <Select
            key={key}
            label={label}
            data={[...values]}
            value={String(options[key])}
            // The list's own values, which are the option's.
            onChange={(value) => value !== null && onChange({ ...options, [key]: value } as PageOptions)}
            allowDeselect={false}
          />
        ))}
      </div>
      <p className={classes.fieldAbout}>
        Every other choice is the command line’s: <code>evaluate --help</code>.
      </p>
    </details>
  );
}
