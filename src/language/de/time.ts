import type { Catalogue } from '../en/index.ts';

export const time: Catalogue['time'] = {
  justNow: 'gerade eben',
  seconds: (seconds) => `${seconds} s`,
  minutes: (minutes, seconds) => `${minutes} min ${seconds} s`,
  hours: (hours, minutes) => `${hours} h ${minutes} min`,
};
