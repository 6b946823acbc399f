import {
  IconArrowsMove,
  IconCheck,
  IconEqualNot,
  IconMinus,
  IconPlayerPlayFilled,
  IconPlayerSkipForward,
  IconQuestionMark,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Step } from '../../schemas/api/models.ts';
import { tr } from '../language/tr.ts';
import { KindIcon, kindWords } from '../workbench/kind.tsx';
import classes from './page.module.css';
import { MARK_NAMES, type StepOutcome } from './words.ts';

const ICONS = {
  same: IconCheck,
  moved: IconArrowsMove,
  different: IconEqualNot,
  missing: IconQuestionMark,
  'left out': IconPlayerSkipForward,
  'not reached': IconMinus,
} as const satisfies Record<StepOutcome, unknown>;

/** A mark by its shape, its colour and its word. */
export function MarkLabel({ mark, wordless = false }: { mark: StepOutcome; wordless?: boolean }): ReactNode {
  const Icon = ICONS[mark];
  return (
    <span className={classes.mark} data-mark={mark}>
      <Icon size={15} stroke={2.2} aria-hidden />
      <span className={wordless ? 'visually-hidden' : undefined}>{MARK_NAMES[mark]}</span>
    </span>
  );
}

/** The demonstration's steps with what came of each. `playing`: how many of them the play that goes on has done. */
export function StepMarks(props: {
  steps: readonly Step[];
  marks: readonly StepOutcome[] | null;
  at: number;
  playing: number | null;
  onChoose: (at: number) => void;
}): ReactNode {
  const { steps, marks, at, playing, onChoose } = props;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <ol className={classes.steps} aria-label={tr('Steps')} ref={list}>
      {steps.map((step, n) => (
        <li key={step.id}>
          <button
            type="button"
            className={classes.step}
            aria-current={n === at ? 'step' : undefined}
            tabIndex={n === at ? 0 : -1}
            onClick={() => onChoose(n)}
          >
            <span className={classes.number}>{n + 1}</span>
            <KindIcon kind={step.kind} />
            <span className={classes.words}>
              {kindWords(step)}
              {step.text !== null && <span className={classes.typed}> {step.text}</span>}
            </span>
            <StepMark mark={marks?.[n]} playing={playing === null ? null : n - playing} />
          </button>
        </li>
      ))}
    </ol>
  );
}

/** While a play goes on: what is done, and the step in hand (`playing` 0). */
function StepMark({ mark, playing }: { mark: StepOutcome | undefined; playing: number | null }): ReactNode {
  if (playing === 0) {
    return (
      <span className={classes.mark} data-mark="playing">
        <IconPlayerPlayFilled size={13} aria-hidden />
        <span className="visually-hidden">{tr('Playing now')}</span>
      </span>
    );
  }
  if (playing !== null) return playing < 0 ? <MarkLabel mark="same" wordless /> : null;
  return mark ? <MarkLabel mark={mark} wordless={mark === 'same'} /> : null;
}
