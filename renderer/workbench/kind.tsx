import {
  IconArrowsMove,
  IconClick,
  IconHandFinger,
  IconHourglass,
  IconKeyboard,
  IconMouse,
  IconTypography,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isUnseen } from '../../core/actions/unseen.ts';
import { keyChord } from '../../core/annotate/narration.ts';
import type { ActionKind } from '../../schemas/actions.ts';
import type { Step } from '../../schemas/api/models.ts';
import { tr } from '../language/tr.ts';

const ICONS = {
  click: IconClick,
  drag: IconArrowsMove,
  scroll: IconMouse,
  type: IconTypography,
  press: IconKeyboard,
  hover: IconHandFinger,
  wait: IconHourglass,
} as const satisfies Record<ActionKind, unknown>;

/** Colours of the timeline's marks: apart from each other for people who do not tell red from green, on both schemes. */
export const KIND_COLORS: Readonly<Record<ActionKind, string>> = {
  click: '#3b82d6',
  drag: '#d9752b',
  scroll: '#8a8f98',
  type: '#2a9d78',
  press: '#9a6bd0',
  hover: '#c65d93',
  wait: '#a88d2f',
};

export function KindIcon({ kind }: { kind: ActionKind }): ReactNode {
  const Icon = ICONS[kind];
  return <Icon size={16} stroke={1.7} aria-hidden="true" color={KIND_COLORS[kind]} style={{ flex: 'none' }} />;
}

/** The action in a few words: `Double right click`, `Drag`, `Press Ctrl+C`. */
export function kindWords(step: Step): string {
  const button = step.button && step.button !== 'left' ? step.button : 'none';
  const held = step.modifiers.length > 0 ? `${keyChord(step.modifiers)}+` : '';
  switch (step.kind) {
    case 'click': {
      const times = step.count === 2 ? 'two' : step.count === 3 ? 'three' : step.count > 3 ? 'many' : 'one';
      const words = tr(
        '{times, select, two {double } three {triple } many {{count}-fold } other {}}{button, select, none {} right {right } middle {middle } back {back } forward {forward } other {{button} }}click',
        { times, button, count: step.count },
      );
      return capital(`${held}${words}`);
    }
    case 'drag':
      return capital(
        `${held}${tr('{button, select, none {} right {right } middle {middle } back {back } forward {forward } other {{button} }}drag', { button })}`,
      );
    case 'scroll':
      return capital(`${held}${tr('scroll')}`);
    case 'type':
      return step.withheld ? (isSecretKnown(step) ? tr('Type a password') : tr('Type (withheld)')) : tr('Type');
    case 'press':
      return tr('Press {keys}', { keys: keysOfPress(step) });
    case 'hover':
      return tr('Hover');
    case 'wait':
      return isUnseen(step) ? tr('Not recorded') : tr('Wait');
  }
}

/** Keys are also withheld where a program did not answer: then nothing says that it was a password. */
const isSecretKnown = ({ withheldWhy }: Step): boolean => !withheldWhy?.every((why) => why === 'unanswered');

/** The keys of a press, with how often: `Ctrl+C × 2`. */
export function keysOfPress(step: Step): string {
  return `${keyChord(step.keys ?? [])}${step.count > 1 ? ` × ${step.count}` : ''}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
