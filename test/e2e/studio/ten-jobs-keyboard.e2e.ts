import { byKeyboard } from '../../support/ten-jobs.ts';
import { WITH_KEYBOARD } from '../../support/ten-jobs-keyboard.ts';
import { walks } from '../../support/ten-jobs-walks.ts';

/** The ten jobs that the studio is for, done by keyboard alone. */

walks('keyboard', WITH_KEYBOARD, byKeyboard);
