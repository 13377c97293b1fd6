import type { Catalogue } from '../en/index.ts';

export const may: Catalogue['may'] = {
  notLive: 'Ihre Rolle enthält keine Livebilder.',
  notHistory: 'Ihre Rolle enthält keine Aufnahmen.',
  neither: 'Ihre Rolle enthält weder Livebilder noch Aufnahmen.',
};
