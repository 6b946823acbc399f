import { workerData } from 'node:worker_threads';
import { type FeedSetup, runFeed } from './feed.ts';
import { libcFeedPipe } from './libc-pipe.ts';

runFeed(
  workerData as FeedSetup, // the recorder hands in exactly this
  libcFeedPipe,
);
