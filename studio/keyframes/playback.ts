import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';

export async function makePlaybackCopy(_folder: string, _ffmpeg: FfmpegInfo, _progress: (text: string) => void): Promise<void> {}
