import { LEROBOT_SCREEN, type LerobotFeature, type LerobotInfo } from '../../../schemas/export-lerobot.ts';
import { LEROBOT_FPS } from './episode.ts';
import type { FrameSize } from './frame.ts';

/** Files in a folder. */
const CHUNK = 1000;
const NAME = 'chunk-{chunk_index:03d}/file-{file_index:03d}';
export const DATA_PATH = `data/${NAME}.parquet`;
const VIDEOS = `videos/{video_key}/${NAME}.mp4`;
export const VIDEO_PATH = VIDEOS.replace('{video_key}', LEROBOT_SCREEN);

/** The path of a file by its number in all. */
export function chunkPath(path: string, number: number): string {
  const digits = (value: number): string => String(value).padStart(3, '0');
  return path
    .replace('{chunk_index:03d}', digits(Math.floor(number / CHUNK)))
    .replace('{file_index:03d}', digits(number % CHUNK));
}

const one = (dtype: LerobotFeature['dtype']): LerobotFeature => ({ dtype, shape: [1], names: null });

export type LerobotFacts = {
  /** Null when there is no episode. */
  frame: FrameSize | null;
  exact: boolean;
  split: string;
  episodes: number;
  frames: number;
  tasks: number;
};

/** meta/info.json. */
export function lerobotInfo({ frame, exact, split, episodes, frames, tasks }: LerobotFacts): LerobotInfo {
  const { width, height } = frame ?? { width: 2, height: 2 };
  return {
    codebase_version: 'v3.0',
    robot_type: 'desktop',
    total_episodes: episodes,
    total_frames: frames,
    total_tasks: tasks,
    chunks_size: CHUNK,
    data_files_size_in_mb: 100,
    video_files_size_in_mb: 200,
    fps: LEROBOT_FPS,
    splits: { [split]: `0:${episodes}` },
    data_path: DATA_PATH,
    video_path: VIDEOS,
    features: {
      [LEROBOT_SCREEN]: {
        dtype: 'video',
        shape: [height, width, 3],
        names: ['height', 'width', 'channels'],
        info: {
          'video.height': height,
          'video.width': width,
          'video.codec': 'h264',
          'video.pix_fmt': exact ? 'gbrp' : 'yuv420p',
          'video.is_depth_map': false,
          'video.fps': LEROBOT_FPS,
          'video.channels': 3,
          has_audio: false,
        },
      },
      action: { dtype: 'float32', shape: [6], names: ['x', 'y', 'end_x', 'end_y', 'scroll_x', 'scroll_y'] },
      'action.kind': one('string'),
      'action.code': one('string'),
      thought: one('string'),
      element: one('string'),
      recorded_at: one('float32'),
      'next.done': one('bool'),
      language_persistent: one('language'),
      language_events: one('language'),
      timestamp: one('float32'),
      frame_index: one('int64'),
      episode_index: one('int64'),
      index: one('int64'),
      task_index: one('int64'),
      task_id: one('string'),
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'computer',
          description: 'Acts on the screen; places are pixels of the frame.',
          parameters: {
            type: 'object',
            properties: { actions: { type: 'array', items: { type: 'object' } } },
            required: ['actions'],
          },
        },
      },
    ],
  };
}
