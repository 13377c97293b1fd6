import type { Catalogue } from '../en/index.ts';

export const schedules: Catalogue['schedules'] = {
  title: 'Wann',
  from: (moment) => `ab ${moment}`,
  until: (moment) => `bis ${moment}`,
  at: (day, time) => `${day} um ${time} Uhr`,
  hours: (begin, end) => `${begin} bis ${end} Uhr`,
  earlierHidden: 'frühere Aufnahmen verborgen',
  earlierVisible: 'frühere Aufnahmen sichtbar',
};
