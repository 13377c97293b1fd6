import type { Catalogue } from '../en/index.ts';

export const copying: Catalogue['copying'] = {
  copy: 'Kopieren',
  copied: 'Kopiert.',
  notCopied: 'Das Kopieren ist nicht gelungen: Der Text ist markiert, kopieren Sie ihn selbst.',
};
