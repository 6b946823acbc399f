/** The settings of recordings that go to a team's server by themselves, each yes or no (SendingWishes). */
export const SENDING_SETTINGS = { on: 'sendRecordings', free: 'sendFree', voice: 'sendVoice' } as const;
