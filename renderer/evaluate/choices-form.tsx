import { NumberInput, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QuestionSet } from '../../schemas/api/evaluate.ts';
import { tr, trParts } from '../language/tr.ts';
import type { PageOptions } from './choices.ts';
import classes from './evaluate.module.css';

type Values = readonly { value: string; label: string }[];
type Choice = { key: keyof PageOptions; label: string; values: Values };
type Amount = {
  key: 'threshold' | 'passAttempts' | 'passScore' | 'clarificationCost';
  label: string;
  least?: number;
  most: number;
  step: number;
};
type Choosable = { amounts: readonly Amount[]; choices: readonly Choice[] };

const QUESTIONS: Choosable = {
  amounts: [{ key: 'threshold', label: tr('A hit lies within (px of the picture)'), most: 100_000, step: 1 }],
  choices: [
    {
      key: 'answerForms',
      label: tr('Answers are read'),
      values: [
        { value: 'any', label: tr('in every form that models write') },
        { value: 'paper', label: tr('strictly, as the paper’s prompts ask') },
      ],
    },
    {
      key: 'coordinates',
      label: tr('Numbers of positions count'),
      values: [
        { value: 'guess', label: tr('what all answers together suggest') },
        { value: 'pixels', label: tr('pixels of the picture') },
        { value: '0-1', label: tr('0 to 1') },
        { value: '0-100', label: tr('0 to 100') },
        { value: '0-1000', label: tr('0 to 1000') },
      ],
    },
    {
      key: 'planScore',
      label: tr('Score of plans in the overall table'),
      values: [
        { value: 'stepF1', label: tr('Step F1, without a critic') },
        { value: 'critic', label: tr('A critic’s only (empty until one is asked)') },
      ],
    },
    {
      key: 'comparator',
      label: tr('At exactly the distance'),
      values: [
        { value: '<=', label: tr('it is a hit (≤)') },
        { value: '<', label: tr('it is not (<)') },
      ],
    },
    {
      key: 'boxRecall',
      label: tr('A predicted box hits'),
      values: [
        { value: 'corners', label: tr('by its corners’ mean distance') },
        { value: 'contains', label: tr('when the truth lies inside') },
      ],
    },
    {
      key: 'missingDist',
      label: tr('Distance without a position'),
      values: [
        { value: 'skip', label: tr('is left out') },
        { value: 'one', label: tr('is the farthest there is') },
      ],
    },
    {
      key: 'keysReading',
      label: tr('Keys are compared'),
      values: [
        { value: 'contained', label: tr('as one run of keys') },
        { value: 'multiset', label: tr('without their order') },
        { value: 'orderedLcs', label: tr('by the longest common order') },
      ],
    },
    {
      key: 'markPlace',
      label: tr('A chosen mark stands for'),
      values: [
        { value: 'centre', label: tr('its middle') },
        { value: 'box', label: tr('its box') },
      ],
    },
  ],
};
const TRAJECTORIES: Choosable = {
  amounts: [{ key: 'passAttempts', label: tr('Attempts that count for Pass@k'), least: 1, most: 1000, step: 1 }],
  choices: [
    {
      key: 'benchmark',
      label: tr('Step limits'),
      values: [
        { value: 'task', label: tr('of each task’s own benchmark') },
        { value: 'mobile-agent-v', label: tr('Mobile-Agent-V (10, 15, 20)') },
        { value: 'naturalgaia', label: tr('NaturalGAIA (none)') },
        { value: 'none', label: tr('none') },
      ],
    },
    {
      key: 'difficulty',
      label: tr('A task’s difficulty'),
      values: [
        { value: 'product', label: tr('nodes × applications') },
        { value: 'sum', label: tr('nodes + applications') },
      ],
    },
    {
      key: 'matcrMean',
      label: tr('Weights in MATCR'),
      values: [
        { value: 'tasks', label: tr('each task has the same weight') },
        { value: 'difficulty', label: tr('a task weighs its difficulty, as in the paper’s table 1') },
      ],
    },
    {
      key: 'positionWeight',
      label: tr('Weight of the i-th atomic task'),
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
    { key: 'passScore', label: tr('A task is passed from the score'), most: 1, step: 0.01 },
    { key: 'clarificationCost', label: tr('What a question to the user costs'), most: 100, step: 0.1 },
  ],
  choices: [
    {
      key: 'scenarioMean',
      label: tr('Rates over several scenarios'),
      values: [
        { value: 'scenarios', label: tr('each scenario has the same weight') },
        { value: 'tasks', label: tr('each task has the same weight') },
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
      <summary>{tr('Scoring options')}</summary>
      <div className={classes.choices}>
        {amounts.map(({ key, label, least = 0, most, step }) => (
          <NumberInput
            key={key}
            label={label}
            min={least}
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
        {trParts('Every other choice is the command line’s: {command}.', { command: <code>evaluate --help</code> })}
      </p>
    </details>
  );
}
