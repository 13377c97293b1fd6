import type { Catalogue } from '../en/index.ts';

export const display: Catalogue['display'] = {
  language: 'Sprache',
  byBrowser: 'Wie Browser',
  look: 'Aussehen',
  bySystem: 'Wie System',
  looks: { light: 'Hell', dark: 'Dunkel' },
};
