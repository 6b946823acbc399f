/** Minutes since midnight of a time of the day, as `14:05`. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
