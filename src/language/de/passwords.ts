import type { Catalogue } from '../en/index.ts';

export const passwords: Catalogue['passwords'] = {
  new: 'Neues Passwort',
  hint: (length) => `Mindestens ${length} Zeichen.`,
  tooShort: (length) => `Das Passwort braucht mindestens ${length} Zeichen.`,
  differ: 'Die beiden Passwörter stimmen nicht überein.',
  repeat: 'Passwort wiederholen',
  show: 'Passwort anzeigen',
};
