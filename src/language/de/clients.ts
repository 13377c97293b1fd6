import type { Catalogue } from '../en/index.ts';

export const clients: Catalogue['clients'] = {
  unnamed: 'Unbenanntes Programm',
  browserOn: (browser, system) => `${browser} auf ${system}`,
};
