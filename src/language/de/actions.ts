import type { Catalogue } from '../en/index.ts';

export const actions: Catalogue['actions'] = {
  cancel: 'Abbrechen',
  back: 'Zurück',
  close: 'Schließen',
  tryAgain: 'Noch einmal versuchen',
  reload: 'Neu laden',
  undo: 'Rückgängig',
  undoKeys: 'Strg+Z',
  toStart: 'Zur Startseite',
};
