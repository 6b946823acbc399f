import { byMouse } from '../../support/ten-jobs.ts';
import { WITH_MOUSE } from '../../support/ten-jobs-mouse.ts';
import { walks } from '../../support/ten-jobs-walks.ts';

/** The ten jobs that the studio is for, done by mouse alone; texts are typed. */

walks('mouse', WITH_MOUSE, byMouse);
