import type { Catalogue } from '../en/index.ts';

export const copying: Catalogue['copying'] = {
  copy: 'Kopieren',
  copied: 'Kopiert.',
  notCopied: 'Das Kopieren hat nicht geklappt. Der Text ist markiert, Sie können ihn selbst kopieren.',
};
