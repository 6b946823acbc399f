import { implement } from '@orpc/server';
import { contract } from '../../schemas/api/contract.ts';
import { annotationRoutes } from './routes/annotation.ts';
import { archiveRoutes } from './routes/archives.ts';
import { arenaRoutes } from './routes/arena.ts';
import { candidateRoutes } from './routes/candidates.ts';
import { compositionRoutes } from './routes/compositions.ts';
import { datasetRoutes } from './routes/datasets.ts';
import { draftRoutes } from './routes/drafts.ts';
import { evaluateRoutes } from './routes/evaluate.ts';
import { folderRoutes } from './routes/folders.ts';
import { jobRoutes } from './routes/jobs.ts';
import { judgeRoutes } from './routes/judges.ts';
import { libraryRoutes } from './routes/library.ts';
import { machineRoutes } from './routes/machine.ts';
import { markRoutes } from './routes/marks.ts';
import { playRoutes } from './routes/play.ts';
import { recordingRoutes } from './routes/recordings.ts';
import { reviewRoutes } from './routes/review.ts';
import { runRoutes } from './routes/runs.ts';
import { setupRoutes } from './routes/setup.ts';
import { skillRoutes } from './routes/skills.ts';
import { teamRoutes } from './routes/team.ts';
import { teamServerRoutes } from './routes/team-server.ts';
import { uploadRoutes } from './routes/uploads.ts';
import { voiceRoutes } from './routes/voice.ts';
import type { AskedStudio } from './studio.ts';

/** The contract's procedures, each a few lines over the studio's own functions. */
export const router = implement(contract)
  .$context<AskedStudio>()
  .router({
    ...folderRoutes,
    ...libraryRoutes,
    ...recordingRoutes,
    ...markRoutes,
    ...voiceRoutes,
    ...jobRoutes,
    ...annotationRoutes,
    ...playRoutes,
    ...runRoutes,
    ...arenaRoutes,
    ...judgeRoutes,
    ...draftRoutes,
    ...candidateRoutes,
    ...compositionRoutes,
    ...setupRoutes,
    ...skillRoutes,
    ...reviewRoutes,
    ...machineRoutes,
    ...datasetRoutes,
    ...archiveRoutes,
    ...evaluateRoutes,
    ...teamRoutes,
    ...uploadRoutes,
    ...teamServerRoutes,
  });
