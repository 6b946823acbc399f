import type { Button } from '../../schemas/events.ts';

/**
 * The wording of narrations by language. `{…}` marks are filled in narration.ts. A further language is one more entry.
 * English is the benchmark's (videogui.txt table 2, A.1): "Click on the [element]", "Drag the [element] from [start
 * position] to [end position] to [purpose]", "Type '…'".
 */
export type NarrationTemplates = {
  /** BCP 47, for the capital at the sentence's start. */
  locale: string;
  /** An article at a name's start, left out because the sentence brings its own. */
  article: RegExp;
  position: string;
  verbOn: string;
  verbAt: string;
  click: string;
  /** Buttons other than the left. */
  buttonClick: Partial<Record<Button, string>>;
  otherClick: string;
  /** Before the verb, by count. */
  times: Readonly<Record<number, string>>;
  manyTimes: string;
  andHold: string;
  heldFor: string;
  drag: string;
  buttonDrag: Partial<Record<Button, string>>;
  otherDrag: string;
  originalPosition: string;
  dragFromTo: string;
  dragAtTo: string;
  dragPurpose: string;
  /** What a purpose begins with that the template says already. */
  ofPurpose: RegExp;
  type: string;
  /** Into a field for passwords: what it was is not recorded (A17). */
  withheld: string;
  press: string;
  pressTimes: string;
  scroll: Record<'up' | 'down' | 'left' | 'right' | 'nowhere', string>;
  scrollToSee: string;
  hover: string;
  hoverAt: string;
  wait: string;
  /** Something was done whose input nobody recorded (A16): a person says what. */
  unseen: string;
};

const en: NarrationTemplates = {
  locale: 'en',
  article: /^the\s+(?=\S)/i,
  position: '({x}, {y})',
  verbOn: '{verb} on the {element}',
  verbAt: '{verb} at {position}',
  click: 'click',
  buttonClick: { right: 'right click', middle: 'middle click', back: 'back click', forward: 'forward click' },
  otherClick: '{button} click',
  times: { 1: '', 2: 'double ', 3: 'triple ' },
  manyTimes: '{count}-fold ',
  andHold: ' and hold',
  heldFor: '{sentence} for {seconds} s',
  drag: 'drag',
  buttonDrag: { right: 'right drag', middle: 'middle drag' },
  otherDrag: '{button} drag',
  originalPosition: 'original position',
  dragFromTo: '{verb} the {element} from {start} to {end}',
  dragAtTo: '{verb} from {start} to {end}',
  dragPurpose: '{sentence} to {purpose}',
  ofPurpose: /^to\s+(?=\S)/i,
  type: "Type '{text}'",
  withheld: 'Type the password',
  press: 'Press {keys}',
  pressTimes: 'Press {keys} {count} times',
  scroll: { up: 'scroll up', down: 'scroll down', left: 'scroll left', right: 'scroll right', nowhere: 'scroll' },
  scrollToSee: '{verb} to see {element}',
  hover: 'Hover over the {element}',
  hoverAt: 'Hover at {position}',
  wait: 'Wait for {seconds} s',
  unseen: 'Not recorded',
};

export const TEMPLATES = { en } as const satisfies Record<string, NarrationTemplates>;
export type Language = keyof typeof TEMPLATES;

/** Keys that are not written as they are named, by their name in lower case. */
export const KEY_NAMES: Readonly<Record<string, string>> = {
  ctrl: 'Ctrl',
  alt: 'Alt',
  shift: 'Shift',
  meta: 'Meta',
  altgraph: 'AltGr',
  arrowleft: 'Left',
  arrowright: 'Right',
  arrowup: 'Up',
  arrowdown: 'Down',
  ' ': 'Space',
};
