import type { Catalogue } from '../en/index.ts';

export const display: Catalogue['display'] = {
  language: 'Sprache',
  byBrowser: 'Automatisch',
  look: 'Aussehen',
  bySystem: 'System',
  looks: { light: 'Hell', dark: 'Dunkel' },
};
