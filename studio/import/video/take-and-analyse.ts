import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import type { Building } from '../land.ts';
import { type Analysis, type AnalysisOptions, analyseVideo } from './analyse.ts';
import { type TakenVideo, takeResized, takeVideo } from './master.ts';

type Wanted = { ffmpeg: FfmpegInfo; source: string; master: string } & Pick<
  AnalysisOptions,
  'sample' | 'grid' | 'report'
>;

/**
 * Makes the master of a video and looks at every picture of it. Where their size changes (a window that is recorded in a
 * browser and resized), a master of one size would show the later ones squeezed: then all are put on one canvas.
 */
export async function takeAndAnalyse(
  { ffmpeg, source, master, report, ...wanted }: Wanted,
  { limits, signal }: Pick<Building, 'limits' | 'signal'>,
): Promise<{ video: TakenVideo; analysis: Analysis }> {
  const look = ({ width, height }: TakenVideo): Promise<Analysis> =>
    analyseVideo({ ffmpeg, file: master, width, height, ...wanted, signal, report });
  const video = await takeVideo(ffmpeg, source, master, limits, signal);
  const analysis = await look(video);
  const { sizes } = analysis;
  if (sizes.length < 2) return { video, analysis };
  const resized = await takeResized(ffmpeg, source, master, { video, sizes }, limits, signal);
  return { video: resized, analysis: await look(resized) };
}
