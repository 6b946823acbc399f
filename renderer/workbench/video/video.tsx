import { type ReactNode, useEffect, useRef } from 'react';
import { placeAt } from '../../../core/annotate/picture.ts';
import { fileUrl } from '../../client/api.ts';
import { tr } from '../../language/tr.ts';
import { useActions, useTools } from '../context.ts';
import { idleGapsOf, skipTo } from '../frames/gaps.ts';
import { playbackSeconds, recordingTime } from '../frames/times.ts';
import type { Viewport } from '../geometry.ts';
import { useWork, useWorkStore } from '../store.ts';
import classes from './video.module.css';

/**
 * The playback copy while it plays, over the picture's own place, on the same pixels (V3), so the zoom stays. It
 * loops between the two times of `playing`; where it is goes to the store at every frame that is shown.
 */
export function Video({ viewport }: { viewport: Viewport }): ReactNode {
  const store = useWorkStore();
  const actions = useActions();
  const { frames } = useTools();
  const element = useRef<HTMLVideoElement>(null);
  const ws = useWork((state) => state.ws);
  const opened = useWork((state) => state.opened);
  const playing = useWork((state) => state.playing);
  const rate = useWork((state) => state.rate);
  const start = opened.playbackStart;

  useEffect(() => {
    if (element.current) element.current.playbackRate = rate;
  }, [rate]);

  useEffect(() => {
    const video = element.current;
    if (!video || !playing) return;
    const { span } = playing;
    const from = playbackSeconds(frames, placeAt(frames, span.start), start);
    const until = Math.max((span.end - start) / 1e6, from + 0.05);
    let call = 0;
    let stopped = false;
    const seek = (seconds: number): void => {
      video.currentTime = Math.min(seconds, Number.isFinite(video.duration) ? video.duration : seconds);
    };
    const look = (): void => {
      const t = recordingTime(video.currentTime, start);
      store.setState({ playhead: t });
      if (video.currentTime >= until || video.ended) {
        seek(from);
        void video.play().catch(() => undefined);
        return;
      }
      const { skipIdle, opened: now } = store.getState();
      const after = skipIdle ? skipTo(idleGapsOf(now), t) : null;
      if (after !== null) seek(after >= span.end ? from : (after - start) / 1e6);
    };
    const onFrame = (): void => {
      if (stopped) return;
      look();
      call = video.requestVideoFrameCallback(onFrame);
    };
    const begin = (): void => {
      seek(from);
      video.playbackRate = store.getState().rate;
      video.play().catch((error: unknown) => {
        if (!stopped && !(error instanceof DOMException && error.name === 'AbortError')) onError();
      });
    };
    const onError = (): void => {
      actions.say(
        tr('The playback copy cannot be played. The pictures of the steps do not need it; everything else works.'),
      );
      store.setState({ playing: null, playhead: null });
    };
    // A still stretch gives no frames: the end must be seen all the same.
    const timer = setInterval(look, 120);
    call = video.requestVideoFrameCallback(onFrame);
    video.addEventListener('error', onError);
    if (video.readyState >= 1) begin();
    else video.addEventListener('loadedmetadata', begin, { once: true });
    return () => {
      stopped = true;
      clearInterval(timer);
      video.cancelVideoFrameCallback(call);
      video.removeEventListener('error', onError);
      video.removeEventListener('loadedmetadata', begin);
      video.pause();
    };
  }, [playing, frames, start, store, actions]);

  return (
    <video
      ref={element}
      className={classes.video}
      src={fileUrl.playback(ws, opened.row.id)}
      muted
      playsInline
      preload="auto"
      aria-label={tr('Recording, playing')}
      style={{ transform: `translate(${viewport.x}px, ${viewport.y}px) scale(${viewport.scale})` }}
    />
  );
}
