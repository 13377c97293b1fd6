import type { Catalogue } from '../en/index.ts';

export const capabilities: Catalogue['capabilities'] = {
  names: {
    live: 'Live',
    history: 'Aufnahmen',
    export: 'Export',
    ptz: 'Kameras bewegen (PTZ)',
    share: 'Links teilen',
    talk: 'Sprechen',
  },
};
