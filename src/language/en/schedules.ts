/** When a role is active. */
export const schedules = {
  title: 'When',
  from: (moment: string) => `from ${moment}`,
  until: (moment: string) => `until ${moment}`,
  at: (day: string, time: string) => `${day} at ${time}`,
  hours: (begin: string, end: string) => `${begin} to ${end}`,
  earlierHidden: 'earlier recordings hidden',
  earlierVisible: 'earlier recordings visible',
};
