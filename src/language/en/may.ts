/** What a page shows to users whose role may not use it. */
export const may = {
  notLive: 'Your role doesn’t include live pictures.',
  notHistory: 'Your role doesn’t include recordings.',
  neither: 'Your role includes neither live pictures nor recordings.',
};
